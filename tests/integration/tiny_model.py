"""A tiny random language model and its tokenizer, made here: nothing is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def tokenizer() -> Any:
    """A tokenizer of single bytes, with a chat template."""
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    words = {text: index for index, text in enumerate(["<pad>", "<eos>", *alphabet])}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=words, merges=[]))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="<eos>"
    )
    fast.chat_template = (
        "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
        "{% if add_generation_prompt %}assistant: {% endif %}"
    )
    return fast


def saved_model(folder: Path, words: Any) -> str:
    """Where a Llama of two layers with random weights lies, with its tokenizer."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        pad_token_id=words.pad_token_id,
        eos_token_id=words.eos_token_id,
        bos_token_id=words.eos_token_id,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return str(folder)
