"""The trail in the reader's words, and narrowed to what is looked for."""

import ast
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.quality.models import QualityAction
from apps.studies import audit
from apps.studies.models import AuditEvent
from apps.studies.services import participant_for
from apps.studies.trail import events_of, lines_of
from apps.studies.vocabulary import ACTIONS, firsts_of, groups

ROOT = Path(__file__).resolve().parents[2]
# Of no study, so on no trail.
OF_NO_STUDY = {"api_token", "sign_in_link", "password"}


def recorded():
    """Every action that some call of ``audit.record`` names."""
    found = set()
    for path in [*(ROOT / "apps").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("audit.record", "audit.record_each"):
                name = node.args[0]
                if isinstance(name, ast.Constant):
                    found.add(name.value)
                elif isinstance(name, ast.JoinedStr) and ast.unparse(name).startswith("f'quality."):
                    found |= {f"quality.{kind}" for kind in QualityAction.Kind.values}
                    found |= {
                        f"quality.{kind}.undone" for kind in QualityAction.Kind.values if kind != "pause"
                    }
    return {name for name in found if name.partition(".")[0] not in OF_NO_STUDY}


def test_every_action_has_its_words():
    """A new one gets a line in its room's trail_words.py."""
    assert recorded() - ACTIONS.keys() - {"password_link.mailed", "password_link.used"} == set()


def test_every_action_can_be_narrowed_to():
    first = {word for group in groups() for word in firsts_of(group.key)}
    assert {action.partition(".")[0] for action in ACTIONS} == first


@pytest.fixture
def page(study, ada, client_of):
    def get(query="", **headers):
        address = reverse("studies:trail", args=[study.slug])
        return client_of(ada).get(f"{address}{query}", headers=headers).content.decode()

    return get


@pytest.fixture
def events(study, ada, rosa, ben):
    """One of each kind that the tests look for."""
    person = participant_for(study, ben)
    AuditEvent.objects.all().delete()
    audit.record("campaign.state", study=study, actor=rosa, state="open")
    audit.record("judgement.submitted", study=study, participant=person)
    audit.record("membership.removed", study=study, actor=ada, role="annotator")
    audit.record("corpus_draft.created", study=study, actor=ada, bytes=12)
    return person


def actions(found):
    return [event.action for event in found]


def test_it_is_in_the_readers_words(page, events):
    text = page()
    assert "campaign opened, paused or closed" in text and 'role: <bdi translate="no">annotator</bdi>' in text
    assert ">campaign.state<" not in text and 'title="campaign.state"' in text


def test_a_thing_is_called_by_its_name(study, ada):
    from apps.datasets.services import dataset_create

    made = dataset_create(study=study, actor=ada, name="Farm pairs")
    line = lines_of(list(events_of(study)[:1]))[0]
    assert (line.thing, line.name, made.name) == ("dataset", "Farm pairs", "Farm pairs")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"what": "quiet"}, ["corpus_draft.created", "membership.removed", "campaign.state"]),
        ({"what": "answers"}, ["judgement.submitted"]),
        ({"what": "corpora"}, ["corpus_draft.created"]),
        ({"what": "people"}, ["membership.removed"]),
        ({"who": "rosa"}, ["campaign.state"]),
        ({"who": "ada@example.org"}, ["corpus_draft.created", "membership.removed"]),
        ({"who": "ada", "what": "people"}, ["membership.removed"]),
        ({"who": "nobody"}, []),
    ],
)
def test_it_is_narrowed(wanted, found, study, events):
    assert actions(events_of(study, **wanted)) == found


def test_it_is_narrowed_to_a_pseudonym_and_to_days(study, events):
    assert actions(events_of(study, who=events.pseudonym.upper())) == ["judgement.submitted"]
    today = timezone.now().date()
    assert len(events_of(study, since=today, until=today)) == 4
    assert not events_of(study, since=today + timedelta(days=1))
    assert not events_of(study, until=today - timedelta(days=1))


def test_the_page_keeps_what_was_chosen_and_says_when_there_is_nothing(page, events):
    text = page("?what=answers&who=&since=&until=")
    assert '<option value="answers" selected>' in text and "campaign opened" not in text
    assert "Nothing of this kind was written." in page("?who=nobody")
    assert "Enter a valid date" in page("?since=yesterday") and "campaign opened" in page("?since=yesterday")


def test_the_api_narrows_it_too(study, ada, events, client_of):
    client = client_of(ada)
    answer = client.get(f"/api/v1/events/?annotator={events.pseudonym}").json()
    assert [event["action"] for event in answer["results"]] == ["judgement.submitted"]
    assert client.get("/api/v1/events/?since=2999-01-01T00:00:00Z").json()["results"] == []


def test_a_moment_with_any_offset_is_a_filter_of_the_api(study, ada, client_of):
    for since in ("0935-04-30T12:01:38-21:22", "0001-01-01T00:00:00+23:59"):
        answer = client_of(ada).get("/api/v1/events/", {"since": since})
        assert answer.status_code == 200, answer.content
