"""Requests that the schema allows, and ones that it forbids, over real rows: no error of the server, and
every answer is one that the schema has, in its headers and its body.

The API is called in process through WSGI, with a researcher's token. The requests are drawn from a fixed
seed, so that a run is as good as the one before; each is rolled back, so that the next one meets the same
rows.
"""

import random
from collections import Counter

import hypothesis
import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from apps.accounts.models import Scope
from apps.people.services import api_token_create

# What is refused is refused before the database is asked: one each is enough the second time.
ON_SQLITE = {GenerationMode.POSITIVE: 8, GenerationMode.NEGATIVE: 4}
ON_POSTGRESQL = {GenerationMode.POSITIVE: 3, GenerationMode.NEGATIVE: 1}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# The rows that a name in a body, a query or an address means.
MEANT = {
    "annotator": "annotators", "blank": "blanks", "blank_set": "blank-sets", "campaign": "campaigns",
    "corpus": "corpora", "dataset": "datasets", "item": "items", "judgement": "judgements",
    "model": "models", "pair": "pairs", "panel": "panels", "question": "test-questions", "run": "runs",
    "sample": "parse-samples", "sentence": "sentences", "gold_rule": "gold-rules",
    "webhook": "webhooks", "training_set": "training-sets", "release": "releases", "other": "datasets",
    "norm": "norms",
}  # fmt: skip


@pytest.fixture
def headers(ada, study):
    _token, secret = api_token_create(user=ada, name="script", scopes=Scope.values)
    return {"Authorization": f"Bearer {secret}"}


@pytest.fixture
def one_connection():
    """The server's end of a request closes connections; here it would be the test's own."""
    ends = (request_started, request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    yield
    for signal in ends:
        signal.connect(close_old_connections)


@pytest.fixture
def schema(headers, one_connection):
    from config.wsgi import application

    return schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application, headers=headers)


@pytest.fixture
def rows(study, fill):
    return fill(study)


def made_real(case, rows, study, chance):
    """Most of the numbers that a case has drawn become those of rows that are there."""
    room = case.operation.path.split("/")[3]

    def pick(name, value):
        if chance.random() < 0.2:
            return value
        if name == "study":
            return study.slug
        return rows[MEANT[name]].pk if name in MEANT and MEANT[name] in rows else value

    parameters = case.path_parameters or {}
    if "id" in parameters and room in rows and chance.random() < 0.85:
        parameters["id"] = rows[room].pk
    if "slug" in parameters and chance.random() < 0.85:
        parameters["slug"] = study.slug
    for part in (case.query, case.body):
        if isinstance(part, dict):
            part.update({name: pick(name, value) for name, value in part.items()})


def examined(operation, mode, rows, study, headers, statuses):
    chance = random.Random(operation.label)

    @hypothesis.settings(
        max_examples=(ON_POSTGRESQL if connection.vendor == "postgresql" else ON_SQLITE)[mode],
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def examine(case):
        if mode is GenerationMode.POSITIVE:
            made_real(case, rows, study, chance)
        with transaction.atomic():
            response = case.call(headers=headers)
            transaction.set_rollback(True)
        statuses[response.status_code] += 1
        # What was changed meanwhile is refused before its body is read.
        wrong_body = mode_of(case, ParameterLocation.BODY) is GenerationMode.NEGATIVE
        is_read = wrong_body and response.status_code != 412
        case.validate_response(response, checks=[*CHECKS, negative_data_rejection] if is_read else CHECKS)

    examine()


def mode_of(case, location):
    component = case.meta.components.get(location)
    return component.mode if component else None


def can_be(operation, mode):
    """Whether there is anything to forbid."""
    if mode is GenerationMode.POSITIVE:
        return True
    return bool(list(operation.iter_parameters()) or operation.body)


@pytest.mark.both
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_answer_is_one_that_the_schema_has(mode, schema, rows, study, headers):
    statuses, failures, operations = Counter(), [], 0
    for result in schema.get_all_operations():
        operation = result.ok()
        if not can_be(operation, mode):
            continue
        operations += 1
        try:
            examined(operation, mode, rows, study, headers, statuses)
        except (Exception, FailureGroup) as error:
            failures.append(f"{operation.label}: {error}")
    assert failures == [], "\n\n".join(failures)
    assert operations > 50
    wanted = {200, 404, 422} if mode is GenerationMode.POSITIVE else {400, 422}
    assert wanted <= set(statuses), statuses
