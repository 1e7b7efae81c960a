"""A real browser for tests of the page: found, started, and watched for what it should not do."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
SHOTS = Path(__file__).parent.parent / ".adjudge" / "screenshots"
"""Where the pictures of the last test run are."""

_QUIET = (
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


def find_chromium() -> str | None:
    """The browser that ``ADJUDGE_CHROMIUM`` names, or the first that is installed."""
    named = os.environ.get("ADJUDGE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """The browser, without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=_QUIET)
        try:
            yield browser
        finally:
            await browser.close()


@dataclass
class Watched:
    """A page, and all that it said or asked for: both lists stay empty."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    async def show(self, where: str) -> None:
        """Go to another place in the page, as its links do."""
        await self.page.evaluate("where => { location.hash = where }", where)
        await self.settle()

    async def settle(self) -> None:
        """Wait for what was asked for to be drawn."""
        await self.page.evaluate("() => new Promise(done => setTimeout(done, 60))")

    async def press(self, *keys: str) -> None:
        """Press one key after the other."""
        for key in keys:
            await self.page.keyboard.press(key)
        await self.settle()

    async def look(self, look: str) -> None:
        """On another screen: ``desktop-light``, ``phone-dark`` …"""
        size, _, scheme = look.partition("-")
        width, height = SIZES[size]
        await self.page.set_viewport_size({"width": width, "height": height})
        await self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    async def shot(self, name: str, *, whole: bool = False) -> None:
        """Keep a picture of what is to be seen, or of the ``whole`` page."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        await self.page.screenshot(path=SHOTS / f"{name}.png", full_page=whole)


@asynccontextmanager
async def watched(browser: Browser, file: Path) -> AsyncIterator[Watched]:
    """The page in ``file``, opened on a light desktop without a network, and ready."""
    context = await browser.new_context(offline=True)
    try:
        seen = Watched(await context.new_page())
        await seen.look("desktop-light")
        seen.page.on("console", lambda message: seen.said.append(message.text))
        seen.page.on("pageerror", lambda error: seen.said.append(str(error)))
        seen.page.on("request", lambda request: seen.asked.append(request.url))
        await seen.page.goto(file.as_uri())
        await seen.page.wait_for_selector("[data-ready]")
        seen.asked.remove(file.as_uri())
        yield seen
    finally:
        await context.close()
