"""The rubric in the prompts: every rule, threshold, example and field, in words of our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.facts import RobotFacts, StepError, TraceFacts
from adjudge.judges.robot.form import RobotAnswer
from adjudge.judges.robot.render import render_messages

SOURCES = Path(__file__).parents[4] / "shared" / "seeds"


PLAN = ("navigate(bedroom, desk)", "pick(mug)", "navigate(desk, sink)", "place_in(mug, sink)")
FAILED = StepError("not_reachable", "missing_step", 3, "the sink is not near")
WASH = {
    "instruction": "Wash the coffee mug in the bathroom sink.",
    "scene": {
        "rooms": ["bedroom", "bathroom"],
        "objects": [
            {"id": "desk", "room": "bedroom"},
            {"id": "mug", "category": "mug", "on": "desk", "states": ["dirty"]},
            {"id": "sink", "room": "bathroom"},
        ],
    },
    "plan": list(PLAN),
}


def _messages(**changes: object) -> tuple[str, str]:
    case = RobotCase.model_validate({**WASH, **changes})
    trace = TraceFacts(PLAN[:3], (0, 1, 2), True, FAILED, PLAN[3:])
    system, user = render_messages(case, RobotFacts(trace, None, None, None, ()), ())
    assert (system.role, user.role) == ("system", "user")
    return system.content, user.content


SYSTEM, USER = _messages()

# One row a rule: which message, what it is, what must be read there: "." within a line, "~" across.
RULES: list[tuple[str, str, str]] = [
    ("system", "the role", r"strictly logical.*robots"),
    ("system", "only PART 1 counts", r"Effective Trace~Grade PART 1, and PART 1 alone"),
    ("system", "PART 2 and PART 3", r"PART 2~✅ SUCCESS or ❌ FAILED~PART 3~intended~never"),
    ("system", "the gatekeeper", r"GATEKEEPER~irrelevant, random or hallucinated~score 0~done"),
    ("system", "relevance is to the instruction", r"attempt at this very instruction"),
    ("system", "the branching point", r"BRANCHING POINT~everything the instruction wants"),
    (
        "system",
        "Branch A",
        r"BRANCH A: task incomplete~failed or came to its end short of the goal",
    ),
    (
        "system",
        "navigation only is 0",
        r"navigation-only.*`navigate`.*no pick, place, open, close, fill, pour.*0.*no actual work",
    ),
    (
        "system",
        "its example",
        r'"Water the plants".*navigate\(agent, room1, room2\).*FAILED.*score 0',
    ),
    (
        "system",
        "progress is estimated given interaction",
        r"some object was handled.*semantic progress",
    ),
    ("system", "under half is 1", r"< 50%.*score 1.*Early Failure / Poor Execution"),
    ("system", "example of 1", r"score 1.*picked up and could not be placed"),
    ("system", "half or more is 2", r"≥ 50%.*score 2.*Partial Completion / Late Failure"),
    ("system", "example of 2", r"score 2.*bread was sliced.*placing failed"),
    (
        "system",
        "slice bread",
        r'"Slice bread and place on plate".*Knife and bread were picked up.*slicing failed'
        r".*more than 50%.*score 2",
    ),
    ("system", "Branch B", r"BRANCH B: task complete~goal was reached"),
    (
        "system",
        "the logic audit",
        r"Logic Audit~\"Wash\"~toggle_on\(faucet\)~\"Heat\"~toggle_on\(microwave\)~\"Cook\""
        r"~stove turned on",
    ),
    (
        "system",
        "a missing step is 3",
        r"implied step is missing.*score 3.*Logic Gap / Flawed Success",
    ),
    ("system", "efficiency comes after it", r"only once the Logic Audit has passed"),
    ("system", "efficient is 4", r"optimal path.*redundant steps.*score 4.*Perfect Execution"),
    (
        "system",
        "inefficient is 3",
        r"redundant steps, backtracking or needless actions.*score 3.*Suboptimal Success",
    ),
    (
        "system",
        "apple, efficient",
        r"open_fridge -> pick_apple -> close_fridge -> navigate -> place_on_table.*score 4",
    ),
    (
        "system",
        "apple, redundant",
        r"open_fridge -> close_fridge -> open_fridge -> pick_apple -> navigate -> place_on_table"
        r".*score 3",
    ),
    (
        "system",
        "wash mug",
        r'"Wash mug": place_in\(mug, sink\) -> open\(soap\).*toggle_on\(faucet\).*Logic Gap'
        r".*score 3",
    ),
    ("system", "rubric 0: empty or irrelevant", r"\*\*0, Complete Failure.*empty.*instruction"),
    (
        "system",
        "rubric 0: navigation only",
        r"0, Complete Failure.*navigation only.*no interaction",
    ),
    ("system", "rubric 0: unrelated work", r"Nothing meaningful.*unrelated work"),
    (
        "system",
        "rubric 0: its example",
        r"Water the plants.*balcony.*watering can.*plants: score 0",
    ),
    ("system", "rubric 1", r"\*\*1, Early Failure / Poor Execution.*handle objects.*< 50%"),
    ("system", "rubric 1: understood, failed early", r"understood.*failed early"),
    ("system", "rubric 1: not for navigation", r"With navigation only the score is 0 instead"),
    ("system", "rubric 2", r"\*\*2, Partial Completion / Late Failure.*>= 50%.*unfinished"),
    ("system", "rubric 2: failed late", r"shows understanding; the failure came late"),
    (
        "system",
        "rubric 3: inefficient",
        r"\*\*3, Suboptimal Success / Flawed Success.*backtracking",
    ),
    (
        "system",
        "rubric 3: logic",
        r"\*\*3, .*logically incomplete.*implicit step.*water or a device",
    ),
    ("system", "rubric 3: crash", r'simulation crash once the goal.*"Crash Landing"'),
    (
        "system",
        "rubric 4: completeness",
        r"\*\*4, Perfect Execution~Completeness: every requirement",
    ),
    ("system", "rubric 4: correctness", r"Correctness: the order of actions.*preconditions"),
    ("system", "rubric 4: efficiency", r"Efficiency: an optimal path, no redundant step"),
    ("system", "rubric 4: audit", r'Logic Audit: passed.*water.*"wash".*device.*"heat"'),
    (
        "system",
        "example 1",
        r"Example 1: Missing Logic~coffee mug~navigate\(kitchen, desk\)\s+2\. pick\(mug\)\s+"
        r"3\. navigate\(desk, sink\)\s+4\. place_in\(mug, sink\)\s+5\. open\(soap\)~✅ SUCCESS"
        r"~Relevance~Goal check~Logic Audit~toggle_on\(faucet\)~Verdict~Scoring~Score 3"
        r'~"score": 3,\s+"success_boolean": true',
    ),
    (
        "system",
        "example 2",
        r"Example 2: Implicit Device~Heat the apple slice in the microwave~pick\(apple_slice\)"
        r"\s+2\. navigate\(microwave\)\s+3\. open\(microwave\)\s+4\. place_in\(apple_slice,"
        r" microwave\)\s+5\. close\(microwave\)~toggle_on\(microwave\)~closed door~Score 3"
        r'~"score": 3,\s+"success_boolean": true',
    ),
    (
        "system",
        "example 3",
        r"Example 3: Perfect Execution~Throw away the apple~navigate\(table\)\s+2\. pick\(apple\)"
        r"\s+3\. navigate\(trash_can\)\s+4\. place_in\(apple, trash_can\)~neither water nor power"
        r'~Efficiency~Score 4~"score": 4,\s+"success_boolean": true',
    ),
    (
        "system",
        "example 4",
        r"Example 4: Simulation Crash after Success~Put the book on the bed~pick\(book\)\s+"
        r"2\. navigate\(bed\)\s+3\. place_on\(book, bed\)\s+4\. navigate\(door\) --> ❌ FAILED here"
        r'~step 3 succeeded~rules out a 4~after~"Merciful 3" Rule~Score 3~"score": 3,'
        r'\s+"success_boolean": true',
    ),
    ("system", "ignore PART 3", r"Ignore PART 3\.\*\*.*no credit"),
    (
        "system",
        "physical failure cap",
        r'Physical Failure Cap.*BRANCH A.*"Merciful 3" Rule.*Example 4',
    ),
    ("system", "progress is semantic", r"Progress is semantic.*instead of counting.*1 out of 5"),
    (
        "system",
        "the audit is required",
        r'Logic Audit is required.*"Wash", "heat", "cook", "turn on".*resource flows.*3, not 4',
    ),
    ("system", "follow the examples", r"Follow the examples"),
    ("system", "strict 4", r"between 3 and 4, give 3"),
    ("system", "the score's range", r"`score`: an integer from 0 to 4"),
    ("system", "success from 3", r"`success_boolean`: true if score >= 3, else false"),
    ("system", "the summary is of PART 1", r"`summary`: .*PART 1"),
    ("system", "the analysis is of PART 1", r"`execution_analysis`: .*PART 1.*succeeded or failed"),
    (
        "system",
        "the reasoning names the branch",
        r"`evaluate`: .*decision tree.*which branch, and why",
    ),
    ("user", "the instruction", r"Instruction:\*\* \"Wash the coffee mug in the bathroom sink\.\""),
    ("user", "spatial relationships", r"Spatial relationships:~the mug is on the desk"),
    ("user", "the scene graph", r'Scene graph:~"rooms": \["bedroom", "bathroom"\]~"id": "mug"'),
    ("user", "the reality check", r"Reality check"),
    (
        "user",
        "PART 1",
        r"PART 1: ~Effective Trace~1\. navigate\(bedroom, desk\)\s+2\. pick\(mug\)",
    ),
    ("user", "PART 2", r"PART 2: simulation status\*\*\s+❌ FAILED"),
    ("user", "the error", r"step 4: \"the sink is not near\""),
    ("user", "progress in steps", r"3/4 steps \(75\.0%\)"),
    ("user", "PART 3", r"PART 3: ~not executed~do not count~4\. place_in\(mug, sink\)"),
    (
        "user",
        "PART 1 only",
        r"Grade by \*\*PART 1 only\*\*.*PART 3.*does not exist in the physical",
    ),
    (
        "user",
        "navigation only",
        r"Navigation-only rule.*no pick, no place, open, close.*MUST be \*\*0\*\*.*Walking",
    ),
    (
        "user",
        "caps after a failure",
        r"\*\*3\*\* with an interaction and progress >= 50%, \*\*1\*\* with an interaction and"
        r" progress < 50%, and \*\*0\*\* with no interaction",
    ),
    ("user", "gatekeeper again", r"GATEKEEPER.*irrelevant or random: score 0, stop"),
    (
        "user",
        "Branch A again",
        r"BRANCH A.*navigation alone: score 0.*< 50% is score 1.*≥ 50% is score 2",
    ),
    (
        "user",
        "Branch B again",
        r"BRANCH B.*Logic Audit comes FIRST.*score 3 \(Logic Gap / Flawed Success; Examples 1 and 2"
        r"\).*score 4 \(Perfect; Example 3\).*score 3 \(Suboptimal\)",
    ),
    ("user", "PART 3 again", r"PART 3 is to be ignored"),
    ("user", "crash landing again", r"❌\) can still get score 3.*BEFORE the crash.*Example 4"),
    ("user", "semantic progress again", r"Progress is semantic.*no mere count of steps"),
    ("user", "strict 4 again", r'"Strict 4" Rule: in doubt between 3 and 4 the answer is 3'),
    (
        "user",
        "the audit again",
        r'mandatory.*"Wash".*water flow.*"heat".*device on.*"cook".*stove on.*score 3',
    ),
    ("user", "examples again", r"Reason as the four examples do"),
    (
        "user",
        "spatial: inside the room",
        r"furniture or an object within the target room is CORRECT",
    ),
    ("user", "spatial: directly", r"directly to an object is valid where.*right place"),
    ("user", "the last word", r"decision tree strictly.*only PART 1 exists; PART 3 is ignored\.$"),
]


@pytest.mark.parametrize(("message", "rule", "pattern"), RULES, ids=[row[1] for row in RULES])
def test_the_prompt_holds_the_rule(message: str, rule: str, pattern: str) -> None:
    text = SYSTEM if message == "system" else USER
    assert re.search(pattern.replace("~", r"[\s\S]*?"), text), f"{rule}: {pattern}"


def test_the_output_has_the_fields_of_the_form_in_order() -> None:
    fields = list(RobotAnswer.model_fields)
    assert fields == ["summary", "execution_analysis", "evaluate", "score", "success_boolean"]
    said = SYSTEM[SYSTEM.index("# Output") :]
    at = [said.index(f"`{name}`") for name in fields]
    assert at == sorted(at)
    for output in re.findall(r"```json\n(.*?)\n```", SYSTEM, re.DOTALL):
        answer = RobotAnswer.model_validate_json(output)
        assert answer.success_boolean is (answer.score >= 3)
    assert SYSTEM.count("```json") == 4


def test_the_system_message_is_the_same_for_every_case() -> None:
    system, user = _messages(instruction="Open the window.", scene=None)
    assert system == SYSTEM
    assert user != USER


def test_no_eight_words_in_a_row_are_carried_over() -> None:
    sources = sorted(SOURCES.glob("000*.txt"))
    if not sources:
        pytest.skip("needs the shared source documents")
    taken = _runs(sources[0].read_text(encoding="utf-8"))
    assert len(taken) > 1000
    for text in _messages(instruction="Some task."):
        assert sorted(_runs(text) & taken) == []


def _runs(text: str, length: int = 8) -> set[tuple[str, ...]]:
    """Every run of that many words of prose: no actions, keys, placeholders or list numbers."""
    text = re.sub(r"\w+\([^)]*\)|\w+(?: -> \w+)+|\{+\w[\w.:%]*\}+", " \n@ ", text)
    text = re.sub(r'"(?:summary|execution_analysis|evaluate|score|success_boolean)":', " @ ", text)
    text = re.sub(r"(?m)^\s*\d+\.", " ", text)
    words = re.findall(r"[@a-z0-9_%']+", text.lower())
    runs = (tuple(words[i : i + length]) for i in range(len(words) - length + 1))
    return {run for run in runs if "@" not in run}
