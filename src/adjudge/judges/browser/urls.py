"""URLs: compared without what does not matter, and looked for in what was seen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

_USUAL = ("https://", "http://")
_SCHEME = re.compile(r"\A(?:https?:)?//", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"\A(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)", re.IGNORECASE)
_HOST = re.compile(r"\A[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\Z")
_SEARCH_PATH = re.compile(r"/(?:search|results|find|s)/?\Z")
_SEARCH_KEYS = frozenset({"q", "query", "search", "search_query", "k", "s", "p", "keyword", "term"})
_SHORTEST_PART = 6


@dataclass(frozen=True, slots=True)
class Url:
    """A web address in compared form: lower-case ``host`` without ``www.``, ``path`` without a
    trailing slash, ``query``; no fragment."""

    host: str
    path: str
    query: str

    @property
    def whole(self) -> str:
        """Host, path and query."""
        return f"{self.host}{self.path}{'?' + self.query if self.query else ''}"


def read_url(text: str) -> Url | None:
    """``text`` as a web address, or ``None``.

    >>> read_url("https://www.Example.com/a/b/#top")
    Url(host='example.com', path='/a/b', query='')
    >>> read_url("about:blank") is None
    True
    """
    text = text.strip()
    if not text or len(text) > 8000:
        return None
    if not text.startswith(_USUAL) and _OTHER_SCHEME.match(text):
        return None
    rest = _SCHEME.sub("", text, count=1).partition("#")[0]
    before, _, query = rest.partition("?")
    host, _, path = before.partition("/")
    host = host.rpartition("@")[2].lower().removeprefix("www.")
    host = host.removesuffix(":443").removesuffix(":80")
    if not _HOST.match(host):
        return None
    return Url(host, f"/{path}".rstrip("/"), query)


def searchable(text: str) -> str:
    """``text`` as URLs are looked for in it: lower case, escapes of JSON and HTML undone."""
    text = text.lower().replace("\\/", "/").replace("&amp;", "&")
    return unquote(text) if "%" in text else text


def is_home(url: Url) -> bool:
    """A site's front page: knowing a site is knowing its address."""
    return not url.path and not url.query


def is_search(url: Url) -> bool:
    """A query to a site's search: its words are the assistant's own."""
    if not url.query:
        return False
    keys = {key.lower() for key, _ in parse_qsl(url.query, keep_blank_values=True)}
    return bool(keys & _SEARCH_KEYS) or bool(_SEARCH_PATH.search(url.path.lower()))


def is_in(url: Url, seen: str) -> bool:
    """Whether the address, with or without its query, stands in ``searchable`` text."""
    whole = searchable(url.whole)
    return whole in seen or (bool(url.query) and searchable(url.host + url.path) in seen)


def is_derived(url: Url, seen: str) -> bool:
    """Whether the text holds what the address could be made of: its path as a relative link, or
    the words or the id in its last part."""
    path = searchable(url.path)
    if len(path) >= _SHORTEST_PART and path in seen:
        return True
    last = path.rpartition("/")[2]
    values = [value.lower() for _, value in parse_qsl(url.query)]
    for part in (last.partition(".")[0], *values):
        if len(part) >= _SHORTEST_PART and part in seen:
            return True
        words = [word for word in re.split(r"[\W_]+", part) if len(word) > 2]
        if words and all(word in seen for word in words):
            return True
    return False
