"""Outcomes of a gate as JUnit XML, which CI systems read."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from adjudge.agreement.gate import Gate

# What XML 1.0 cannot hold in any form.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(result: Gate, *, name: str, judge: str) -> str:
    """The XML: a test a condition over the run, and where there are ``each`` conditions a test a
    case: one that has no verdict is an error, one that falls short a failure."""
    suites = ElementTree.Element("testsuites", name="adjudge")
    run = ElementTree.SubElement(suites, "testsuite", name=_text(f"adjudge {name}"))
    for outcome in result.outcomes:
        test = _test(run, f"adjudge.{judge}", str(outcome.condition))
        if not outcome.met:
            _problem(test, "failure", outcome.said, "\n".join(outcome.cases))
    _count(run)
    if result.cases:
        each = ElementTree.SubElement(suites, "testsuite", name=_text(f"adjudge {name} cases"))
        for case in result.cases:
            test = _test(each, f"adjudge.{judge}.cases", case.case)
            if case.reason is not None:
                _problem(test, "error", case.reason, "")
            elif case.failed:
                _problem(test, "failure", "; ".join(case.failed), "")
        _count(each)
    _count(suites)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _test(suite: ElementTree.Element, classname: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=_text(classname), name=_text(name))


def _problem(test: ElementTree.Element, kind: str, message: str, text: str) -> None:
    problem = ElementTree.SubElement(test, kind, message=_text(message))
    problem.text = _text(text) or None


def _count(suite: ElementTree.Element) -> None:
    for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        suite.set(attribute, str(sum(1 for _ in suite.iter(tag))))


def _text(text: str) -> str:
    """Characters that XML cannot hold as their escapes."""
    return _NO_XML.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
