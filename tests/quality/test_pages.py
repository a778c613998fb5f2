"""The researchers' pages of quality: what they show, what they change, who may see them."""

import csv
import io

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.datasets.models import Dataset
from apps.jobs.models import Job
from apps.quality.models import QualityAction, Reliability, Rule, TestQuestion
from apps.quality.settings import quality_of
from apps.tallies import selectors

pytestmark = pytest.mark.django_db

PAGES = ["overview", "eligibility", "checks", "tests", "tests_import", "rules", "actions", "people"]


@pytest.fixture
def at(judging):
    def address(name: str, *args: int, campaign=judging) -> str:
        return reverse(f"quality:{name}", args=[campaign.study.slug, campaign.pk, *args])

    return address


CSV = """premise,hypothesis,expected,explanation
No bird sings.,"No bird sings, not even ""small"" ones.",entailment,"Small birds
are birds."
Some bird sings.,Some small bird sings.,non-entailment,
"""


@pytest.mark.parametrize("task", ["judging", "creation"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_of_an_untouched_campaign_say_what_to_do(name, task, request, at, rosa, client_of):
    page = client_of(rosa).get(at(name, campaign=request.getfixturevalue(task)))
    assert page.status_code == 200 and "None" not in page.content.decode()


@pytest.mark.parametrize("name", PAGES)
def test_strangers_and_annotators_see_none_of_them(name, at, olaf, ben, client_of):
    assert client_of(olaf).get(at(name)).status_code == 404
    assert client_of(ben).get(at(name)).status_code == 403


def test_another_studys_things_are_404s(at, with_tests, annotator, olaf, ben, client_of):
    from apps.campaigns.models import Campaign
    from apps.datasets.services import dataset_create

    question = with_tests(2)[0]
    person = annotator(ben).participant
    foreign = olaf.memberships.first().study
    own = Campaign.objects.create(
        study=foreign,
        name="Own",
        task="validation",
        dataset=dataset_create(study=foreign, actor=olaf, name="Own"),
    )
    client = client_of(olaf)
    for name, pk in [("test", question.pk), ("person", person.pk)]:
        assert client.get(at(name, pk, campaign=own)).status_code == 404
    for name, pk in [("test_state", question.pk), ("act", person.pk), ("block", person.pk)]:
        assert (
            client.post(at(name, pk, campaign=own), {"state": "forgiven", "kind": "pause"}).status_code == 404
        )
    assert not QualityAction.objects.exists()


def test_who_may_work_is_set_and_shown(at, judging, rosa, client_of):
    client = client_of(rosa)
    client.post(
        at("eligibility"),
        {
            "languages": ["en"],
            "countries": ["JP", "GB"],
            "approved_tasks": "500",
            "approval_rate": "97",
            "numbers_from": "panel",
            "given_to": "list",
            "names": "a@example.org\n\nb@example.org",
        },
    )
    page = client.get(at("overview")).content.decode()
    for words in ("English", "Japan", "Britain", "500", "97 %", "merely recorded", "2 people"):
        assert words in page
    assert judging.allowed_people.count() == 2


def test_a_bad_setting_is_refused_at_its_field_and_changes_nothing(at, judging, rosa, client_of):
    page = client_of(rosa).post(at("eligibility"), {"numbers_from": "panel", "approval_rate": "101"})
    assert "100" in page.content.decode() and quality_of(judging).approval_rate is None


# ---- Test questions ----------------------------------------------------------------------------


def test_a_question_is_written_taken_from_a_pair_and_asked_once(at, judging, study, ada, rosa, client_of):
    from apps.datasets.services import dataset_create, pair_get_or_create

    client = client_of(rosa)
    client.post(
        at("tests"),
        {"premise": "All cats sleep.", "hypothesis": "All old cats sleep.", "expected": "entailment"},
    )
    other = pair_get_or_create(
        dataset=dataset_create(study=study, actor=ada, name="Other"),
        premises=[("One.", None), ("Two.", None)],
        hypothesis="Three.",
        origin="import",
    )
    client.post(at("tests"), {"pair": str(other.pk), "expected": "unnatural", "explanation": "Odd."})
    assert list(TestQuestion.objects.values_list("expected", flat=True)) == ["entailment", "unnatural"]
    copied = TestQuestion.objects.last().item.pair
    assert copied != other and [p.text for p in copied.premises.all()] == ["One.", "Two."]
    again = client.post(at("tests"), {"pair": str(other.pk), "expected": "unnatural"})
    assert "a test question of this campaign already" in again.content.decode()
    own = judging.items.filter(is_test=False).first().pair
    judged = client.post(at("tests"), {"pair": str(own.pk), "expected": "entailment"})
    assert "would see it twice" in judged.content.decode()
    foreign = client.post(at("tests"), {"pair": "999999", "expected": "entailment"})
    assert "no pair of that number" in foreign.content.decode()
    assert TestQuestion.objects.count() == 2 and Dataset.objects.filter(kind="tests").count() == 1


def test_a_file_is_looked_at_first_and_stored_whole(at, rosa, client_of):
    client = client_of(rosa)
    page = client.post(at("tests_import"), {"text": CSV}).content.decode()
    assert "2 test questions are in this file. Nothing is stored yet." in page
    assert not TestQuestion.objects.exists()
    client.post(at("tests_import"), {"text": CSV, "store": "yes"})
    first = TestQuestion.objects.first()
    assert first.item.pair.hypothesis == 'No bird sings, not even "small" ones.'
    assert first.explanation == "Small birds\nare birds."
    assert "already" in client.post(at("tests_import"), {"text": CSV}).content.decode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Choose a file, or paste its text."),
        (
            "premise,hypothesis\nA.,B.\n",
            "There is no column expected. The columns found are: premise, hypothesis",
        ),
        (
            "premise,hypothesis,expected\nA.,B.,perhaps\n",
            "Line 2, expected: “perhaps” is none of the answers",
        ),
        (
            "premise,hypothesis,expected\nA.,B.,entailment\nA.,B.,entailment\n",
            "Line 3, the same pair as in line 2",
        ),
        ("premise,hypothesis,expected\nA.,,entailment\n", "Line 2, hypothesis: This text is empty."),
        ('premise,hypothesis,expected\n"A.,B.,entailment\n', "Line 2"),
        ("premise,hypothesis,expected\n", "0 test questions"),
    ],
)
def test_a_faulty_file_stores_nothing_and_says_where(text, words, at, rosa, client_of):
    client = client_of(rosa)
    assert words in client.post(at("tests_import"), {"text": text}).content.decode()
    client.post(at("tests_import"), {"text": text, "store": "yes"})
    assert not TestQuestion.objects.exists()


def test_a_file_that_is_not_utf8_is_refused_with_the_guess(at, rosa, client_of):
    from django.core.files.uploadedfile import SimpleUploadedFile

    data = "premise,hypothesis,expected\nCafé one.,Café two.,entailment\n".encode("cp1252")
    page = client_of(rosa).post(at("tests_import"), {"file": SimpleUploadedFile("t.csv", data)})
    assert "not UTF-8" in page.content.decode() and not TestQuestion.objects.exists()


def test_forgiving_on_the_page_says_whom_it_lets_back(
    at, with_tests, trust_rule, annotator, ada, ben, client_of
):
    from apps.quality.models import TestAnswer

    with_tests(6, quiz_size=6, quiz_wrong=5)
    at_work = annotator(ben)
    at_work.answer(2)
    at_work.answer(2, right=False)
    wrong = TestAnswer.objects.exclude(answer="entailment").first().question
    page = (
        client_of(ada).post(at("test_state", wrong.pk), {"state": "forgiven"}, follow=True).content.decode()
    )
    assert "1 action was undone." in page and at_work.participant.pseudonym in page


def test_markup_in_a_question_is_text(at, rosa, annotator, with_tests, ben, client_of):
    client = client_of(rosa)
    script = "<script>alert(1)</script>"
    client.post(
        at("tests"),
        {"premise": script, "hypothesis": script, "expected": "entailment", "explanation": script},
    )
    question = TestQuestion.objects.get()
    for page in (client.get(at("tests")), client.get(at("test", question.pk))):
        assert script not in page.content.decode() and "&lt;script&gt;" in page.content.decode()


# ---- Rules, actions, people --------------------------------------------------------------------


def test_a_rule_is_made_switched_off_and_on(at, rosa, client_of):
    client = client_of(rosa)
    client.post(
        at("rules"), {"signal": "trust", "last": "20", "least": "4", "threshold": "70", "action": "pause"}
    )
    rule = Rule.objects.get()
    assert rule.threshold == 0.7
    client.post(at("rule_active", rule.pk), {"active": "no"})
    assert not Rule.objects.get().is_active
    assert "&lt; 70 %" in client.get(at("rules")).content.decode()


def test_what_was_done_is_listed_and_undone(at, judging, annotator, rosa, ben, client_of):
    client = client_of(rosa)
    at_work = annotator(ben)
    at_work.answer(2)
    client.post(at("act", at_work.participant.pk), {"kind": "pause", "note": "Please write to us."})
    assert at_work.ask().reason == "paused-for-you"
    assert "Please write to us." in client.get(at("actions")).content.decode()
    client.post(at("action_undo", QualityAction.objects.get().pk))
    page = client.get(at("actions")).content.decode()
    assert "undone by hand" in page and "Rosa" in page
    assert "Nothing stands" in client.get(f"{at('actions')}?open=yes").content.decode()


def test_what_a_rule_saw_is_said_in_words(at, judging, annotator, rosa, ben, client_of):
    at_work = annotator(ben)
    at_work.answer(1)
    QualityAction.objects.create(
        campaign=judging,
        participant=at_work.participant,
        kind="warn",
        signal="speed",
        value=1.5,
        threshold=2,
        answers=5,
        created_at=timezone.now(),
    )
    client = client_of(rosa)
    assert "median seconds of an answer: 1.5 over 5 answers" in client.get(at("actions")).content.decode()
    page = client.get(at("actions"), headers={"accept-language": "de"}).content.decode()
    assert "Median der Sekunden je Antwort: 1,5 über 5 Antworten" in page


def test_only_admins_block_and_they_choose_what_happens_to_the_past(at, annotator, ada, rosa, ben, client_of):
    at_work = annotator(ben)
    at_work.answer(2)
    address = at("block", at_work.participant.pk)
    assert client_of(rosa).post(address, {"past": "requeue"}).status_code == 403
    assert (
        "Block in the whole study"
        not in client_of(rosa).get(at("person", at_work.participant.pk)).content.decode()
    )
    page = client_of(ada).get(at("person", at_work.participant.pk)).content.decode()
    assert "keep them: they count as before" in page and "ask others again" in page
    page = client_of(ada).post(address, {}, follow=True).content.decode()
    assert "Choose what happens" in page
    page = client_of(ada).post(address, {"past": "requeue"}, follow=True).content.decode()
    assert "Blocked. 2 answers count no more." in page
    client_of(ada).post(at("unblock", at_work.participant.pk))
    assert annotator(ben).participant.blocked_at is None


def test_a_persons_page_takes_fifteen_queries(
    at, annotator, rosa, ben, client_of, work, monkeypatch, django_assert_max_num_queries
):
    """Of a large study, where their work is kept; of a small one it is counted, by two more."""
    at_work = annotator(ben)
    at_work.answer(2)
    client = client_of(rosa)
    address = at("person", at_work.participant.pk)
    with django_assert_max_num_queries(17):
        client.get(address)
    monkeypatch.setattr(selectors, "SMALL", -1)
    client.get(address)
    with django_assert_max_num_queries(15):
        page = client.get(address).content.decode()
    assert "being counted" not in page


def test_nobody_of_another_study_has_a_page(at, rosa, olaf, client_of):
    from apps.studies.models import Participant
    from apps.studies.services import study_create

    theirs = study_create(actor=olaf, name="Elsewhere")
    stranger = Participant.objects.create(study=theirs, pseudonym="p1")
    assert client_of(rosa).get(at("person", stranger.pk)).status_code == 404


def test_reliability_is_estimated_in_the_background_and_shown(
    at, judging, annotator, rosa, ben, cleo, dan, client_of, work, django_assert_max_num_queries
):
    from apps.campaigns.models import Campaign, Item

    Campaign.objects.filter(pk=judging.pk).update(target=3)
    Item.objects.update(wanted=3)
    for user, odd in ((ben, "entailment"), (cleo, "entailment"), (dan, "unnatural")):
        at_work = annotator(user)
        at_work.answer(6)
        at_work.answer(6, answer=odd)
    client = client_of(rosa)
    client.post(at("estimate"))
    assert Job.objects.get(kind="campaigns.reliability").state == "queued"
    work()
    estimates = {(r.participant.user, r.method): r.value for r in Reliability.objects.all()}
    assert len(estimates) == 6
    for method in ("dawid-skene", "mace"):
        assert estimates[dan, method] < estimates[ben, method]
    with django_assert_max_num_queries(17):
        page = client.get(at("people")).content.decode()
    assert "Dawid–Skene" in page and "100.0 %" in page
    assert page.count("<figure") == 2  # agreement and time; the times of twelve answers each
    rows = {
        row["annotator"]: row
        for row in csv.DictReader(io.StringIO(client.get(at("people"), {"as": "people.csv"}).text))
    }
    odd_one = rows[annotator(dan).participant.pseudonym]
    assert (odd_one["answers"], odd_one["compared"]) == ("12", "12")
    assert float(odd_one["agreement"]) == 0.5
    assert float(odd_one["mace"]) == pytest.approx(estimates[dan, "mace"])
    for key in ("standing.svg", "time.svg"):
        assert client.get(at("people"), {"as": key}).content.startswith(b"<svg")
    person = client.get(at("person", annotator(dan).participant.pk)).content.decode()
    assert "How they answer, by Dawid and Skene" in person


def test_undefined_reliability_says_why(at, annotator, rosa, ben, cleo, client_of, work):
    for user in (ben, cleo):
        annotator(user).answer(12)  # all there are: what both have is no matter of dealing
    client = client_of(rosa)
    client.post(at("estimate"))
    work()
    assert set(Reliability.objects.values_list("value", flat=True)) == {None}
    assert "undefined, no variation" in client.get(at("people")).content.decode()
