"""Attacks on a judge: what words in a case can make it score higher, with bounds and without."""
