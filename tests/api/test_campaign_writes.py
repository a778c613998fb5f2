"""Campaigns, their quality and their panels through the API."""

import pytest

from apps.campaigns.models import Campaign
from apps.datasets.models import Dataset
from apps.jobs.models import Job
from apps.panels.models import Panel, Payout
from apps.quality.models import AllowedPerson, QualityAction, TestQuestion
from apps.studies.models import Participant

pytestmark = pytest.mark.both


@pytest.fixture
def rows(study, fill):
    return fill(study)


@pytest.fixture
def send(ada, study, token_client):
    client = token_client(ada)

    def send(method, address, body=None, status=200):
        answer = getattr(client, method)(f"/api/v1/{address}", body or {}, content_type="application/json")
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    return send


def pointers(problem):
    return [error.get("pointer") for error in problem["errors"]]


def test_a_preset_fills_what_is_left_out(send, study, rows):
    body = {
        "study": study.slug,
        "name": "As MED did",
        "task": "creation",
        "blank_set": rows["blank-sets"].pk,
        "new_dataset": "Fresh",
        "preset": "med-2019-creation",
        "price": 7,
    }
    made = send("post", "campaigns/", body, 201)
    told = {name: made[name] for name in ("state", "target", "minimum_seconds", "price", "item_count")}
    assert told == {"state": "draft", "target": 3, "minimum_seconds": 200, "price": 7, "item_count": 1}
    assert Dataset.objects.get(pk=made["dataset"]).name == "Fresh"
    quality = send("get", f"campaigns/{made['id']}/quality/")
    assert quality["languages"] == ["en"]
    assert "med-2019-creation" in [preset["key"] for preset in send("get", "campaigns/presets/")]


def test_a_refused_campaign_leaves_no_dataset(send, study, rows):
    body = {
        "study": study.slug,
        "name": rows["campaigns"].name,
        "task": "creation",
        "blank_set": rows["blank-sets"].pk,
        "new_dataset": "Fresh",
    }
    assert pointers(send("post", "campaigns/", body, 422)) == ["#/name"]
    assert not Dataset.objects.filter(name="Fresh").exists()


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"task": "validation", "new_dataset": "x"}, "#/dataset"),
        ({"task": "creation"}, "#/blank_set"),
        ({"task": "validation", "target": 0}, "#/target"),
        ({"task": "validation", "target": 5, "maximum": 3}, "#/maximum"),
        ({"task": "validation", "preset": "med-2019-creation"}, "#/preset"),
        ({"task": "validation", "show_predictions": True}, "#/show_predictions"),
        ({"task": "validation", "currency": "dollars"}, "#/currency"),
        ({"task": "dancing"}, "#/task"),
        ({"task": "validation", "tarjet": 3}, "#/tarjet"),
    ],
)
def test_rules_that_do_not_fit_are_pointed_at(changes, pointer, send, study, rows):
    dataset = {} if "new_dataset" in changes else {"dataset": rows["datasets"].pk}
    body = {"study": study.slug, "name": "New", **dataset, **changes}
    assert pointer in pointers(send("post", "campaigns/", body, 422))
    assert not Campaign.objects.filter(name="New").exists()


def test_another_studys_rows_are_like_none_in_a_body(send, study, rows, olaf):
    other = Dataset.objects.create(study=olaf.memberships.first().study, name="other")
    body = {"study": study.slug, "name": "New", "task": "validation"}
    foreign = send("post", "campaigns/", {**body, "dataset": other.pk}, 422)
    unknown = send("post", "campaigns/", {**body, "dataset": 10**9}, 422)
    assert foreign["errors"][0]["detail"].replace(str(other.pk), "N") == unknown["errors"][0][
        "detail"
    ].replace(str(10**9), "N")


def test_it_is_retargeted_opened_paused_and_closed(send, rows):
    address = f"campaigns/{rows['campaigns'].pk}/"
    assert send("patch", address, {"target": 5})["target"] == 5
    assert rows["campaigns"].items.get(is_test=False).wanted == 5
    for state in ("open", "paused", "open", "closed"):
        assert send("post", f"{address}state/", {"state": state})["state"] == state
    assert "closed to paused" in send("post", f"{address}state/", {"state": "paused"}, 422)["detail"]


def test_one_that_asks_for_more_people_than_there_are_opens_on_a_yes(send, study, rows):
    body = {"study": study.slug, "name": "Many", "task": "validation", "dataset": rows["datasets"].pk}
    address = f"campaigns/{send('post', 'campaigns/', {**body, 'target': 99}, 201)['id']}/state/"
    refused = send("post", address, {"state": "open"}, 422)
    assert "Each item wants 99 people" in refused["errors"][0]["detail"]
    assert send("post", address, {"state": "open", "confirmed": True})["state"] == "open"


def test_a_new_version_of_the_instructions(send, rows):
    address = f"campaigns/{rows['campaigns'].pk}/guidelines/"
    assert send("post", address, {"body": "Read well."}, 201)["version"] == 2
    assert send("post", address, {"body": "Read well."}, 201)["version"] == 2
    assert [row["version"] for row in send("get", address)["results"]] == [1, 2]


def test_new_pairs_are_taken_in(send, rows):
    from apps.datasets.services import pair_get_or_create

    pair_get_or_create(
        dataset=rows["datasets"],
        premises=[("A dog runs.", None)],
        hypothesis="A dog moves.",
        origin="import",
    )
    assert send("post", f"campaigns/{rows['campaigns'].pk}/new-pairs/") == {"added": 1}
    found = send("get", f"items/?campaign={rows['campaigns'].pk}&is_complete=false")["results"]
    assert len(found) == 2


def test_quality_settings_are_read_and_changed(send, rows):
    address = f"campaigns/{rows['campaigns'].pk}/quality/"
    assert send("get", address)["quiz_size"] == 0
    changed = send("patch", address, {"quiz_size": 5, "quiz_wrong": 1, "languages": ["de", "en"]})
    assert (changed["quiz_size"], changed["languages"]) == (5, ["de", "en"])
    assert pointers(send("patch", address, {"quiz_wrong": 5}, 422)) == ["#/quiz_wrong"]
    assert pointers(send("patch", address, {"languages": ["xx"]}, 422)) == ["#/languages/0"]
    words = {
        "not_more_specific": "refuse",
        "spelling": "warn",
        "checks_calculus": True,
        "tells_calculus": True,
    }
    assert send("patch", address, words).items() >= words.items()
    assert pointers(send("patch", address, {"spelling": "refuse"}, 422)) == ["#/spelling"]
    send("patch", address, {"checks_calculus": False}, 422)


def test_the_list_of_people_is_replaced(send, rows):
    address = f"campaigns/{rows['campaigns'].pk}/allow-list/"
    send("put", address, {"names": ["ada@example.org", "b"]})
    assert send("put", address, {"names": ["b", "c", "c"]}) == {"names": ["b", "c"]}
    assert AllowedPerson.objects.count() == 2


def test_a_test_question_is_made_corrected_and_forgiven(send, rows):
    body = {
        "campaign": rows["campaigns"].pk,
        "premises": ["No dogs bark."],
        "hypothesis": "No big dogs bark.",
        "expected": "entailment",
    }
    made = send("post", "test-questions/", body, 201)
    assert (made["premises"], made["shown"]) == (["No dogs bark."], 0)
    assert send("post", "test-questions/", body, 422)["errors"]
    changed = send(
        "patch", f"test-questions/{made['id']}/", {"expected": "non-entailment", "state": "forgiven"}
    )
    assert (changed["expected"], changed["state"]) == ("non-entailment", "forgiven")
    assert pointers(send("patch", f"test-questions/{made['id']}/", {"expected": "maybe"}, 422)) == [
        "#/expected"
    ]


def test_a_file_of_test_questions_is_looked_at_and_then_stored_whole(send, rows):
    before = TestQuestion.objects.count()
    text = "premise,hypothesis,expected\nNo dogs bark.,No big dogs bark.,entailment\nA dog.,A cat.,perhaps\n"
    body = {"campaign": rows["campaigns"].pk, "text": text}
    found = send("post", "test-questions/import/", body)
    assert (found["questions"], found["stored"]) == (1, 0)
    assert found["errors"][0].startswith("Line 3")
    assert len(send("post", "test-questions/import/", {**body, "store": True}, 422)["errors"]) == 1
    assert TestQuestion.objects.count() == before
    good = {**body, "text": text.rsplit("\n", 2)[0], "store": True}
    assert send("post", "test-questions/import/", good)["stored"] == 1


def test_results_of_test_questions_and_trust_are_read(send, rows):
    campaign, person = rows["campaigns"].pk, rows["annotators"]
    (answer,) = send("get", f"test-answers/?campaign={campaign}")["results"]
    assert (answer["annotator"], answer["is_right"]) == (person.pseudonym, True)
    (found,) = send("get", f"campaigns/{campaign}/annotators/")
    assert (found["pseudonym"], found["trust"], found["agreement"]) == (person.pseudonym, 1.0, None)
    job = send("post", f"campaigns/{campaign}/estimate/", {}, 202)
    assert Job.objects.get(pk=job["id"]).kind == "campaigns.reliability"


def test_a_rule_is_made_and_put_out_of_force(send, rows):
    body = {
        "campaign": rows["campaigns"].pk,
        "signal": "trust",
        "last": 10,
        "least": 5,
        "threshold": 1.5,
        "action": "pause",
    }
    assert pointers(send("post", "quality-rules/", body, 422)) == ["#/threshold"]
    made = send("post", "quality-rules/", {**body, "threshold": 0.5}, 201)
    assert (made["is_active"], made["fired"]) == (True, 0)
    assert send("patch", f"quality-rules/{made['id']}/", {"is_active": False})["is_active"] is False


def test_somebody_is_paused_and_let_back(send, rows):
    body = {"campaign": rows["campaigns"].pk, "annotator": rows["annotators"].pk, "kind": "pause"}
    action = send("post", "quality-actions/", body, 201)
    standing = send("get", f"quality-actions/?stands=true&kind=pause&campaign={body['campaign']}")["results"]
    assert [row["id"] for row in standing] == [action["id"]]
    assert send("post", f"quality-actions/{action['id']}/undo/") == {"counted": 0}
    assert QualityAction.objects.get(pk=action["id"]).undone_why == "by-hand"


def test_somebody_is_blocked_and_unblocked(send, rows):
    address = f"annotators/{rows['annotators'].pk}/"
    assert send("post", f"{address}block/", {"past": "requeue"}) == {"requeued": 2}
    assert send("get", address)["blocked_at"]
    assert send("post", f"{address}unblock/")["blocked_at"] is None


def test_a_panel_is_set_up(send, rows):
    Panel.objects.filter(pk=rows["panels"].pk).update(
        campaign=Campaign.objects.exclude(pk=rows["campaigns"].pk)[0]
    )
    body = {"campaign": rows["campaigns"].pk, "kind": "prolific", "consent": "You take part."}
    made = send("post", "panels/", body, 201)
    assert (made["platform"], made["has_secret"]) == ("prolific", False)
    assert made["arrival"].startswith("http://testserver/panel/")
    changed = send("patch", f"panels/{made['id']}/", {"sets_wanted": 10, "secret": "s"})
    assert (changed["sets_wanted"], changed["has_secret"]) == (10, True)
    assert "secret" not in changed
    assert send("post", f"panels/{made['id']}/consents/", {"body": "Anew."}, 201)["version"] == 2
    assert send("post", "panels/", body, 422)["detail"] == "This campaign has its panel already."


def test_the_ledger_a_bonus_and_a_payout_that_is_paid(send, rows):
    panel, person = rows["panels"].pk, rows["annotators"]
    ledger = send("get", f"panels/{panel}/ledger/")
    assert ledger["totals"] == {"sets": 1, "quiz": 0, "owed": 50, "waiting": 5, "paid": 0}
    bonus = {"panel": panel, "annotator": person.pk, "cents": 30, "reason": "Notes"}
    made = send("post", "bonuses/", bonus, 201)
    assert send("post", "bonuses/", bonus, 201)["id"] == made["id"]
    assert pointers(send("post", "bonuses/", {**bonus, "cents": 31}, 422)) == ["#/reason"]
    payout = send("post", "payouts/", {"panel": panel}, 201)
    assert [line["cents"] for line in payout["lines"]] == [80]
    assert send("post", "payouts/", {"panel": panel}, 409)["title"] == "Not in this state"
    assert send("post", f"payouts/{payout['id']}/paid/")["paid_at"]
    assert (
        send("delete", f"payouts/{payout['id']}/", status=422)["detail"]
        == "This payout is paid, so it stays."
    )


def test_an_unpaid_payout_is_taken_apart(send, rows):
    send("delete", f"payouts/{rows['payouts'].pk}/", status=204)
    assert not Payout.objects.exists()


def test_the_paymasters_file_needs_the_scope_people(rows, ada, token_client):
    Participant.objects.filter(pk=rows["annotators"].pk).update(panel="panel", external_id="worker-7")
    address = f"/api/v1/payouts/{rows['payouts'].pk}/csv/"
    assert token_client(ada, "read").get(address).status_code == 403
    answer = token_client(ada, "people").get(address)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "worker-7" in answer.content.decode()
    for name in ("visits", "annotators", "judgements", "panels"):
        assert "worker-7" not in token_client(ada).get(f"/api/v1/{name}/").content.decode()


def test_pairs_that_wait_for_a_decision_are_listed_until_it_is_taken(send, rows):
    from apps.campaigns.models import Item, Judgement

    address = f"campaigns/{rows['campaigns'].pk}/adjudication/"
    assert send("get", address) == []
    Item.objects.filter(pk=rows["items"].pk).update(is_complete=True)
    Judgement.objects.filter(pk=rows["judgements"].pk).update(answer="non-entailment")
    pair = rows["pairs"].pk
    assert send("get", address) == [{"pair": pair, "why": "disputed"}]
    send("post", f"pairs/{pair}/adjudicate/", {"label": "entailment"})
    assert send("get", address) == []
