"""The judges there are, by name or by where they are."""

from adjudge.judges.loading import UnknownJudge, judge_names, load_judge

__all__ = ["UnknownJudge", "judge_names", "load_judge"]
