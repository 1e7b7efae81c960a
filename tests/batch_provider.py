"""A provider's batch API, played: files of requests in, files of results out."""

from __future__ import annotations

import gzip
import json
import urllib.error
import urllib.request
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from adjudge.testing import MisbehavingEndpoint

Line = dict[str, Any]


def requests_in(paths: Iterable[Path]) -> list[Line]:
    """The requests in files of either provider."""
    found: list[Line] = []
    for path in paths:
        text = path.read_bytes().decode()
        if path.suffix == ".json":
            found += json.loads(text)["requests"]
        else:
            found += [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    return found


def results_of(requests: Iterable[Line], endpoint: MisbehavingEndpoint) -> list[Line]:
    """What ``endpoint`` answers to each request, as the provider would write it."""
    return [_result(request, endpoint) for request in requests]


def write_results(path: Path, lines: Sequence[Line | str]) -> Path:
    """A file of results; a string is written as it is, with no line end. ``.gz`` is packed."""
    texts = [
        one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) + "\n" for one in lines
    ]
    raw = "".join(texts).encode("utf-8", "surrogatepass")
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def expired(request: Line) -> Line:
    """What the provider writes about a request that it did not come to."""
    if "params" in request:
        return {"custom_id": request["custom_id"], "result": {"type": "expired"}}
    told = "This request could not be executed before the completion window expired."
    return {
        "id": "batch_req_1",
        "custom_id": request["custom_id"],
        "response": None,
        "error": {"code": "batch_expired", "message": told},
    }


def _result(request: Line, endpoint: MisbehavingEndpoint) -> Line:
    if "params" in request:
        status, body = _post(endpoint, "/messages", request["params"])
        result: Line = {"type": "succeeded", "message": body}
        if status != 200:
            result = {"type": "errored", "error": body}
        return {"custom_id": request["custom_id"], "result": result}
    assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
    status, body = _post(endpoint, "/chat/completions", request["body"])
    response = {"status_code": status, "request_id": "req_1", "body": body}
    return {
        "id": "batch_req_1",
        "custom_id": request["custom_id"],
        "response": response,
        "error": None,
    }


def _post(endpoint: MisbehavingEndpoint, path: str, body: Line) -> tuple[int, Any]:
    request = urllib.request.Request(
        endpoint.url + path,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
