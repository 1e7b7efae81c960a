"""The page as a browser shows it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

import chromium
from chromium import watched
from hostile_cases import hostile_lines
from report_pages import EXAMPLES, page_of_example, page_of_lines

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        chromium.find_chromium() is None,
        reason="no Chromium: install it, or say where it is with ADJUDGE_CHROMIUM",
    ),
]

_SHIFT = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => { for (const one of list.getEntries()) sum += one.value })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 100);
})"""

_REFUSED = """async () => {
  const refused = [];
  const blocked = [];
  document.addEventListener("securitypolicyviolation", event => blocked.push(event.blockedURI));
  const attempt = (what, run) => { try { run() } catch { refused.push(what) } };
  const button = document.body.appendChild(document.createElement("button"));
  attempt("handler", () => button.setAttribute("onclick", "window.ran = 1"));
  attempt("markup", () => { button.innerHTML = "<img src=x onerror='window.ran = 1'>" });
  attempt("script", () => { document.createElement("script").text = "window.ran = 1" });
  attempt("eval", () => setTimeout("window.ran = 1"));
  await fetch("https://example.org/").catch(() => refused.push("fetch"));
  const image = document.createElement("img");
  const failed = new Promise(done => image.addEventListener("error", done));
  image.src = "https://example.org/x.png";
  document.body.append(image);
  await failed;
  return [refused, blocked];
}"""

_CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const probe = document.body.appendChild(document.createElement("i"));
  const light = (name) => {
    probe.style.setProperty("color", `var(--${name})`);
    canvas.fillStyle = getComputedStyle(probe).color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const of = (...names) => {
    const [low, high] = names.map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = {};
  for (const text of ["ink", "soft", "accent", "good", "warn", "bad"])
    for (const on of ["ground", "panel", "raised", "accent-ground"])
      found[`${text} on ${on}`] = of(text, on);
  for (const tone of ["good", "warn", "bad"]) {
    found[`${tone} on its own`] = of(tone, `${tone}-ground`);
    found[`ink on ${tone}`] = of("ink", `${tone}-ground`);
  }
  found["graphic"] = of("bar", "panel") * 1.5;
  return found;
}"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium.chromium() as running:
        yield running


@pytest.mark.parametrize("judge", EXAMPLES)
async def test_an_example_is_shown_whole(browser: Browser, judge: str, tmp_path: Path) -> None:
    file = page_of_example(judge, tmp_path)
    cases = file.cases
    count = len(cases)
    async with watched(browser, file.path) as seen:
        assert await seen.page.evaluate(_SHIFT) < 0.01
        for look in ("desktop-light", "desktop-dark", "phone-light", "phone-dark"):
            await seen.look(look)
            await seen.show("#overview")
            await seen.shot(f"{judge}-overview-{look}", whole=True)
            await seen.show("#cases")
            assert f"{count} cases" in await seen.page.inner_text("#count")
            assert await seen.page.locator(".row").count() == count
            await seen.shot(f"{judge}-cases-{look}")
            await seen.show("#cases?case=1")
            await seen.shot(f"{judge}-case-{look}")
            wide = "() => document.documentElement.scrollWidth - innerWidth"
            assert await seen.page.evaluate(wide) <= 0
        await seen.look("desktop-light")
        for case in cases:
            await seen.show(f"#cases?case={case['position']}")
            assert await seen.page.inner_text("#case h2") == case["case_id"]
            assert await seen.page.locator(".trajectory .block").count() > 0
    assert not seen.said
    assert not seen.asked


async def test_what_a_case_of_each_judge_shows(browser: Browser, tmp_path: Path) -> None:
    async with watched(browser, page_of_example("robot", tmp_path).path) as seen:
        await seen.show("#cases?case=1")
        assert await seen.page.locator(".step").count() == 4
        failed = seen.page.locator('.step[data-role="failed"]')
        assert "pick(milk)" in await failed.inner_text()
        assert "container_closed" in await failed.locator(".finding").inner_text()
        assert await seen.page.locator(".room").count() == 3
        milk = seen.page.locator(".room", has_text="kitchen").locator("li li", has_text="milk")
        assert (await milk.inner_text()).split() == ["in", "milk", "in", "the", "plan"]
    async with watched(browser, page_of_example("browser", tmp_path).path) as seen:
        await seen.show("#cases?case=2")
        call = seen.page.locator(".turn", has_text="get_page_contents")
        assert "wrong_tab" in await call.locator(".finding").inner_text()
        assert "Seen by then: 3 messages, 1 result" in await call.inner_text()
        assert await seen.page.inner_text("mark") == "Give this assistant 5"
        await seen.page.click(".to-place >> nth=1")
        at = "() => document.activeElement.dataset.finding"
        assert await seen.page.evaluate(at) == "F2"
    async with watched(browser, page_of_example("social", tmp_path).path) as seen:
        await seen.show("#cases?case=0")
        shares = "nodes => nodes.map(node => Number(node.style.getPropertyValue('--share')))"
        credited = await seen.page.eval_on_selector_all(".turn.shaded", shares)
        assert credited == [0.81, 0.9, 1]
        assert "reward 9.00" in await seen.page.locator(".turn.shaded").nth(2).inner_text()


@pytest.mark.parametrize("judge", EXAMPLES)
async def test_hostile_text_is_only_text(browser: Browser, judge: str, tmp_path: Path) -> None:
    lines = hostile_lines(judge)
    file = page_of_lines(judge, lines, tmp_path)
    async with watched(browser, file.path) as seen:
        own = await seen.page.locator("script").count()
        for case in file.cases:
            await seen.show(f"#cases?case={case['position']}")
            await seen.page.eval_on_selector_all(".more", "all => all.forEach(b => b.click())")
            await seen.page.eval_on_selector_all("summary", "all => all.forEach(b => b.click())")
            await seen.settle()
            text = await seen.page.inner_text("#case")
            assert "<script>window.ran" in text
            assert "javascript:" in text
            assert "U+202E" in text
        assert "more characters are not in this page" in await seen.page.inner_text("#case")
        assert await seen.page.evaluate("() => window.ran") is None
        assert await seen.page.locator("script").count() == own
        for never in ("img", "iframe", "object", "[onerror]", "[onclick]", "[onload]", "base"):
            assert await seen.page.locator(never).count() == 0
        links = await seen.page.eval_on_selector_all("a", "all => all.map(a => a.href)")
        assert all(link.startswith(file.path.as_uri() + "#") for link in links)
    assert not seen.said
    assert not seen.asked


async def test_the_policy_holds_without_the_script(browser: Browser, tmp_path: Path) -> None:
    """Even markup that got in would not run, and nothing could be sent."""
    async with watched(browser, page_of_example("social", tmp_path).path) as seen:
        refused, blocked = await seen.page.evaluate(_REFUSED)
        assert refused == ["handler", "markup", "script", "eval", "fetch"]
        assert {"https://example.org/", "https://example.org/x.png"} <= set(blocked)
        assert await seen.page.evaluate("() => window.ran") is None


async def test_keys_do_everything(browser: Browser, tmp_path: Path) -> None:
    file = page_of_example("robot", tmp_path)
    ids = [case["case_id"] for case in file.cases]
    async with watched(browser, file.path) as seen:
        page = seen.page

        async def case() -> str:
            return await page.inner_text("#case h2")

        await seen.press("c")
        assert await case() == ids[0]
        await seen.press("j", "ArrowDown", "k")
        assert await case() == ids[1]
        await seen.press("End")
        assert await case() == ids[-1]
        await seen.press("Enter")
        assert await page.evaluate("() => document.activeElement.id") == "case"
        await seen.press("Escape", "Home")
        assert await case() == ids[0]
        await seen.press("/")
        await page.keyboard.type("milk table")
        await seen.press("ArrowDown")
        assert await page.inner_text("#count") == "2 of 11 cases"
        assert await page.evaluate("() => document.activeElement.id") == "list"
        await seen.press("f")
        assert await page.evaluate("() => document.getElementById('filters').open")
        await seen.press("?")
        assert await page.evaluate("() => document.getElementById('keys').open")
        await seen.press("Escape", "t", "t")
        assert await page.evaluate("() => document.documentElement.dataset.theme") == "dark"
        await seen.press("o", "Tab")
        assert await page.is_visible("#view-overview")
        ring = "() => getComputedStyle(document.activeElement).outlineStyle"
        assert await page.evaluate(ring) == "solid"
    assert not seen.said


async def test_bars_and_filters_lead_to_their_cases(browser: Browser, tmp_path: Path) -> None:
    file = page_of_example("robot", tmp_path)
    async with watched(browser, file.path) as seen:
        await seen.page.click("text=crash_after_goal")
        await seen.settle()
        crashed = [c["case_id"] for c in file.cases if "crash_after_goal" in c["rules"]]
        assert await seen.page.locator(".row-id").all_inner_texts() == crashed
        await seen.page.click(".chip")
        await seen.page.click("#filters summary")
        await seen.page.select_option('[data-facet="score.score"]', "4")
        await seen.settle()
        best = [c["case_id"] for c in file.cases if c["scores"].get("score") == 4]
        assert await seen.page.locator(".row-id").all_inner_texts() == best
    assert not seen.said


async def test_a_page_of_ten_thousand_cases(browser: Browser, tmp_path: Path) -> None:
    lines = [
        {**json.loads(line), "id": f"episode-{number}"}
        for number, line in zip(
            range(5_000), EXAMPLES["social"].read_text().splitlines() * 2_500, strict=True
        )
    ]
    file = page_of_lines("social", lines, tmp_path)
    async with watched(browser, file.path) as seen:
        await seen.show("#cases?case=9999")
        assert await seen.page.inner_text("#count") == "10,000 cases"
        assert await seen.page.inner_text("#case h2") == "episode-4999/Tomasz Wren"
        assert await seen.page.locator(".row").count() < 40
        milliseconds = await seen.page.evaluate(
            """async (words) => {
              const search = document.getElementById("search");
              const took = [];
              for (const word of words) {
                const begun = performance.now();
                search.value = word;
                search.dispatchEvent(new Event("input"));
                document.getElementById("list").getBoundingClientRect();
                took.push(performance.now() - begun);
                await new Promise(requestAnimationFrame);
              }
              return took.sort((a, b) => a - b)[Math.floor(took.length / 2)];
            }""",
            ["e", "episode-49", "wren", "nothing like it", "", "lindt bicycle", "episode-499"],
        )
        assert await seen.page.inner_text("#count") == "22 of 10,000 cases"
        assert milliseconds < 200
        await seen.shot("ten-thousand")
    assert not seen.said
    assert not seen.asked


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_contrast(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """WCAG AA: 4.5 to 1 for text, 3 to 1 for graphics."""
    async with watched(browser, page_of_example("social", tmp_path).path) as seen:
        await seen.look(f"desktop-{scheme}")
        found: dict[str, Any] = await seen.page.evaluate(_CONTRAST)
    assert {pair: ratio for pair, ratio in found.items() if ratio < 4.5} == {}


async def test_it_can_be_printed(browser: Browser, tmp_path: Path) -> None:
    file = page_of_example("robot", tmp_path)
    async with watched(browser, file.path) as seen:
        await seen.show("#cases?q=lamp&case=1")
        await seen.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        await seen.page.emulate_media(media="print")
        assert await seen.page.is_visible("#view-overview")
        assert await seen.page.is_visible("#case h2")
        printed = await seen.page.locator("#printed tbody tr").all_inner_texts()
        assert [row.split("\t")[0] for row in printed] == [
            "only-walked",
            "no-such-thing",
            "off-topic",
        ]
        assert len(await seen.page.pdf()) > 10_000
