"""Mechanical Turk, as far as its documentation describes it to an ExternalQuestion's server.

- docs.aws.amazon.com/AWSMechTurk/latest/AWSMechanicalTurkRequester/
  mturk-hits-defining-questions-html-rendered.html:
  the task's page stands in a frame; ``hitId``, ``assignmentId``, ``turkSubmitTo`` and ``workerId`` are
  added to its address; who only looks has the assignment ``ASSIGNMENT_ID_NOT_AVAILABLE``.
- docs.aws.amazon.com/AWSMechTurk/latest/AWSMturkAPI/ApiReference_ExternalQuestionArticle.html and
  …/mturk-hits-defining-questions-html-define.html: the end is a form sent to
  ``<turkSubmitTo>/mturk/externalSubmit`` with ``assignmentId`` and at least one more field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlencode

MARKET = "https://www.mturk.com"
SANDBOX = "https://workersandbox.mturk.com"
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass
class Hit:
    """One task as one worker has it open."""

    worker: str = "AZ3456EXAMPLE"
    assignment: str = "123RVWYBAZW00EXAMPLE456RVWYBAZW00EXAMPLE"
    hit: str = "123RVWYBAZW00EXAMPLE"
    submit_to: str = SANDBOX

    def address(self, external_url: str, **others: str) -> str:
        """The frame's address; ``others`` replace or (when empty) take parameters away."""
        query = {
            "hitId": self.hit,
            "assignmentId": self.assignment,
            "turkSubmitTo": self.submit_to,
            "workerId": self.worker,
            **others,
        }
        return f"{external_url}?{urlencode({name: value for name, value in query.items() if value})}"

    def preview(self, external_url: str) -> str:
        """As somebody sees the task who has not taken it: no worker, no assignment."""
        return self.address(external_url, assignmentId=PREVIEW, workerId="")


def submission_of(page: str) -> tuple[str, dict[str, str]]:
    """Where the page's form to Mechanical Turk goes, and what it sends."""
    form = re.search(r'<form method="post" action="(https://[^"]+)">(.*?)</form>', page, re.DOTALL)
    assert form, "the page has no form that leaves it"
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form[2])
    return form[1], {name: unescape(value) for name, value in fields}
