"""The judges: one folder each, and what they share."""
