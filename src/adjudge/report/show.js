// Plain data as elements. Everything that comes from a case goes in as text: no markup is parsed,
// no address becomes a link.

const FOLDED = 1200; // characters of a text that stand open

const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "on") for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

// A text with the characters that nobody sees, or that reorder a line, spelled out.
function visible(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(HIDDEN)) {
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parts.push(text.slice(at, found.index), el("span", { class: "hidden-character" }, `U+${code}`));
    at = found.index + found[0].length;
  }
  parts.push(text.slice(at));
  return parts;
}

// One line of text, kept apart from the direction of what is around it.
const line = (text) => el("bdi", {}, visible(String(text)));

// Inline pieces with blanks between them, for those who copy them or have them read out.
const spaced = (...pieces) => pieces.flat().filter(Boolean).flatMap((piece) => [piece, " "]);

// A name that may be broken where its words meet.
const named = (name) => el("bdi", {}, String(name).split(/(?<=_)/).flatMap((part) => [...visible(part), el("wbr")]));

function whole(value) {
  if (value !== null && typeof value === "object" && "cut" in value) return [value.cut, value.left_out];
  return [typeof value === "string" ? value : written(value), 0];
}

function written(value) {
  if (value === null || value === undefined) return "null";
  if (value === true || value === false) return value ? "yes" : "no";
  if (typeof value === "number") return String(Math.round(value * 1e6) / 1e6);
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.map(written).join(", ") || "none";
  const inner = Object.entries(value);
  if (!Array.isArray(value) && inner.every(([, one]) => one === null || typeof one !== "object")) return inner.map(([name, one]) => `${name}: ${written(one)}`).join("\n");
  return JSON.stringify(value, null, 1);
}

// A text of any length: long ones folded, what the page does not hold counted.
function prose(value, { code = false, marks = [] } = {}) {
  const [text, leftOut] = whole(value);
  const body = el("div", { class: code ? "prose code" : "prose", dir: "auto" });
  const fill = (end) => body.replaceChildren(...marked(text.slice(0, end), marks));
  const box = el("div", {}, body);
  if (text.length > FOLDED * 1.25) {
    fill(FOLDED);
    const more = el("button", { type: "button", class: "more" }, `Show ${(text.length - FOLDED).toLocaleString("en")} more characters`);
    more.addEventListener("click", () => { fill(text.length); more.remove(); });
    box.append(more);
  } else fill(text.length);
  if (leftOut) box.append(el("p", { class: "left-out" }, `${leftOut.toLocaleString("en")} more characters are not in this page.`));
  return box;
}

function marked(text, marks) {
  const parts = [];
  let at = 0;
  for (const [start, end, finding] of [...marks].sort((a, b) => a[0] - b[0])) {
    if (start < at || start >= text.length) continue;
    parts.push(...visible(text.slice(at, start)), el("mark", { title: finding }, ...visible(text.slice(start, end))));
    at = Math.min(end, text.length);
  }
  parts.push(...visible(text.slice(at)));
  return parts;
}

const SEVERITY = { error: ["✕", "bad"], warning: ["!", "warn"], info: ["i", "quiet"] };

const badge = (mark, tone, text) =>
  el("span", { class: `badge ${tone}` }, el("span", { class: "mark", "aria-hidden": "true" }, mark), line(text));

function findingNote(finding, children = [prose(finding.text)]) {
  const [mark, tone] = SEVERITY[finding.severity] || ["i", "quiet"];
  return el("div", { class: `finding ${tone}`, "data-finding": finding.id },
    el("p", { class: "finding-head" }, spaced(
      el("span", { class: "mark", "aria-hidden": "true" }, mark),
      el("span", { class: "id" }, finding.id), line(whole(finding.kind)[0]),
      el("span", { class: "severity" }, finding.severity))),
    ...children);
}

const notes = (list) => (list || []).filter(Boolean).map((note) => el("p", { class: "note" }, line(whole(note)[0])));

const leftOut = (block, what) => (block.left_out ? [el("p", { class: "left-out" }, `${block.left_out.toLocaleString("en")} more ${what} are not in this page.`)] : []);

const BLOCKS = {
  fields: (block) => [
    el("dl", { class: "fields" }, block.rows.map(([name, value]) => [el("dt", {}, line(whole(name)[0])), el("dd", {}, prose(value))]).flat()),
    ...leftOut(block, "fields")],

  steps: (block, findings) => [
    el("ol", { class: "steps" }, block.steps.map((step) =>
      el("li", { class: `step ${step.tone}`, "data-role": step.role },
        spaced(
          el("span", { class: "n" }, String(step.n)),
          el("span", { class: "mark", "aria-hidden": "true" }, step.mark),
          el("code", {}, line(whole(step.text)[0])),
          el("span", { class: "role" }, step.role)),
        el("div", { class: "under" }, placed(step, findings), notes([step.note]))))),
    ...leftOut(block, "steps")],

  tree: (block) => [
    el("div", { class: "rooms" }, block.groups.map((group) =>
      el("details", { class: "room", open: !group.shut },
        el("summary", {}, el("span", { class: "room-name" }, line(whole(group.name)[0])), group.note ? el("span", { class: "note" }, group.note) : null,
          el("span", { class: "count" }, String(countThings(group.items)))),
        group.items.length ? things(group.items) : el("p", { class: "note" }, "nothing in it")))),
    ...leftOut(block, "rooms")],

  talk: (block, findings) => [
    el("ol", { class: "talk" }, block.turns.map((turn) => talkTurn(turn, findings))),
    ...leftOut(block, "entries")],
};

const countThings = (items) => items.reduce((sum, item) => sum + 1 + countThings(item.items), 0);

const things = (items) =>
  el("ul", { class: "things" }, items.map((item) =>
    el("li", {}, spaced(
      item.how ? el("span", { class: "how" }, line(whole(item.how)[0])) : null,
      el("span", { class: item.touched ? "thing touched" : "thing" }, line(whole(item.name)[0])),
      item.touched ? el("span", { class: "used" }, "in the plan") : null,
      item.about.map((state) => el("span", { class: "state" }, line(whole(state)[0])))),
      item.items.length ? things(item.items) : null)));

function talkTurn(turn, findings) {
  const share = turn.credit ? turn.credit.share : 0;
  const made = el("li", {
    class: ["turn", turn.aside ? "aside" : "own", turn.judged ? "judged" : "context", turn.credit ? (share < 0 ? "shaded against" : "shaded") : ""].join(" "),
  },
  el("p", { class: "turn-head" }, spaced(
    el("span", { class: "n" }, String(turn.n)), el("span", { class: "who" }, line(whole(turn.who)[0])),
    turn.kind ? el("span", { class: "kind" }, turn.kind) : null,
    turn.about ? el("code", {}, line(whole(turn.about)[0])) : null,
    turn.credit ? el("span", { class: "credit" }, turn.credit.text) : null)),
  prose(turn.text, { code: turn.code, marks: turn.marks }), placed(turn, findings), notes(turn.notes));
  made.style.setProperty("--share", Math.abs(share).toFixed(3));
  return made;
}

const placed = (entry, findings) => entry.findings.map((id) => findings.get(id)).filter(Boolean).map((finding) => findingNote(finding));

function block(data, findings) {
  return el("section", { class: "block" }, el("h3", {}, line(whole(data.title)[0])), notes([data.note]), ...BLOCKS[data.kind](data, findings));
}

function trajectory(shown) {
  const findings = new Map(shown.verdict.findings.map((finding) => [finding.id, finding]));
  if (shown.blocks) return shown.blocks.map((data) => block(data, findings));
  return [el("section", { class: "block" }, el("h3", {}, "No case to show"), prose(shown.why || "There is none."))];
}

function scoresTable(shown) {
  const { verdict, labels } = shown;
  const told = [verdict.scores, verdict.bounds, labels].flatMap(Object.keys);
  if (!told.length) return null; // why nothing is scored is said in words
  const names = [...new Set([...Object.keys(verdict.scores), ...Object.keys(verdict.unscored), ...told])];
  const raw = verdict.raw_scores || {};
  const labelled = Object.keys(labels).length > 0;
  const moved = Object.keys(raw).length > 0;
  const cell = (value) => el("td", { class: "number" }, value === undefined ? "" : line(whole(written(value))[0]));
  const rows = names.map((name) => {
    const bound = verdict.bounds[name];
    const said = name === "success" && !(name in verdict.scores) && verdict.success !== null ? verdict.success : verdict.scores[name];
    const apart = said !== undefined && name in labels && said !== labels[name];
    return el("tr", {}, el("th", { scope: "row" }, /^\d+$/.test(name) ? `part ${name}` : named(name)),
      said === undefined ? el("td", { class: "number none" }, line(whole(verdict.unscored[name] || "none")[0])) : cell(said),
      el("td", { class: "allowed" }, bound ? line(bound.allowed.map(written).join(" ")) : "", bound && bound.because.length ? el("span", { class: "because" }, bound.because.join(" ")) : null),
      moved ? cell(raw[name]) : null,
      labelled ? el("td", { class: "number" }, name in labels ? line(written(labels[name])) : "", apart ? el("span", { class: "apart" }, " ≠") : null) : null);
  });
  return el("div", { class: "scroll" }, el("table", { class: "scores" },
    el("thead", {}, el("tr", {}, ["", "score", "allowed", moved ? "unbounded" : null, labelled ? "label" : null].map((head, index) =>
      head === null ? null : el("th", { scope: "col", class: index === 1 || index > 2 ? "number" : null }, head)))),
    el("tbody", {}, rows)));
}

const part = (title, ...children) => el("section", { class: "block" }, el("h3", {}, title), ...children);

// What was proved and decided.
function evidence(shown) {
  const { verdict } = shown;
  const table = scoresTable(shown);
  const reasons = [...new Set(Object.values(verdict.unscored))].join(", ");
  const facts = [["reason", verdict.reason], ["success", "success" in shown.labels ? null : verdict.success], ["reward", verdict.reward], ["not scored", table ? null : reasons || null]]
    .filter(([, value]) => value !== null).map(([name, value]) => [name, written(value)]);
  if (verdict.rules.length) facts.push(["rules", verdict.rules.join(", ")]);
  if (verdict.flags.length) facts.push(["flags", verdict.flags.join(", ")]);
  const error = verdict.details.error;
  if (error) facts.push(...Object.entries(error).filter(([, value]) => value !== null));
  return [
    part("Verdict", table, BLOCKS.fields({ rows: facts })),
    verdict.findings.length ? part(`Findings (${verdict.findings.length})`, verdict.findings.map((finding) => listed(finding, shown))) : null];
}

// What was written about it, and by whom.
function words(shown) {
  const { verdict } = shown;
  const parts = [];
  const said = Object.entries(verdict.output || {}).filter(([name, value]) => !(name in verdict.scores) && value !== null && whole(value)[0] !== "[]");
  if (said.length) parts.push(part("Output", BLOCKS.fields({ rows: said.map(([name, value]) => [name, typeof value === "string" || (value && value.cut) ? value : written(value)]) })));
  const asked = verdict.opinions.filter((opinion) => opinion.model !== null);
  if (asked.length) parts.push(part("Opinions", asked.map(opinionBox)));
  parts.push(folded("The verdict as JSON", () => prose(JSON.stringify(verdict, null, 1), { code: true })));
  return parts;
}

// In the list of all: with its words, or with the way to the place where they stand.
function listed(finding, shown) {
  const told = Object.entries(finding.at).filter(([name, value]) => value !== null && name !== "start" && name !== "end").map(([name, value]) => `${name} ${whole(value)[0]}`).join(", ");
  const entries = (shown.blocks || []).flatMap((data) => data.steps || data.turns || []);
  if (!entries.some((entry) => entry.findings.includes(finding.id))) return findingNote(finding, [prose(finding.text), ...notes([told])]);
  const to = el("button", { type: "button", class: "to-place" }, "at ", line(told));
  to.addEventListener("click", () => {
    const there = [...document.querySelectorAll(".trajectory [data-finding]")].find((note) => note.dataset.finding === finding.id);
    there.setAttribute("tabindex", "-1");
    there.focus({ preventScroll: true });
    there.scrollIntoView({ block: "center" });
  });
  return findingNote(finding, [to]);
}

function opinionBox(opinion) {
  const scores = Object.entries(opinion.scores).map(([name, value]) => `${name} ${written(value)}`).join(", ");
  return el("div", { class: "opinion" },
    el("p", {}, line(whole(opinion.model)[0]), el("span", { class: "note" }, ` sample ${opinion.sample}, ${opinion.status}`)),
    notes([opinion.reason, scores]),
    opinion.replies.map((reply) => folded(`Answer, ${reply.status}`, () => prose(reply.text ?? reply.reason ?? "", { code: true }))));
}

function folded(title, make) {
  const made = el("details", { class: "folded" }, el("summary", {}, title));
  made.addEventListener("toggle", () => made.childElementCount > 1 || made.append(make()), { once: true });
  return made;
}
