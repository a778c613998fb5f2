"""Every address that writes: whose token it takes, and that it changes nothing for anybody else's.

The addresses and what they are sent come out of the schema, with its own examples over real rows.
"""

import json

import pytest
from drf_spectacular.generators import SchemaGenerator

from apps.accounts.models import Scope
from apps.studies.models import AuditEvent
from tests.api.test_schemathesis import MEANT

# What whoever may create studies may do outside of any study.
ANYBODYS = {("post", "/api/v1/studies/")}


def writes():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            if method != "get" and (method, path) not in ANYBODYS:
                content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
                bodies = [example["value"] for example in content.get("examples", {}).values()] or [{}]
                yield method, path, operation["x-scope"], bodies[0]


def over(rows, study, path, body):
    """The example with the numbers of rows that are there."""
    room = path.split("/")[3]
    number = rows[room].pk if room in rows else 1
    real = {name: rows[MEANT[name]].pk for name in body if MEANT.get(name) in rows}
    if "study" in body:
        real["study"] = study.slug
    return path.replace("{id}", str(number)).replace("{slug}", study.slug), {**body, **real}


def send_all(client, rows, study):
    answers = {}
    for method, path, scope, body in writes():
        address, real = over(rows, study, path, body)
        answer = getattr(client, method)(address, json.dumps(real), content_type="application/json")
        answers[f"{method} {path}"] = (scope, answer)
    assert len(answers) > 50
    return answers


@pytest.mark.parametrize("who", ["olaf", "ben"])
def test_nobody_writes_in_a_study_that_they_do_not_research_in(who, study, fill, token_client, request):
    """CASES 40: a foreign number is a 404 in the address, and like an unknown one in the body."""
    user = request.getfixturevalue(who)
    rows = fill(study)
    events = AuditEvent.objects.filter(study=study).count()
    answers = send_all(token_client(user), rows, study)
    wrong = {name: a.status_code for name, (_s, a) in answers.items() if a.status_code not in (404, 422)}
    assert wrong == {}
    assert {a.status_code for name, (_s, a) in answers.items() if "{" in name} == {404}
    assert AuditEvent.objects.filter(study=study).count() == events


def test_a_token_that_reads_writes_nothing(study, ada, fill, token_client):
    rows = fill(study)
    events = AuditEvent.objects.filter(study=study).count()
    answers = send_all(token_client(ada, Scope.READ), rows, study)
    # Looking at what would be made is reading.
    others = {name: a for name, (scope, a) in answers.items() if scope != Scope.READ}
    assert {name: a.status_code for name, a in others.items() if a.status_code != 403} == {}
    assert {a.json()["type"] for a in others.values()} == {"/api/v1/docs/#problem-scope"}
    assert all(f"“{answers[name][0]}”" in a.json()["detail"] for name, a in others.items())
    assert AuditEvent.objects.filter(study=study).count() == events


@pytest.mark.parametrize("name", ["members", "invitations"])
def test_who_people_are_is_read_with_the_scope_people(name, study, ada, fill, token_client):
    fill(study)
    assert token_client(ada, Scope.WRITE, Scope.RELEASE).get(f"/api/v1/{name}/").status_code == 403
    assert token_client(ada, Scope.PEOPLE).get(f"/api/v1/{name}/").status_code == 200


def test_what_is_for_admins_is_refused_to_researchers(study, rosa, fill, token_client):
    rows = fill(study)
    client = token_client(rosa)

    def refused(method, address, body=None):
        answer = getattr(client, method)(address, json.dumps(body or {}), content_type="application/json")
        return answer.status_code == 403 and answer.json()["type"].endswith("#problem-forbidden")

    person = f"/api/v1/annotators/{rows['annotators'].pk}"
    assert refused("patch", f"/api/v1/studies/{study.slug}/", {"name": "Mine"})
    assert refused("post", "/api/v1/invitations/", {"study": study.slug, "role": "admin"})
    assert refused("delete", f"/api/v1/invitations/{rows['invitations'].pk}/")
    assert refused("delete", f"/api/v1/members/{rows['members'].pk}/")
    assert refused("post", f"{person}/block/", {"past": "keep"})
    assert refused("post", f"{person}/unblock/")


@pytest.mark.both
def test_every_write_of_the_studys_own_people_is_understood(study, ada, fill, token_client):
    """The schema's examples over real rows, as an admin: done, or refused for what they say, and never a
    404, a 403 or an error of the server."""
    rows = fill(study)
    answers = send_all(token_client(ada), rows, study)
    statuses = {name: a.status_code for name, (_s, a) in answers.items()}
    odd = {name: s for name, s in statuses.items() if s not in (200, 201, 202, 204, 409, 422)}
    # Rows that another write of this test took away before, or that there are none of.
    assert {name: s for name, s in odd.items() if s != 404} == {}
    done = [name for name, s in statuses.items() if s < 300]
    assert len(done) > 25
