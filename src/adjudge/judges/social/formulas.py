"""From judged values to rewards: pure functions, one a formula.

``score`` (G) is the agent's episode score on the dimension judged, on that dimension's own range.
Lists are by utterance, in the order of the dialogue. ``None`` means not judged or not known: it
comes out as ``None``, and nothing becomes 0 for it. Sources name functions of Sotopia-RL
(github.com/sotopia-lab/sotopia-rl, ``prompter/``), whose numbers these equal on complete answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

Values = Sequence[float | None]
Rewards = list[float | None]

_NEXT_TO_NOTHING = 1e-4


def scaled(importances: Values, top: int, score: float | None) -> Rewards:
    """a/D·G: each importance as a share of the scale's top (D = 3 or 10).

    Source: ``direct_attribution_function.calc_reward``. There -1 stood for a redundant utterance
    (and for a missing key) and gave the reward -1; here what is not judged is ``None``. With a
    negative G the most important utterance gets the lowest reward, be it the best one: see
    ``directed``.

    >>> scaled([3, 1, None], 3, 9.0)
    [9.0, 3.0, None]
    """
    return [None if a is None or score is None else a / top * score for a in importances]


def normalized(importances: Values, score: float | None) -> Rewards:
    """a/Σa·G: the episode's score shared out by importance; 0 for all where Σa is 0.

    Source: ``direct_attribution_normalized_function.calc_reward`` (once ``direct_average``) and
    ``utterance_quality_attribution_normalized_function``, which divides by zero where Σa is 0.

    >>> normalized([3, 1, 0], 8.0)
    [6.0, 2.0, 0.0]
    """
    total = sum(a for a in importances if a is not None)
    if total == 0:
        return [None if a is None or score is None else 0.0 for a in importances]
    return [None if a is None or score is None else a / total * score for a in importances]


def key_only(keys: Sequence[bool | None], score: float | None) -> Rewards:
    """1·G for the key utterance, 0 for the others.

    Source: ``key_utterance_function.calc_reward``.

    >>> key_only([False, True], 8.0)
    [0.0, 8.0]
    """
    return [None if k is None or score is None else (1 if k else 0) * score for k in keys]


def quality(importances: Values, top: int = 3) -> Rewards:
    """a/D·10, whatever the episode's score.

    Source: ``utterance_quality_attribution_function.calc_attributed_reward``.

    >>> quality([3, 0])
    [10.0, 0.0]
    """
    return [None if a is None else a / top * 10 for a in importances]


def progress(levels: Values, score: float | None) -> Rewards:
    """(s_k - s_before)/10·G: what each utterance added to the goal (s from 0 to 10, at first 0).

    Source: ``goal_progress_attribution_function``. A level that is not judged is ``None``; the
    next one is then measured from the last level that was.

    >>> progress([2, None, 7], 10.0)
    [2.0, None, 5.0]
    """
    rewards: Rewards = []
    before = 0.0
    for level in levels:
        if level is None or score is None:
            rewards.append(None)
            continue
        rewards.append((level - before) / 10 * score)
        before = level
    return rewards


def discounted(count: int, score: float | None, gamma: float = 0.9) -> Rewards:
    """γ^(n-1-k)·G: the last utterance gets the whole score, each earlier one γ times the next.

    Source: ``discounting_attribution_function`` (γ = 0.9), which takes half the turn's index for k:
    the same where the speakers alternate.

    >>> discounted(3, 10.0, gamma=0.5)
    [2.5, 5.0, 10.0]
    """
    if score is None:
        return [None] * count
    return [gamma ** (count - 1 - k) * score for k in range(count)]


def uniform(count: int, score: float | None) -> Rewards:
    """G for every utterance.

    Source: ``all_the_same_attribution_function``.

    >>> uniform(2, 7.0)
    [7.0, 7.0]
    """
    return [score] * count


def key_discounted(keys: Sequence[bool | None], score: float | None, gamma: float = 0.9) -> Rewards:
    """Σ over key utterances t ≥ k of γ^(t-k), over the largest such sum, times G.

    Source: ``process_annotation_key_uttrs`` (γ = 0.9). Without any key utterance that leaves the
    agent out; here every reward is 0.

    >>> key_discounted([False, True, False], 10.0)
    [9.0, 10.0, 0.0]
    """
    if score is None or any(key is None for key in keys):
        return [None] * len(keys)
    sums: list[float] = [0.0] * len(keys)
    for turn in (t for t, key in enumerate(keys) if key):
        share = 1.0
        for k in range(turn, -1, -1):
            sums[k] += share
            share *= gamma
    largest = max(sums, default=0.0)
    if largest == 0:
        return [0.0] * len(keys)
    return [s / largest * score for s in sums]


def directed(importances: Values, directions: Sequence[int | None], top: int) -> Rewards:
    """d·a/D, from -1 to 1: importance with its sign, whatever the episode's score.

    ``directions`` are 1 (helped) and -1 (hurt). Ours: attribution is unsigned, and a sign taken
    from the score is wrong for what worked against it.

    >>> directed([3, 1], [-1, 1], 2)
    [-1.5, 0.5]
    """
    pairs = zip(importances, directions, strict=True)
    return [None if a is None or d is None else d * a / top for a, d in pairs]


def conserved(rewards: Values, score: float | None) -> Rewards:
    """r/Σr·G: the same rewards, rescaled so that they sum to the episode's score.

    Where Σr is nothing beside the rewards themselves there is nothing to rescale, and the score is
    spread evenly. Source: ``do_normalize`` in ``post_process_annotation_rm``, which divides by zero
    there.

    >>> conserved([2.0, 6.0, None], 4.0), conserved([0.0, 0.0], 4.0)
    ([1.0, 3.0, None], [2.0, 2.0])
    """
    judged = [r for r in rewards if r is not None]
    if score is None or not judged:
        return [None] * len(rewards)
    total = fsum(judged)
    if abs(total) <= _NEXT_TO_NOTHING * fsum(abs(r) for r in judged):
        return [None if r is None else score / len(judged) for r in rewards]
    return [None if r is None else r / total * score for r in rewards]


def combined(dimensions: Mapping[str, Values]) -> Rewards:
    """Several dimensions' rewards over a whole set as one, 0 to 10: min-max each, mean, times 10.

    An utterance that any dimension lacks is ``None``. A dimension with one value throughout counts
    as 0. ``ValueError`` where the lists differ in length. Source: ``merge_rewards.ipynb``
    (``goal_w_relationship_knowledge``), which divides by zero on such a dimension.

    >>> combined({"goal": [0.0, 10.0, 5.0], "relationship": [-2.0, 2.0, None]})
    [0.0, 10.0, None]
    """
    lists = [_min_max(values) for values in dimensions.values()]
    return [mean_of_shares(row) for row in zip(*lists, strict=True)]


def share_of_range(value: float | None, low: float, high: float) -> float | None:
    """Where ``value`` lies between ``low`` and ``high``, from 0 to 1; 0 where they are equal.

    >>> share_of_range(1.0, -1.0, 3.0), share_of_range(2.0, 2.0, 2.0)
    (0.5, 0.0)
    """
    if value is None:
        return None
    return (value - low) / (high - low) if high > low else 0.0


def mean_of_shares(shares: Values) -> float | None:
    """The mean of one utterance's shares by dimension, times 10; ``None`` where one is missing."""
    judged = [share for share in shares if share is not None]
    if len(judged) < len(shares):
        return None
    return sum(judged) / len(judged) * 10


def _min_max(values: Values) -> Rewards:
    judged = [v for v in values if v is not None]
    low, high = min(judged, default=0.0), max(judged, default=0.0)
    return [share_of_range(v, low, high) for v in values]
