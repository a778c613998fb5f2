"""Presets of operators, several at once, and the stop list's whole sentences (MED, section 3.1.1)."""

import pytest
from django.urls import reverse

from apps.corpora import blank_services
from apps.corpora.blank_selectors import BlankFilters, candidates, unstopped
from apps.corpora.models import BlankSet
from apps.corpora.operator_presets import operator_presets
from apps.corpora.stop_lists import StopList
from natlog.lexicon.operators import load_operators

SIGNS = {"↑": 1, "=": 0, "↓": -1}


@pytest.fixture
def desk(client_of, rosa):
    return client_of(rosa)


def sentences(study, **filters):
    found = candidates(study=study, filters=BlankFilters(**filters))
    return {item.sentence_text.split()[0] for item in found}


# ---- The file ------------------------------------------------------------------------------------
def test_every_operator_of_a_preset_is_one_of_the_calculus():
    known = set(load_operators().by_id)
    assert {name for preset in operator_presets().values() for name in preset.operators} <= known


@pytest.mark.parametrize("row", operator_presets()["med-table-1"].rows, ids=lambda row: row.words[0])
@pytest.mark.parametrize("convention", ["default", "med"])
def test_the_signs_of_table_1_are_those_of_a_convention(row, convention):
    """``default`` follows it but for *any*; ``med`` follows the labels, which read definites as ↑."""
    other = {"any"} if convention == "default" else {"the"}
    operators = load_operators(convention).by_id
    for name in row.operators:
        found = [operators[name].signs[part] for part in ("first", "second")]
        assert (found == [SIGNS[row.first], SIGNS[row.second]]) is not (name in other), name


def test_the_paper_took_so_many_of_each_direction():
    preset = operator_presets()["med-2019"]
    assert dict(preset.quotas) == {"up": 1485, "down": 1982, "flat": 0}
    tables = operator_presets()["med-table-1"].operators, operator_presets()["med-table-2"].operators
    assert set(preset.operators) == set(tables[0]) | set(tables[1])


@pytest.mark.both
# ---- Several operators ---------------------------------------------------------------------------
def test_several_operators_at_once(study, parsed):
    assert sentences(study, operators=("no",)) == {"No"}
    assert sentences(study, operators=("no", "if")) == {"No", "If"}
    assert sentences(study, operators=("no", "if"), without=("if",)) == {"No"}


def test_a_presets_button_ticks_its_operators_and_writes_its_quotas(study, parsed, desk):
    address = reverse("blanks:new", args=[study.slug])
    sent = {
        "preset": "med-2019",
        "minimum": "1",
        "sentence_minimum": "4",
        "operator": "every",
        "name": "Mine",
    }
    page = desk.get(desk.post(address, sent)["Location"])
    form, pick = page.context["form"], page.context["pick"]
    assert tuple(form["operators"].value()) == operator_presets()["med-2019"].operators
    assert (form["operator"].value(), form["sentence_minimum"].value()) == ("*", "4")
    assert [pick[f"quota_{sign}"].value() for sign in ("up", "down", "flat")] == ["1485", "1982", "0"]
    assert pick["name"].value() == "Mine"
    assert not BlankSet.objects.exists()
    for row in operator_presets()["med-table-2"].rows:
        assert row.words[0] in page.content.decode()


@pytest.mark.both
def test_the_same_seed_and_preset_draw_the_same_blanks_by_direction(study, parsed, ada):
    filters = BlankFilters(operators=operator_presets()["med-2019"].operators)
    sets = [
        blank_services.blank_set_create(
            study=study, actor=ada, name=name, filters=filters, quotas={"up": 2, "down": 1, "flat": 0}, seed=7
        )
        for name in ("one", "two")
    ]
    drawn = [list(made.blanks.values_list("sentence", "start", "end", "polarity")) for made in sets]
    assert drawn[0] == drawn[1]
    assert sorted(row[3] for row in drawn[0]) == ["down", "up", "up"]
    assert BlankFilters.from_json(sets[0].filters) == BlankFilters.from_json(sets[1].filters)


@pytest.mark.both
# ---- The stop list and its sentences -------------------------------------------------------------
def test_the_stop_list_leaves_out_the_blank_or_its_sentence(study, parsed, ada):
    blank_services.stop_expression_add(study=study, actor=ada, expression="small dog")
    blank = BlankFilters(), BlankFilters(stop_sentences=True)
    left = [{item.text for item in candidates(study=study, filters=filters)} for filters in blank]
    assert "small dog" not in left[0] and "some cat" in left[0]
    assert "some cat" not in left[1] and "reads old books" in left[1]


def test_what_it_would_leave_out_is_counted_first(study, parsed, ada, desk):
    blank_services.stop_expression_add(study=study, actor=ada, expression="small dog")
    everything = unstopped(study=study, filters=BlankFilters())
    # “small dog”, and “dog” where “small” stands before it.
    counts = StopList.of(study).counts(everything)
    with_sentence = candidates(study=study, filters=BlankFilters(stop_sentences=True))
    assert counts == (1, 2, 1, len(everything) - len(with_sentence)) and counts.blanks_of_sentences > 2
    text = desk.get(reverse("blanks:new", args=[study.slug])).content.decode()
    assert "2 blanks are one of its expressions" in text and "1 sentence holds one" in text


# ---- The API -------------------------------------------------------------------------------------
@pytest.fixture
def call(client_of, rosa):
    client = client_of(rosa)

    def send(address, body=None):
        url = f"/api/v1/blank-sets/{address}"
        return client.get(url) if body is None else client.post(url, body, content_type="application/json")

    return send


def test_the_api_shows_presets_and_takes_one_by_its_key(study, parsed, call):
    shown = call("presets/").json()
    assert [preset["key"] for preset in shown] == list(operator_presets())
    assert shown[2]["quotas"] == {"up": 1485, "down": 1982, "flat": 0}
    body = {
        "study": study.slug,
        "name": "By preset",
        "filters": {"preset": "med-table-2", "operators": ["some"]},
        "quotas": {"down": 2},
        "seed": 3,
    }
    made = call("", body)
    assert made.status_code == 201, made.content
    assert made.json()["filters"]["operators"] == [*operator_presets()["med-table-2"].operators, "some"]
    assert call("", {**body, "name": "x", "filters": {"preset": "nothing"}}).status_code == 422


def test_the_api_counts_what_the_stop_list_would_leave_out(study, parsed, ada, call):
    blank_services.stop_expression_add(study=study, actor=ada, expression="small dog")
    whole = call("preview/", {"study": study.slug, "filters": {"stop_sentences": True, "categories": []}})
    stopped = whole.json()["stopped"]
    assert (stopped["blanks"], stopped["sentences"]) == (2, 1)
    kept = call("preview/", {"study": study.slug, "filters": {"stop_list": False, "categories": []}}).json()
    assert kept["total"] - whole.json()["total"] == stopped["blanks_of_sentences"]
