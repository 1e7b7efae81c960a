"""The statistics: pure functions on numpy arrays."""
