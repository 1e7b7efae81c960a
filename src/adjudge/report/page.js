// The page: unpacks its data, lists what the filters leave, shows one case, follows the address.

const ROW = 64; // height of a row of the list, in pixels, as in page.css
const MOST_PRINTED = 500;
const MOST_VALUES = 40; // a facet with more values than these is no help

const root = document.documentElement;
const find = (id) => document.getElementById(id);

const rows = []; // what the list knows of each case
const blocks = []; // the cases, still packed
const opened = new Map(); // the last few blocks that were unpacked
let facets = new Map(); // name -> how a row's values are had
let left = []; // indices of the rows that the filters leave, in the order shown
let selected = -1; // index into rows
let state = { view: "overview", query: "", chosen: new Map(), sort: "input", position: null };

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

async function load() {
  const packed = [...document.querySelectorAll("script.cases")].map((script) => JSON.parse(script.textContent));
  const unpacked = await Promise.all(packed.map((block) => unpack(block.rows)));
  unpacked.forEach((some, block) => {
    blocks.push(packed[block].cases);
    some.forEach((row, at) => rows.push({ ...row, block, at, text: searched(row) }));
  });
}

const searched = (row) =>
  [row.id, row.about, row.status, row.reason, ...row.rules, ...row.flags, ...row.findings].join("\n").toLowerCase();

async function caseOf(row) {
  if (!opened.has(row.block)) {
    if (opened.size > 7) opened.delete(opened.keys().next().value);
    opened.set(row.block, unpack(blocks[row.block]));
  }
  return (await opened.get(row.block))[row.at];
}

// ---- filters

function makeFacets() {
  const one = (value) => (value === null || value === undefined || value === "" ? [] : [written(value)]);
  const all = new Map([
    ["status", (row) => [row.status]],
    ["success", (row) => one(row.success)],
    ["label", (row) => one(row.label)],
  ]);
  for (const name of new Set(rows.flatMap((row) => Object.keys(row.scores))))
    all.set(`score.${name}`, (row) => (name in row.scores ? [written(row.scores[name])] : []));
  all.set("reason", (row) => one(row.reason));
  all.set("rule", (row) => row.rules);
  all.set("finding", (row) => row.findings);
  all.set("flag", (row) => row.flags);
  const select = find("facets");
  for (const [name, values] of all) {
    const counts = new Map();
    for (const row of rows) for (const value of values(row)) counts.set(value, (counts.get(value) || 0) + 1);
    if (!counts.size || counts.size > MOST_VALUES) continue;
    facets.set(name, values);
    const options = [...counts].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    const box = el("select", { "data-facet": name, on: { change: (event) => choose(name, event.target.value) } },
      el("option", { value: "" }, "any"),
      options.map(([value, count]) => el("option", { value }, `${value} (${count.toLocaleString("en")})`)));
    select.append(el("label", {}, el("span", {}, name.replace(/^score\./, "")), box));
  }
}

function choose(name, value) {
  if (value) state.chosen.set(name, value);
  else state.chosen.delete(name);
  go();
}

const ORDERS = {
  input: () => 0,
  low: (a, b) => rank(a, Infinity) - rank(b, Infinity),
  high: (a, b) => rank(b, -Infinity) - rank(a, -Infinity),
  findings: (a, b) => b.found - a.found,
};

function rank(row, none) {
  const numbers = Object.values(row.scores).filter((value) => typeof value === "number");
  if (numbers.length) return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return row.reward ?? none;
}

function filter() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = [...state.chosen].map(([name, value]) => [facets.get(name) || (() => []), value]);
  left = [];
  rows.forEach((row, index) => {
    if (words.every((word) => row.text.includes(word)) && wanted.every(([values, value]) => values(row).includes(value))) left.push(index);
  });
  if (state.sort !== "input") left.sort((a, b) => ORDERS[state.sort](rows[a], rows[b]) || a - b);
  const total = rows.length.toLocaleString("en");
  find("count").textContent = left.length === rows.length ? `${total} cases` : `${left.length.toLocaleString("en")} of ${total} cases`;
  find("chips").replaceChildren(...[...state.chosen].map(([name, value]) =>
    el("button", { type: "button", class: "chip", "aria-label": `Remove filter ${name} ${value}`, on: { click: () => choose(name, "") } },
      `${name.replace(/^score\./, "")}: `, line(value), el("span", { "aria-hidden": "true" }, " ×"))));
  for (const box of find("facets").querySelectorAll("select")) box.value = state.chosen.get(box.dataset.facet) || "";
  find("space").style.height = `${left.length * ROW}px`;
  find("empty").hidden = left.length > 0;
  drawList(true);
}

// ---- the list: only the rows in sight are elements

let drawn = "";

function drawList(anew = false) {
  const list = find("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 6);
  const last = Math.min(left.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 6);
  const key = `${first} ${last} ${selected}`;
  if (!anew && key === drawn) return;
  drawn = key;
  const made = [];
  for (let at = first; at < last; at += 1) made.push(listRow(at));
  find("space").replaceChildren(...made);
  if (left.includes(selected)) list.setAttribute("aria-activedescendant", `row-${selected}`);
  else list.removeAttribute("aria-activedescendant");
}

function verdictMark(row) {
  if (row.status !== "scored") return ["!", "warn", row.status];
  if (row.success === null) return ["•", "quiet", "scored"];
  return row.success ? ["✓", "good", "success"] : ["✕", "bad", "no success"];
}

function listRow(at) {
  const index = left[at];
  const row = rows[index];
  const [mark, tone, word] = verdictMark(row);
  const made = el("div", {
    class: "row", role: "option", id: `row-${index}`, "aria-selected": String(index === selected), "aria-posinset": at + 1,
    "aria-setsize": left.length, on: { click: () => open(index, true) },
  },
  el("span", { class: `mark ${tone}`, role: "img", "aria-label": word }, mark),
  el("span", { class: "row-id" }, row.id ? line(row.id) : `position ${row.p}`), score(row),
  el("span", { class: "row-below" },
    el("span", { class: "row-about" }, line(row.about || row.reason || "")),
    el("span", { class: "row-note" }, row.label === "apart" ? el("span", { class: "apart" }, "≠ label ") : null, row.found ? `${row.found} finding${row.found === 1 ? "" : "s"}` : "")));
  made.style.transform = `translateY(${at * ROW}px)`;
  return made;
}

function score(row) {
  if (row.status !== "scored") return el("span", { class: "row-score word" }, row.status);
  const values = Object.entries(row.scores);
  if (values.length) return el("span", { class: "row-score", title: values.map(([name, value]) => `${name} ${written(value)}`).join("\n") },
    values.slice(0, 8).map(([, value]) => el("span", {}, value === null ? "–" : line(written(value).slice(0, 12)))));
  return el("span", { class: "row-score word" }, row.reward === null ? "no score" : `reward ${row.reward.toFixed(2)}`);
}

function headScore(row) {
  const [only, ...more] = Object.entries(row.scores);
  if (row.status !== "scored") return null;
  if (!only) return row.reward === null ? null : score(row);
  if (more.length) return null; // they are in the table
  return el("span", { class: "head-score" }, el("span", { class: "note" }, named(only[0])), " ", el("strong", {}, line(written(only[1]))));
}

function reveal(index) {
  const at = left.indexOf(index);
  const list = find("list");
  if (at < 0) return;
  if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
  else if ((at + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * ROW - list.clientHeight;
}

// ---- one case

function open(index, byHand = false) {
  state.position = rows[index].p;
  if (byHand) root.dataset.open = "case";
  go();
}

async function drawCase() {
  const index = selected;
  const box = find("case");
  if (index < 0) {
    box.replaceChildren(el("p", { class: "nothing" }, rows.length ? "Choose a case." : "This run has no verdicts."));
    return;
  }
  const row = rows[index];
  const shown = await caseOf(row);
  if (index !== selected) return;
  const [mark, tone, word] = verdictMark(row);
  const held = box.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
  const step = (by, text, sign) => el("button", { type: "button", "aria-label": text, title: text, disabled: !beside(by), on: { click: () => move(by) } }, sign);
  box.replaceChildren(
    el("header", { class: "case-head" },
      el("button", { type: "button", class: "back", on: { click: back } }, "← Cases"),
      el("div", { class: "case-name" }, el("h2", {}, row.id ? line(whole(shown.verdict.case_id)[0]) : `Position ${row.p}`), badge(mark, tone, word), headScore(row)),
      el("div", { class: "steps-through" }, step(-1, "Case before", "↑"), step(1, "Next case", "↓"))),
    el("div", { class: "sides" }, el("div", { class: "trajectory" }, trajectory(shown)), el("aside", { class: "evidence", "aria-label": "Evidence" }, evidence(shown)), el("aside", { class: "words", "aria-label": "Words" }, words(shown))));
  box.scrollTop = 0;
  box.dataset.position = row.p;
  if (held) box.querySelector(`[aria-label="${held}"]`)?.focus();
}

function back() {
  find("filters").open = false;
  delete root.dataset.open;
  drawList(true);
  find("list").focus();
}

function beside(by) {
  const at = left.indexOf(selected);
  return at < 0 ? left.length > 0 : at + by >= 0 && at + by < left.length;
}

function move(by) {
  if (!left.length) return;
  const at = left.indexOf(selected);
  const next = at < 0 ? 0 : Math.min(left.length - 1, Math.max(0, at + by));
  open(left[next]);
}

// ---- the address says what is seen: #cases?status=error&q=mug&case=12

function address() {
  const words = new URLSearchParams(state.chosen);
  if (state.query) words.set("q", state.query);
  if (state.sort !== "input") words.set("sort", state.sort);
  if (state.position !== null) words.set("case", state.position);
  return `#${state.view}${words.size ? `?${words}` : ""}`;
}

let writing = 0;

function go() {
  clearTimeout(writing); // browsers refuse an address that changes with every key
  writing = setTimeout(() => history.replaceState(null, "", address()), 200);
  draw();
}

function read() {
  const [view, words] = location.hash.slice(1).split("?");
  const given = new URLSearchParams(words || "");
  state = { view: view === "cases" ? "cases" : "overview", query: given.get("q") || "", chosen: new Map(), sort: given.get("sort") || "input", position: given.has("case") ? Number(given.get("case")) : null };
  if (!(state.sort in ORDERS)) state.sort = "input";
  for (const [name, value] of given) if (!["q", "sort", "case"].includes(name)) state.chosen.set(name, value);
  if (view === "cases" && given.has("case")) root.dataset.open = "case";
  else if (view === "cases") delete root.dataset.open;
  draw();
}

function draw() {
  root.dataset.view = state.view;
  for (const name of ["overview", "cases"]) {
    if (state.view === name) find(`to-${name}`).setAttribute("aria-current", "page");
    else find(`to-${name}`).removeAttribute("aria-current");
  }
  find("search").value = state.query;
  find("sort").value = state.sort;
  filter();
  const index = state.position === null ? -1 : rows.findIndex((row) => row.p === state.position);
  const wide = matchMedia("(min-width: 800px)").matches;
  selected = index < 0 && wide && left.length ? left[0] : index;
  reveal(selected);
  drawList(true);
  if (state.view === "cases") drawCase();
}

// ---- keys, theme, print

const KEYS = {
  "/": () => { show("cases"); find("search").focus(); find("search").select(); },
  j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
  Home: () => left.length && open(left[0]), End: () => left.length && open(left[left.length - 1]),
  Enter: () => { if (selected < 0) return; root.dataset.open = "case"; find("case").focus(); },
  Escape: () => back(),
  o: () => { show("overview"); find("to-overview").focus(); }, c: () => { show("cases"); find("list").focus(); },
  f: () => { show("cases"); find("filters").open = !find("filters").open; },
  t: () => theme(), "?": () => find("keys").showModal(),
};
const IN_LIST = ["ArrowDown", "ArrowUp", "Home", "End", "Enter", "Escape", "j", "k"];

function show(view) {
  if (state.view === view) return;
  state.view = view;
  history.pushState(null, "", address());
  draw();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || find("keys").open) return;
  const at = event.target;
  if (at.closest("input, select, textarea")) {
    if (event.key === "Escape") find("list").focus();
    else if (at.id !== "search" || !["ArrowDown", "Enter"].includes(event.key)) return;
    else find("list").focus();
    event.preventDefault();
    return;
  }
  const inList = IN_LIST.includes(event.key);
  if (inList && state.view !== "cases") return;
  // in the case itself arrows scroll, and Enter is for its buttons
  if (inList && /^(Arrow|Home|End|Enter)/.test(event.key) && at !== document.body && at !== find("list")) return;
  const run = KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

function theme(next) {
  const order = ["auto", "light", "dark"];
  const now = next || order[(order.indexOf(root.dataset.theme || "auto") + 1) % order.length];
  if (now === "auto") delete root.dataset.theme;
  else root.dataset.theme = now;
  const button = find("theme");
  if (button) button.textContent = `Theme: ${now}`;
  try { localStorage.setItem("adjudge-theme", now); } catch { /* a page from a file may not keep anything */ }
}

function kept() {
  try { return localStorage.getItem("adjudge-theme") || "auto"; } catch { return "auto"; }
}

function printed() {
  const some = left.slice(0, MOST_PRINTED).map((index) => rows[index]);
  find("printed").replaceChildren(
    el("h2", {}, find("count").textContent),
    el("table", {}, el("thead", {}, el("tr", {}, ["case", "status", "success", "score", "about"].map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, some.map((row) => el("tr", {}, el("td", {}, line(row.id || row.p)), el("td", {}, row.status), el("td", {}, row.success === null ? "" : written(row.success)), el("td", {}, score(row)), el("td", {}, line(row.about)))))),
    left.length > some.length ? el("p", {}, `${(left.length - some.length).toLocaleString("en")} more are not printed.`) : "");
}

theme(kept());

document.addEventListener("DOMContentLoaded", async () => {
  theme(root.dataset.theme || "auto");
  find("theme").addEventListener("click", () => theme());
  find("keys-button").addEventListener("click", () => find("keys").showModal());
  if (!("DecompressionStream" in window)) {
    find("count").textContent = "This browser is too old to unpack the cases.";
    return;
  }
  await load();
  makeFacets();
  find("search").addEventListener("input", (event) => { state.query = event.target.value; find("list").scrollTop = 0; go(); });
  find("sort").addEventListener("change", (event) => { state.sort = event.target.value; find("list").scrollTop = 0; go(); });
  find("list").addEventListener("scroll", () => drawList());
  window.addEventListener("resize", () => drawList(true));
  window.addEventListener("hashchange", read);
  window.addEventListener("popstate", read);
  window.addEventListener("beforeprint", printed);
  document.addEventListener("keydown", pressed);
  read();
  root.dataset.ready = "yes";
});
