"""Adjudge judges what agents did; what can be proved bounds what a model says."""
