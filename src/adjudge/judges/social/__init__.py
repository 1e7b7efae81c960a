"""The social judge: which of an agent's utterances mattered for how the dialogue ended."""
