"""Contrasts before and after: who moves when the operator does."""

from __future__ import annotations

import pytest

from apps.dashboard.contrasts import Chosen, contrast_counts, contrast_numbers, contrast_rows, sets_of
from apps.datasets.models import Pair
from apps.datasets.services import dataset_create
from apps.generation.contrast_sets import contrast_set_create, contrasts_of, contrasts_store
from apps.inference.models import Model, Prediction, Run
from apps.inference.selectors import latest_runs
from tests.api.conftest import token_client  # noqa: F401 - a fixture

pytestmark = pytest.mark.both


@pytest.fixture
def contrast(study, ada, make, dataset):
    """A contrast set of pairs whose calculus labels, before and after, are given in letters."""
    made = dataset_create(study=study, actor=ada, name="Pairs: contrasts")

    def add(letters):
        rows = []
        for n, (before, after) in enumerate(letters.split()):
            original = make(
                calculus=before.strip("-"), premise=f"Few dogs {n} ran.", hypothesis=f"Few old dogs {n} ran."
            )
            facts = {"contrast_of": original.pk, "contrast": "few → a few" if n % 2 == 0 else "few deleted"}
            pair = make(
                calculus=after.strip("-"), dataset=made, premise=f"A few dogs {n} ran.",
                hypothesis=f"A few old dogs {n} ran.", origin="machine",
            )  # fmt: skip
            Pair.objects.filter(pk=pair.pk).update(facts=facts)
            rows.append((original, pair))
        return made, [one for one, _other in rows], [other for _one, other in rows]

    return add


def counts(part):
    return part.count, part.total


def test_moves_are_counted_where_the_label_changes_and_where_it_stays(contrast, predict):
    made, before, after = contrast("en en en ee nn e-")
    predict("reader", before, "eeeene")
    predict("reader", after, "nnncn-")
    predict("deaf", before, "eeeeee")
    predict("deaf", after, "eeeeee")
    found = contrast_counts(made, Chosen())
    assert (found.total, found.labelled, found.changes) == (6, 5, 3)
    assert found.by_contrast == {"few deleted": 3, "few → a few": 3}
    deaf, reader = found.models
    assert [m.model.name for m in (deaf, reader)] == ["deaf", "reader"]
    assert counts(reader.moved) == (3, 3) and counts(reader.moved_wrongly) == (1, 2)
    assert counts(deaf.moved) == (0, 3) and counts(deaf.moved_wrongly) == (0, 2)
    assert [counts(part) for part in reader.right] == [(5, 5), (4, 5), (4, 5)]
    assert [counts(part) for part in deaf.right] == [(4, 5), (1, 5), (1, 5)]
    assert (reader.missing, deaf.missing) == (1, 1)
    low, high = deaf.moved.interval
    assert low == pytest.approx(0) and 0.5 < high < 0.6  # Wilson, 0 of 3


def test_every_count_lists_its_pairs(contrast, predict):
    made, before, after = contrast("en en en ee nn e-")
    predict("reader", before, "eeeeee")
    predict("reader", after, "nnennn")
    models = [run.model for run in latest_runs(made)]
    (reader,) = contrast_counts(made, Chosen()).models
    for part in (reader.moved, reader.moved_wrongly, *reader.right):
        chosen = Chosen(**{name: value or "" for name, value in part.filters.items() if name != "model"},
                        model=part.filters["model"])  # fmt: skip
        numbers = list(contrast_numbers(made, chosen))
        assert len(numbers) == part.count
        assert [row.pair.pk for row in contrast_rows(made, numbers, models)] == numbers
    one = contrast_counts(made, Chosen(contrast="few deleted"))
    assert one.total == 3 and counts(one.models[0].moved) == (1, 1)


def test_the_newest_run_counts_and_a_model_without_one_on_the_originals_has_nothing(contrast, predict):
    made, before, after = contrast("en")
    predict("reader", before, "n")
    predict("reader", before, "e")
    predict("reader", after, "n")
    predict("only after", after, "n")
    only, reader = contrast_counts(made, Chosen()).models
    assert counts(reader.moved) == (1, 1)
    assert counts(only.moved) == (0, 0) and only.moved.share is None and only.missing == 1


def test_an_original_of_another_study_is_none(contrast, predict, olaf):
    from apps.datasets.models import CalculusLabel
    from apps.datasets.services import pair_get_or_create
    from apps.studies.models import Study

    made, _before, after = contrast("en")
    theirs = dataset_create(study=Study.objects.get(name="Another study"), actor=olaf, name="Theirs")
    secret = pair_get_or_create(
        dataset=theirs, premises=[("A secret.", None)], hypothesis="No secret.", origin="import"
    )
    CalculusLabel.objects.create(pair=secret, engine="n", engine_version="1", convention="med", parser="p",
                                 label="entailment", reason="r")  # fmt: skip
    model = Model.objects.create(study=theirs.study, name="theirs", kind="overlap")
    run = Run.objects.create(model=model, dataset=theirs)
    Prediction.objects.create(run=run, pair=secret, label="entailment")
    Pair.objects.filter(pk=after[0].pk).update(facts={"contrast_of": secret.pk, "contrast": "few → a few"})
    predict("reader", after, "n")
    found = contrast_counts(made, Chosen())
    assert found.labelled == 0 and found.models[0].missing == 1


def test_the_page_counts_lists_and_leads_to_the_pairs(contrast, predict, client_of, rosa, study):
    made, before, after = contrast("en ee")
    predict("reader", before, "ee")
    predict("reader", after, "nn")
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/{made.pk}/contrasts/"
    page = client.get(address)
    text = page.content.decode()
    assert "2 contrasts, 2 labelled by the calculus before and after; the label changes in 1." in text
    model = page.context["counts"].models[0].model.pk
    assert f"should=stay&amp;did=moved&amp;model={model}#pairs" in text
    some = client.get(f"{address}?should=stay&did=moved&model={model}")
    assert [row.pair.pk for row in some.context["rows"]] == [after[1].pk]
    assert some.context["rows"][0].original == before[1]
    assert "Few old dogs 1 ran." in some.content.decode()
    assert "Choose the model of which this is asked" in client.get(f"{address}?did=moved").content.decode()


def test_a_set_that_was_made_is_found_from_its_originals(make, dataset, ada, client_of, rosa, study):
    original = make(premise="Few dogs ran.", hypothesis="Few old dogs ran.")
    address = f"/s/{study.slug}/dashboard/{dataset.pk}/contrasts/"
    assert "Make a contrast set" in client_of(rosa).get(address).content.decode()
    made, _job = contrast_set_create(dataset=dataset, actor=ada, name="Few", wanted=["few → a few"])
    contrasts_store(
        dataset=made, made=[(original.pk, item) for item in contrasts_of(original, ["few → a few"])]
    )
    assert list(sets_of(dataset)) == [made] and list(sets_of(made)) == []
    text = client_of(rosa).get(address).content.decode()
    assert f"/s/{study.slug}/dashboard/{made.pk}/contrasts/" in text
    own = client_of(rosa).get(f"/s/{study.slug}/dashboard/{made.pk}/contrasts/").content.decode()
    assert "No model has predicted these contrasts yet" in own


def test_the_api_has_the_same(contrast, predict, ada, olaf, token_client):  # noqa: F811
    made, before, after = contrast("en ee")
    predict("reader", before, "ee")
    predict("reader", after, "nn")
    client, address = token_client(ada), f"/api/v1/datasets/{made.pk}/contrasts/"
    found = client.get(address).json()
    (reader,) = found["models"]
    assert (found["total"], found["changes"], found["count"]) == (2, 1, 2)
    assert (reader["moved"]["count"], reader["moved_wrongly"]["count"]) == (1, 1)
    assert reader["right_after"]["share"] == 0.5 and len(reader["moved"]["interval"]) == 2
    query = {"model": reader["model"], "should": "stay", "did": "moved"}
    (row,) = client.get(address, query).json()["pairs"]
    assert (row["pair"], row["original"]) == (after[1].pk, before[1].pk)
    assert row["said"] == {str(reader["model"]): ["entailment", "non-entailment"]}
    assert client.get(address, {"did": "moved"}).json()["errors"][0]["parameter"] == "model"
    assert token_client(olaf).get(address).status_code == 404
