"""Registering a chat model, on its page and through the API: what is taken, refused, shown and never
shown."""

import json

import pytest
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.urls import reverse

from apps.inference.chat.prompts import shipped
from apps.inference.models import ChatBudget, Model, Run
from apps.studies.models import AuditEvent
from config import environment
from tests.inference.chat.server import KEY


def url(study, name, *args):
    return reverse(f"models:{name}", args=[study.slug, *args])


@pytest.fixture
def client(rosa, client_of):
    return client_of(rosa)


@pytest.fixture
def form(server):
    return {
        "name": "tiny", "server": server.address, "server_model": "tiny", "key": "lab",
        "template": "two-way-1", "form": "word", "max_tokens": "64", "seconds": "60",
    }  # fmt: skip


# ---- What decides an answer ---------------------------------------------------------------------


def test_shipped_prompts_never_change():
    """A new wording is a new file with the next number; models and their answers are told apart by this."""
    assert {name: template.sha256[:16] for name, template in shipped().items()} == {
        "three-way-1": "3f656de7831ce65f",
        "two-way-1": "02e0163ada792d6f",
    }


def test_the_fingerprint_names_server_model_prompt_and_options_and_nothing_else(register, dataset):
    first = register("a").fingerprint
    same = [{"key": ""}, {"seconds": 5}, {"tokens": 100}]
    others = [
        {"server_model": "other"}, {"template": "three-way-1"}, {"form": "json"}, {"max_tokens": 5},
        {"system": "Decide."}, {"user": "{premise} {hypothesis}?"}, {"shots": 2, "dataset": dataset},
        {"shots": 2, "dataset": dataset, "seed": 2},
    ]  # fmt: skip
    assert {register(str(fields), **fields).fingerprint for fields in same} == {first}
    found = {register(str(fields), **fields).fingerprint for fields in others}
    assert len(found | {first}) == len(others) + 1


def test_examples_are_drawn_by_their_seed_and_frozen(register, dataset):
    model = register("a", shots=4, dataset=dataset, seed=1)
    again = register("b", shots=4, dataset=dataset, seed=1)
    assert model.config["shots"] == again.config["shots"]
    labels = [shot["label"] for shot in model.config["shots"]]
    assert sorted(labels) == ["entailment", "entailment", "non-entailment", "non-entailment"]
    dataset.pairs.all().delete()
    model.refresh_from_db()
    assert len(model.config["shots"]) == 4


@pytest.mark.parametrize(
    ("fields", "named", "said"),
    [
        ({"server": "ftp://127.0.0.1"}, "server", "begins with https://"),
        ({"server": "https://api.example.org/v1"}, "server", "may not speak to api.example.org"),
        ({"server": "http://169.254.169.254/v1"}, "server", "clouds keep"),
        ({"server": "http://user:word@127.0.0.1/v1"}, "server", "without password"),
        ({"key": "another"}, "key", "no key of that name for this server"),
        ({"template": "two-way-0"}, "template", "no such template"),
        ({"form": "essay"}, "form", "a word or JSON"),
        ({"user": "{premise}, so?"}, "user", "must hold {hypothesis}"),
        ({"shots": 2}, "shots", "both a number and a dataset"),
        ({"cost": 1}, "cost", "needs both prices"),
        ({"server_model": " "}, "server_model", "empty"),
        ({"system": "a\0b"}, "system", "NUL"),
    ],
)
def test_what_cannot_be_used_is_refused_by_field(register, fields, named, said):
    with pytest.raises(ValidationError) as refused:
        register(**fields)
    assert said in refused.value.message_dict[named][0]
    assert not Model.objects.exists()


def test_examples_that_cannot_be_had_are_refused(register, dataset, make_dataset):
    with pytest.raises(ValidationError, match="too few pairs of known label: entailment"):
        register(shots=5, dataset=dataset)
    with pytest.raises(ValidationError, match="does not tell contradictions"):
        register(shots=3, dataset=dataset, template="three-way-1")


# ---- Keys ---------------------------------------------------------------------------------------


def test_keys_are_read_with_their_hosts_and_studies(monkeypatch):
    monkeypatch.setenv("KEYS", "all@api.example.org=sk-1=2, dogs/own@[::1]:8443=sk-2")
    found = environment.chat_keys("KEYS")
    assert [(key.name, key.host, key.port, key.study, key.secret) for key in found] == [
        ("all", "api.example.org", None, "", "sk-1=2"),
        ("own", "::1", 8443, "dogs", "sk-2"),
    ]
    assert "sk-1" not in repr(found)


@pytest.mark.parametrize("value", ["sk-secret", "@host=sk-secret", "a@host=", "a b@host=sk-secret"])
def test_a_misspelt_key_is_said_without_it(monkeypatch, value):
    monkeypatch.setenv("KEYS", f"a@h=k,{value}")
    with pytest.raises(ImproperlyConfigured) as refused:
        environment.chat_keys("KEYS")
    assert "entry 2" in str(refused.value) and "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("key", "is_usable"),
    [
        (("lab", "127.0.0.1", None, ""), True),
        (("lab", "127.0.0.1", None, "dogs-and-cats"), True),
        (("lab", "127.0.0.1", None, "another"), False),
        (("lab", "127.0.0.2", None, ""), False),
        (("lab", "127.0.0.1", 1, ""), False),
        (("other", "127.0.0.1", None, ""), False),
    ],
)
def test_a_key_goes_to_its_host_for_its_study_alone(register, settings, key, is_usable):
    settings.CHAT_KEYS = [environment.ChatKey(*key, KEY)]
    if is_usable:
        register()
    else:
        with pytest.raises(ValidationError, match="no key of that name"):
            register()


# ---- Pages --------------------------------------------------------------------------------------


def test_from_the_form_to_what_a_run_has_cost(study, client, form, server, dataset, work):
    server.says = lambda hypothesis: "no" if "black" in hypothesis else "I'm sorry."
    priced = {**form, "price_in": "2", "price_out": "10", "tokens": "100000"}
    answer = client.post(url(study, "new", "chat"), priced)
    model = Model.objects.get()
    assert answer.headers["Location"] == url(study, "model", model.pk)
    page = client.get(url(study, "model", model.pk)).content.decode()
    for said in (server.address, "two-way-1", "Premise: No dogs bark.", "lab", "2 sent, 10 received"):
        assert said in page
    assert KEY not in page
    client.post(url(study, "run_start", model.pk), {"dataset": dataset.pk, "tokens": "90000", "cost": "0.5"})
    work()
    run = Run.objects.get()
    page = client.get(url(study, "run", run.pk)).content.decode()
    for said in ("500 sent, 5 received", "of 90000", "0.00105", "of 0.5", "tiny-2026-01-01", "Refused: 2"):
        assert said in page, said
    assert "5 pairs; 3 labels without probabilities" in page


def test_the_prompt_is_shown_before_anything_is_registered(study, client, form):
    page = client.post(url(study, "new", "chat"), {**form, "preview": "1", "system": "Be brief."})
    text = page.content.decode()
    assert "Be brief. Answer with one word: yes or no." in text and "Hypothesis: No small dogs bark." in text
    assert not Model.objects.exists()


def test_a_bad_form_comes_back_with_the_reason(study, client, form, settings):
    settings.OUTBOUND_HOSTS = []
    page = client.post(url(study, "new", "chat"), form).content.decode()
    assert "may not speak to 127.0.0.1" in page


def test_a_run_that_ran_out_goes_on_from_its_page(study, client, register, start, go, server):
    run = start(register(), tokens=10)
    assert go(run).state == "failed"
    page = client.get(url(study, "run", run.pk)).content.decode()
    assert "does not reach for another request" in page
    client.post(url(study, "run_budget", run.pk), {"tokens": ""})
    assert ChatBudget.objects.get().tokens is None
    assert AuditEvent.objects.filter(action="run.budget", object_id=run.pk).exists()
    assert go(run).state == "done"


def test_a_foreign_run_has_no_budget_to_set(study, register, start, olaf, client_of):
    run = start(register())
    answer = client_of(olaf).post(url(study, "run_budget", run.pk), {"tokens": "1"})
    assert answer.status_code == 404


# ---- Through the API ----------------------------------------------------------------------------


def test_the_api_registers_runs_and_says_what_was_used(study, client, form, dataset, work):
    def post(address, body):
        return client.post(f"/api/v1/{address}/", json.dumps(body), content_type="application/json")

    sent = {key: value for key, value in form.items() if key not in ("max_tokens", "seconds")}
    made = post("models", {**sent, "study": study.slug, "kind": "chat", "price_in": "2", "price_out": "10"})
    assert made.status_code == 201, made.content
    assert made.json()["config"]["key"] == "lab" and KEY not in made.content.decode()
    run = post("runs", {"model": made.json()["id"], "dataset": dataset.pk, "tokens": 10}).json()
    work()
    assert client.get(f"/api/v1/runs/{run['id']}/").json()["state"] == "failed"
    assert post(f"runs/{run['id']}/budget", {"tokens": 50000}).status_code == 200
    work()
    used = client.get(f"/api/v1/runs/{run['id']}/usage/").json()
    assert used == {
        "answers": 5, "tokens_in": 500, "tokens_out": 5, "estimated": 0, "refused": 0, "unreadable": 0,
        "without_probabilities": 5, "cost": "0.001050", "tokens_budget": 50000, "cost_budget": None,
        "answered_by": ["tiny-2026-01-01"],
    }  # fmt: skip
    wrong = post("models", {"study": study.slug, "name": "x", "kind": "chat", "threshold": 0.5})
    assert wrong.status_code == 422
    pointers = {error["pointer"] for error in wrong.json()["errors"]}
    assert pointers == {"#/threshold", "#/server", "#/server_model", "#/template"}
