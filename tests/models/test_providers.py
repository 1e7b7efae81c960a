from __future__ import annotations

import sys
from pathlib import Path

import pytest

from adjudge.models import ModelSpec, ModelSpecError, connect, parse_model


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("openai:gpt-x", ModelSpec("openai", "gpt-x")),
        ("anthropic:claude-x", ModelSpec("anthropic", "claude-x")),
        ("openai-compatible:llama3:8b", ModelSpec("openai-compatible", "llama3:8b")),
        ("openai-compatible:org/model", ModelSpec("openai-compatible", "org/model")),
        ("llamacpp:models/a.gguf", ModelSpec("llamacpp", "models/a.gguf")),
    ],
)
def test_a_model_as_the_user_names_it(text: str, spec: ModelSpec) -> None:
    assert parse_model(text) == spec
    assert str(spec) == text


@pytest.mark.parametrize("text", ["gpt-x", "openai:", "openai: ", "", "vertex:gemini", ":x"])
def test_an_unknown_model_names_the_providers(text: str) -> None:
    with pytest.raises(ModelSpecError) as problem:
        parse_model(text)
    for provider in ("openai", "anthropic", "openai-compatible", "llamacpp"):
        assert provider in str(problem.value)


@pytest.mark.parametrize(
    ("model", "variable"), [("openai:x", "OPENAI_API_KEY"), ("anthropic:x", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_names_the_variable(model: str, variable: str) -> None:
    for environ in ({}, {variable: "  "}):
        with pytest.raises(ModelSpecError, match=variable):
            connect(model, environ=environ)
    assert connect(model, environ={variable: "k"}).name == model


def test_a_key_that_is_no_key_is_not_shown() -> None:
    with pytest.raises(ModelSpecError, match="OPENAI_API_KEY") as problem:
        connect("openai:x", environ={"OPENAI_API_KEY": "sec\nret"})
    assert "sec" not in str(problem.value).replace("OPENAI", "")


def test_a_compatible_endpoint_needs_a_url_and_no_key() -> None:
    with pytest.raises(ModelSpecError, match="--base-url http"):
        connect("openai-compatible:x", environ={})
    client = connect("openai-compatible:x", base_url="http://localhost:1/v1", environ={})
    assert client.name == "openai-compatible:x"


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "http://", "/v1"])
def test_a_url_that_is_none(url: str) -> None:
    with pytest.raises(ModelSpecError, match="base URL"):
        connect("openai-compatible:x", base_url=url, environ={})


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs the extra 'local'")
    with pytest.raises(ModelSpecError, match=r"no file .*nowhere\.gguf"):
        connect(f"llamacpp:{tmp_path / 'nowhere.gguf'}")


def test_a_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelSpecError, match=r"pip install 'adjudge\[local\]'"):
        connect("llamacpp:a.gguf")
