"""Asking by files: requests written for a provider's batch API, results read back into the run."""
