"""A researcher's own protocol: refused as a whole, with its place, or kept as it was written."""

from __future__ import annotations

import hashlib

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from apps.experiments import own_protocols, services
from apps.experiments.dealing import Dealer
from apps.experiments.models import Experiment, OwnProtocol
from apps.experiments.protocols import ProtocolError, protocols
from apps.jobs import runner
from apps.jobs.models import Job
from apps.studies.models import AuditEvent, Study
from apps.studies.services import study_create
from tests.experiments.conftest import SMALL, neural

WRONG = {
    "a bad TOML": ('name = "D1"', "name = D1", "(at line 12, column 8)"),
    "an unknown network": ('["tiny"]\n\n[presets.paper]', '["reservoir"]\n\n[presets.paper]',
                           "presets.desk, networks: there is no network “reservoir”; there are: "),
    "a misspelt network beside its options": (
        '["tiny"]\noptions', '["tinny"]\noptions', "smoke, networks: there is no network “tinny”"),
    "a misspelt network under another name": (
        "epochs = 2,", 'network = "tinny", epochs = 2,',
        "presets.smoke, options.tiny, network: there is no network “tinny”; there are: "),
    "options of a network that it has not": ('["tiny"]\noptions', '["lstm"]\noptions', "no “tiny” here"),
    "an option that it has not": ("epochs = 2", "colour = 2", "presets.smoke, tiny: colour"),
    "a size that it can't have": ("epochs = 2", "epochs = -2", "presets.smoke, tiny: epochs"),
    "an unknown split": ('sum = ["D1", "D2"]', 'sum = ["D1", "D9"]', "no test “D9” stands before it"),
    "an unknown set": ('on = [{ set = "D1" }, {', 'on = [{ set = "D9" }, {', "there is no set “D9”"),
    "a set that nothing has rows of": (
        "[[trainings]]", "D3 = { testbed = \"systematicity\", depth = 3 }\n\n[[trainings]]",
        "sets.D3: no training or test has anything of it"),
    "more layers than can be": ('["tiny"]\noptions.tiny = {',
        '["lstm"]\noptions.lstm = { sizes = { layers = 1000 },', "layers: a whole number from 1 to 64"),
    "an unknown measure": ('within = "D2"', 'within = "D2"\nmeasure = "f1"', "there is no “measure” here"),
    "an unknown role": ('testbed = "systematicity", depth = 2', "role = 3", "role: a text is wanted"),
    "an unknown testbed": ('"systematicity", depth = 2', '"mine", depth = 2', "there is no testbed “mine”"),
    "an unknown option of a testbed": ("depth = 2 }", "depth = 2, colour = 1 }", "no option “colour”"),
    "a depth that there is not": ("depth = 2 }", "depth = 9 }", "sets.D2: depth: a number from 1 to 5"),
    "a testbed that is made of no other pairs": (
        "depth = 2 }", 'from = "D1" }', "from: transitivity alone is made of other pairs"),
    "an option that a testbed of other pairs has not": (
        '"systematicity", depth = 2 }', '"transitivity", depth = 2, from = "D1" }', "no option “depth”"),
    "main clauses that there are not": (
        '"systematicity", depth = 2 }', '"transitivity", frames = "two", from = "D1" }',
        "D2: frames: one of these is wanted: someone, forty"),
    "an unknown column": ('on = [{ set = "D2" }]', 'on = [{ set = "D2", where = { colour = ["red"] } }]',
                          "D2, selection 1: there is no column “colour”"),
    "a value that no row can have": (
        'on = [{ set = "D2" }]', 'on = [{ set = "D2", where = { depth = ["two"] } }]',
        "no row of the set “D2” can have “two” in its column “depth”; there are: 1, 2, 3, 4, 5"),
    "a curve without a point": ('name = "D1"\non', 'name = "D1"\ncurve = "c"\non', "at: a number is wanted"),
    "a point of no curve": ('name = "D1"\non', 'name = "D1"\nat = 2\non', "curve: a text is wanted"),
    "no rows": ("train = 120", "train = 0", "train: a whole number from 1"),
    "a training with too few rows": ("train = 120", "train = 10", "presets.smoke: train: 10 rows; 20 are"),
    "a test with too few rows": ("test = 60", "test = 10", "presets.smoke: test: 10 rows; 20 are"),
    "more seeds than can be": ("seeds = 2", "seeds = 200", "seeds: a whole number from 1 to 20"),
    "a test larger than what is drawn": ("pool = 600", "pool = 6", "test: more rows than the pool"),
    "a character that can't be stored": ('"A small one."', '"A small\\u0000 one."', "U+0000"),
    "an end of a line in a name": ('"D2, downward"', '"D2\\ndownward"', "it has U+000A"),
    "a name that no picture can hold": ('"D2, downward"', '"D2, \\u0001"', "it has U+0001"),
    "a text that turns its direction": ('"A small one."', '"A \\u202esmall one."', "turns its direction"),
    "a title that fills the page": ('"Small"', f'"{"long " * 21}"', "title: more than 100 characters"),
    "lists in lists in lists": ('title = "Small"', "title = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
    "more than all published": ("[published.D1.D1]\n", '[published.D1.D1]\n"lztm" = [9900, 0.5]\n',
                                "published.D1.D1: lztm: a number from 0 to 100"),
    "a date": ("depth = 2 }", "depth = 2, seed = 2020-01-01 }", "dates"),
}  # fmt: skip


def test_prose_may_stand_in_several_lines_and_is_shown_in_one(study, ada):
    text = SMALL.replace('"A small one."', '"""A small\none."""')
    own = own_protocols.protocol_add(study=study, actor=ada, name="mine", data=text.encode())
    assert own_protocols.protocol_read(own).about == "A small one."


@pytest.mark.parametrize("wrong", WRONG)
def test_what_can_not_be_run_is_refused_with_its_place_and_keeps_nothing(wrong, study, ada):
    there, instead, said = WRONG[wrong]
    assert there in SMALL
    text = SMALL.replace(there, instead, 1)
    with pytest.raises(ValidationError) as told:
        own_protocols.protocol_add(study=study, actor=ada, name="mine", data=text.encode())
    (message,) = told.value.message_dict["text"]
    assert message.startswith("mine") and said in message
    assert not OwnProtocol.objects.exists()


def test_bytes_that_are_no_text_and_a_file_too_large_are_refused(study, ada):
    for data, said in ((b"title = \xe4", "byte 8 is not UTF-8"), (b"#" * 300_000, "larger than 256 KB")):
        with pytest.raises(ProtocolError, match=said):
            own_protocols.protocol_checked(data, "mine")


@pytest.mark.parametrize(
    "name", ["", "Mine", "my protocol", "../mine", "m" * 81, "transitivity_basic", "sygns"]
)
def test_a_name_is_a_plain_word_and_none_of_the_programs(name, study, ada):
    with pytest.raises(ValidationError) as told:
        own_protocols.protocol_add(study=study, actor=ada, name=name, data=SMALL.encode())
    assert set(told.value.message_dict) == {"name"}


def test_a_name_is_given_once_in_a_study_and_may_be_another_studys(study, ada):
    own_protocols.protocol_add(study=study, actor=ada, name="mine", data=SMALL.encode())
    with pytest.raises(ValidationError, match="another protocol of that name"):
        own_protocols.protocol_add(study=study, actor=ada, name="mine", data=SMALL.encode())
    other = study_create(actor=ada, name="Other")
    own_protocols.protocol_add(study=other, actor=ada, name="mine", data=SMALL.encode())
    assert own_protocols.protocol_named(study, "mine") and not own_protocols.protocol_named(study, "yours")


def test_every_protocol_that_comes_with_the_program_would_be_taken(study, ada):
    for key, protocol in protocols().items():
        assert own_protocols.protocol_checked(protocol.text.encode(), key).data == protocol.data


def test_the_worked_example_of_the_documentation_is_taken_and_can_be_dealt():
    page = (settings.BASE_DIR / "docs" / "experiments.md").read_text("utf-8")
    text = page.partition("```toml\n")[2].partition("```")[0]
    protocol = own_protocols.protocol_checked(text.encode(), "upward")
    dealer = Dealer(protocol, protocol.presets["smoke"])
    halves = [dealer.deal("half", seed) for seed in (1, 2)]
    learnt = [{row.columns["quantifiers"] for row in dealt.train} for dealt in halves]
    assert all(len(each) == 2 for each in learnt) and learnt[0] != learnt[1]
    assert all(len(dealt.train) == 1000 and len(dealt.test["D2"]) == 300 for dealt in halves)


def test_an_experiment_keeps_the_text_that_it_runs_and_goes_on_when_the_file_is_removed(study, ada):
    own = own_protocols.protocol_add(study=study, actor=ada, name="mine", data=SMALL.encode())
    experiment = services.experiment_start(
        study=study,
        actor=ada,
        name="Mine",
        preset="smoke",
        protocol=own_protocols.protocol_named(study, "mine"),
    )
    own_protocols.protocol_remove(protocol=own, actor=ada)
    runner.run(experiment.job_id)
    experiment.refresh_from_db()
    assert experiment.job.state == Job.State.DONE and experiment.splits.count() == 2
    assert experiment.spec["text"] == SMALL
    assert experiment.spec["sha256"] == hashlib.sha256(SMALL.encode()).hexdigest()
    said = [event.action for event in AuditEvent.objects.filter(action__startswith="protocol")]
    assert sorted(said) == ["protocol.added", "protocol.removed"]


def test_a_selection_that_has_too_few_rows_is_told_of_before_anything_is_trained(study, ada):
    text = SMALL.replace(
        'on = [{ set = "D1" }, {', 'on = [{ set = "D1", where = { embedding = ["center"] } }, {'
    )
    experiment = services.experiment_start(
        study=study, actor=ada, name="Mine", preset="smoke",
        protocol=own_protocols.protocol_checked(text.encode(), "mine"),
    )  # fmt: skip
    runner.run(experiment.job_id)
    experiment.refresh_from_db()
    assert (
        experiment.job.state == Job.State.FAILED
        and "D1 and D2: rows of selection 1, of the set “D1”: 0;" in experiment.job.error
    )
    assert not Job.objects.filter(kind="inference.network").exists()


# ---- Page and command --------------------------------------------------------------------------


def test_on_the_page_a_file_is_brought_in_started_downloaded_and_removed(study, ada, client_of):
    client = client_of(ada)
    address = reverse("experiments:protocol_new", args=[study.slug])

    def send(text, **more):
        return client.post(address, {"file": SimpleUploadedFile("Mine.toml", text.encode()), **more})

    wrong = SMALL.replace('networks = ["tiny"]', "networks = tiny", 1)
    line = wrong[: wrong.index("networks = tiny")].count("\n") + 1
    refused = send(wrong)
    assert refused.status_code == 200 and f"at line {line}," in refused.content.decode()
    made = send(SMALL)
    page = client.get(made["Location"]).content.decode()
    assert "A small one." in page and hashlib.sha256(SMALL.encode()).hexdigest() in page
    assert "another protocol of that name" in send(SMALL).content.decode()
    assert made["Location"] in client.get(reverse("experiments:list", args=[study.slug])).content.decode()
    client.post(made["Location"], {"name": "First", "preset": "smoke"})
    experiment = Experiment.objects.get()
    for address in (
        reverse("experiments:file", args=[study.slug, "mine"]),
        reverse("experiments:protocol", args=[study.slug, experiment.pk]),
    ):
        assert client.get(address).content.decode() == SMALL
    client.post(reverse("experiments:own_remove", args=[study.slug, OwnProtocol.objects.get().pk]))
    assert client.get(made["Location"]).status_code == 404
    assert client.get(address).content.decode() == SMALL


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "mine, training 2: there is no set “D9”; there are: D1, D2"),
        ("de", "mine, Training 2: es gibt keine Menge „D9“; es gibt: D1, D2"),
    ],
)
def test_a_fault_is_told_with_its_place_in_the_language_of_the_page(language, said, study, ada, client_of):
    wrong = SMALL.replace('on = [{ set = "D1" }, {', 'on = [{ set = "D9" }, {', 1)
    refused = client_of(ada).post(
        reverse("experiments:protocol_new", args=[study.slug]),
        {"file": SimpleUploadedFile("Mine.toml", wrong.encode())},
        headers={"accept-language": language},
    )
    page = refused.content.decode()
    assert f'<html lang="{language}"' in page and said in page
    assert not OwnProtocol.objects.exists()


def test_a_form_offers_the_sizes_that_the_file_has(study, ada, client_of):
    text = SMALL[: SMALL.index("[presets.desk]")] + SMALL[SMALL.index("[published") :]
    own_protocols.protocol_add(study=study, actor=ada, name="mine", data=text.encode())
    page = client_of(ada).get(reverse("experiments:new", args=[study.slug, "mine"])).content.decode()
    assert 'value="smoke"' in page and 'value="desk"' not in page


@neural
@pytest.mark.django_db(transaction=True)
def test_the_command_takes_a_path_and_refuses_before_it_makes_anything(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SMALL.replace("seeds = 2", "seeds = 0", 1), "utf-8")
    with pytest.raises(CommandError, match=r"mine, presets\.smoke: seeds: a whole number"):
        call_command("experiment", str(path))
    with pytest.raises(CommandError, match="No such file"):
        call_command("experiment", str(tmp_path / "none.toml"))
    assert not Study.objects.exists()
