"""The documents as a site: built strictly, without a network, and complete."""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from running import ROOT

PAGES = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))
LOADING = {"script": ("src",), "img": ("src", "srcset"), "link": ("href",), "iframe": ("src",)}
NOT_LOADED = {"canonical", "prev", "next"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; a warning of the builder is a failure."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    # whatever would be fetched while building has nowhere to go
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "HTTPS_PROXY": "http://127.0.0.1:9"}
    built = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, f"{built.stderr}\na new page needs its place in mkdocs.yml"
    return folder


class Page(HTMLParser):
    """The title of a page, its links, and the addresses that a browser would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.title = ""
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self._in_title = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._in_title = tag == "title"
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        if tag == "link" and given.get("rel") in NOT_LOADED:
            return
        self.loaded |= {given[name] for name in LOADING.get(tag, ()) if name in given}

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
            self._in_title = False


def page(site: Path, name: str) -> Page:
    return Page((site / f"{name}.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_nothing_from_elsewhere(site: Path, name: str) -> None:
    read = page(site, name)
    assert read.title.strip()
    assert read.loaded
    for address in read.loaded:
        assert "//" not in address
        assert (site / address.partition("?")[0]).is_file()


def test_every_page_is_in_the_navigation(site: Path) -> None:
    assert {f"{name}.html" for name in PAGES} <= page(site, "index").links


def test_titles_are_all_different(site: Path) -> None:
    titles = {name: page(site, name).title for name in PAGES}
    assert len(set(titles.values())) == len(titles), titles


def test_styles_load_nothing_from_elsewhere(site: Path) -> None:
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert "url(http" not in text
        assert "url(//" not in text
        assert "@import" not in text


def test_the_search_knows_every_page(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert [name for name in PAGES if f'"{name}.html' not in index] == []
