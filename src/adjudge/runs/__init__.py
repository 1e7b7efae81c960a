"""Many cases through one judge: the runner, the store, identity and resume."""
