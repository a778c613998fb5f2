"""Files as spreadsheets, annotation programs and libraries really write them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.campaigns.models import Judgement
from apps.corpora.sources import LONGEST_LINE
from apps.datasets.models import Dataset, GoldLabel, Pair
from apps.imports import services
from apps.imports.models import PairDraft
from apps.imports.readers import Choices
from apps.imports.rows import PairRow
from tests.corpora.test_workbooks import workbook, zipped
from tests.imports.layouts import parquet

pytestmark = pytest.mark.django_db

HEADER = "premise,hypothesis,label\n"


@pytest.fixture
def stored_of(drafted, ada) -> Callable[..., list[Pair]]:
    """The pairs that a file leaves in its dataset."""

    def store(content: str | bytes, name: str = "pairs.csv", **options) -> list[Pair]:
        draft = drafted(content, name, **options)
        assert "problem" not in draft.preview and not draft.preview["errors"], draft.preview
        services.draft_commit(draft=draft, actor=ada)
        draft.refresh_from_db()
        return list(draft.dataset.pairs.order_by("pk").prefetch_related("premises", "gold_labels"))

    return store


def texts(pairs: list[Pair]) -> list[tuple[str, str]]:
    return [(pair.premise, pair.hypothesis) for pair in pairs]


def labels(pairs: list[Pair]) -> list[str]:
    return [next((gold.label for gold in pair.gold_labels.all()), "") for pair in pairs]


# ---- Tables --------------------------------------------------------------------------------------
def test_a_byte_order_mark_is_no_part_of_the_first_header(stored_of):
    assert texts(stored_of("\ufeff" + HEADER + "A dog ran.,An animal ran.,neutral\n")) == [
        ("A dog ran.", "An animal ran.")
    ]


def test_a_cell_with_a_line_end_a_comma_and_quotes_is_one_cell(stored_of):
    file = io.StringIO()
    cell = 'She said, "Go,\nnow".'
    csv.writer(file).writerows([["premise", "hypothesis"], [cell, "Somebody spoke."]])
    assert texts(stored_of(file.getvalue())) == [(cell, "Somebody spoke.")]


@pytest.mark.parametrize("encoding", ["cp1252", "shift_jis", "gb18030"])
def test_a_file_in_another_encoding_is_refused_with_a_guess_to_accept(drafted, encoding):
    text = {"cp1252": "Le garçon a mangé déjà."}.get(encoding, "犬が走る。猫が寝る。彼は日本語を話す。")
    draft = drafted((HEADER + f"{text},{text}!,neutral\n" * 5).encode(encoding))
    assert (draft.preview["step"], draft.preview["guess"]) == ("encoding", encoding)


@pytest.mark.parametrize("header", [" premise ,hypothesis", "Premise,HYPOTHESIS ", '"premise","hypothesis "'])
def test_a_padded_header_is_the_header(stored_of, header):
    assert len(stored_of(header + "\nA.,B.\n")) == 1


@pytest.mark.parametrize("header", ["premise,premise", "text,judged", "A dog ran.,An animal ran."])
def test_headers_that_say_nothing_are_named_and_a_mapping_is_asked_for(drafted, header):
    draft = drafted(header + "\nA.,B.\n")
    assert draft.preview["step"] == "columns"
    assert all(f"“{name}" in draft.preview["problem"] for name in header.split(","))
    assert not Dataset.objects.exists()


def test_row_7312_of_10000_is_named_with_its_column_and_stops_all(drafted, ada):
    lines = [f"No dog {n} ran.,No small dog {n} ran.,neutral\n" for n in range(1, 10_001)]
    lines[7311] = "No dog ran.,,neutral\n"
    draft = drafted(HEADER + "".join(lines))
    draft = services.draft_preview(draft=draft, actor=ada, here=True)
    assert draft.preview["errors"] == [
        {"row": 7312, "line": 7313, "column": "hypothesis", "message": "This text is empty."}
    ]
    with pytest.raises(ValidationError, match="Nothing was stored"):
        services.draft_commit(draft=draft, actor=ada, here=True)
    assert not Pair.objects.exists()


def test_a_cell_of_200000_characters_meets_the_limit_of_texts(drafted):
    draft = drafted(HEADER + f"{'x' * 200_000},B.,neutral\n")
    (error,) = draft.preview["errors"]
    assert (error["row"], error["column"]) == (1, "premise")
    assert error["message"] == "This text has 200000 characters; at most 20000 are taken."


def test_composed_and_decomposed_letters_are_one_pair_and_the_first_spelling_stays(stored_of):
    (pair,) = stored_of("premise,hypothesis\nCafe\u0301s open.,B.\nCaf\u00e9s open.,B.\n")
    assert pair.premise == "Cafe\u0301s open."


def test_right_to_left_with_a_latin_name_stays_as_it_is(stored_of):
    text = "כל סטודנט של Chomsky קרא את \u2067MED\u2069."
    assert stored_of(f"premise,hypothesis\n{text},{text}!\n")[0].premise == text


@pytest.mark.parametrize("content", ["", "\n \n\n", HEADER, "\ufeff", "[]", "[\n]"])
def test_a_file_without_rows_is_0_rows(drafted, ada, content):
    draft = drafted(content, "pairs.csv")
    assert (draft.preview["rows"], draft.preview["pairs"]) == (0, 0)
    services.draft_commit(draft=draft, actor=ada)
    assert not Pair.objects.exists()


def test_3500_rows_are_stored_once_however_often_they_come(stored_of, drafted, ada, work):
    content = HEADER + "".join(f"No dog {n} ran.,No small dog {n} ran.,neutral\n" for n in range(3500))
    for _time in range(2):
        services.draft_commit(draft=drafted(content), actor=ada)
        work()
    assert Dataset.objects.get().pairs.count() == 3500


def test_excel_s_hint_is_no_header(stored_of):
    content = "sep=;\r\npremise;hypothesis;label\r\nA, b.;C.;neutral\r\n"
    assert texts(stored_of(content)) == [("A, b.", "C.")]


def test_rows_are_counted_from_the_file_s_first_line_under_excel_s_hint(drafted):
    (error,) = drafted("sep=;\npremise;hypothesis\nA.;\n").preview["errors"]
    assert (error["row"], error["line"]) == (1, 3)


@pytest.mark.parametrize(
    "content",
    [
        "premise,hypothesis\rA dog ran.,An animal ran.\r",
        "premise,hypothesis\r\nA dog ran.,An animal ran.\r\n",
        "premise,hypothesis\n\nA dog ran.,An animal ran.",
    ],
)
def test_every_kind_of_line_end_is_read(stored_of, content):
    assert texts(stored_of(content)) == [("A dog ran.", "An animal ran.")]


def test_line_separators_and_emoji_are_letters(stored_of):
    premise, hypothesis = "A 👩‍👩‍👧‍👦 ran.\u2028Fast.", "An 🏳️‍🌈 ran.\x85"
    row = json.dumps({"premise": premise, "hypothesis": hypothesis + "."}, ensure_ascii=False)
    assert texts(stored_of(row + "\n" + row + "\n", "pairs.jsonl")) == [(premise, hypothesis + ".")]


def test_a_script_tag_is_shown_as_text(drafted, client_of, rosa, study, ada):
    tag = "<script>alert(1)</script>"
    draft = drafted(
        f"premise,hypothesis,label\n{tag},B.,{tag}\n{tag},B.,neutral\n", f"{tag}.csv", dataset=tag
    )
    client = client_of(rosa)
    page = client.get(reverse("imports:draft", args=[study.slug, draft.pk])).content.decode()
    services.draft_commit(draft=draft, actor=ada, skip_bad=True)
    page += client.get(
        reverse("curation:dataset", args=[study.slug, Dataset.objects.get().pk])
    ).content.decode()
    assert "&lt;script&gt;" in page and tag not in page


# ---- Labels --------------------------------------------------------------------------------------
@pytest.mark.parametrize("gold", ["-", "", "nan", "None", None])
def test_no_majority_is_no_label_and_the_judgements_come_in(stored_of, gold):
    row = {"sentence1": "A.", "sentence2": "B.", "gold_label": gold}
    answers = ["entailment", "neutral", "entailment", "contradiction", "neutral"]
    assert len(stored_of(json.dumps({**row, "annotator_labels": answers}) + "\n", "snli.jsonl")) == 1
    assert not GoldLabel.objects.exists() and Judgement.objects.count() == 5
    assert Dataset.objects.get().labels == ["entailment", "non-entailment", "contradiction"]


NUMBERS = {"0": "entailment", "1": "neutral", "2": "contradiction", "-1": ""}


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("premise,hypothesis,label\nA.,B.,0\nC.,D.,2\nE.,F.,-1\n", "n.csv"),
        ("premise,hypothesis,label\nA.,B.,0.0\nC.,D.,2.0\nE.,F.,-1.0\n", "n.csv"),
        ("premise,hypothesis,label\nA.,B.,0\nC.,D.,2\nE.,F.,\u22121\n", "n.csv"),
        (
            "".join(
                json.dumps({"premise": p, "hypothesis": h, "label": n}) + "\n"
                for p, h, n in (("A.", "B.", 0), ("C.", "D.", 2.0), ("E.", "F.", -1))
            ),
            "n.jsonl",
        ),
    ],
)
def test_numbers_are_asked_about_and_minus_one_can_be_none(drafted, stored_of, content, name):
    asked = drafted(content, name).preview
    assert [(one["found"], one["rows"], one["suggested"]) for one in asked["unknown"]] == [
        ("0", 1, ""), ("2", 1, ""), ("-1", 1, "none"),
    ]  # fmt: skip
    assert asked["bad"] == 3
    pairs = stored_of(content, name, choices=Choices(values=NUMBERS))
    assert labels(pairs) == ["entailment", "contradiction", ""]


def test_numbers_of_a_known_format_are_asked_about_too(drafted, stored_of):
    content = "sentence1\tsentence2\tgold_label\tlabel1\nA.\tB.\t0\t1\n"
    assert [one["found"] for one in drafted(content).preview["unknown"]] == ["0"]
    stored_of(content, "x.tsv", choices=Choices(values=NUMBERS))
    assert Judgement.objects.get().answer == "non-entailment"


def test_not_a_number_is_no_label(stored_of):
    rows = [{"premise": p, "hypothesis": "B.", "label": n} for p, n in (("A.", 0.0), ("C.", float("nan")))]
    for content, name in ((parquet(rows), "n.parquet"), (json.dumps(rows), "n.json")):
        pairs = stored_of(content, name, dataset=name, choices=Choices(values=NUMBERS))
        assert labels(pairs) == ["entailment", ""]


def with_names(rows: list[dict[str, object]], features: dict[str, object]) -> bytes:
    """Parquet as `datasets` writes it, with the names of its labels."""
    import pyarrow
    from pyarrow import parquet as files

    table = pyarrow.Table.from_pylist(rows)
    metadata = {b"huggingface": json.dumps({"info": {"features": features}}).encode()}
    file = io.BytesIO()
    files.write_table(table.replace_schema_metadata(metadata), file)
    return file.getvalue()


CLASSES = {"names": ["contradiction", "entailment", "neutral"], "_type": "ClassLabel"}


def test_the_names_in_a_parquet_file_s_own_metadata_are_used(stored_of):
    rows = [
        {"sentence1": f"A {n}.", "sentence2": "B.", "gold_label": n, "annotator_labels": [1, n]}
        for n in (1, 0, 2, -1)
    ]
    features = {
        "sentence1": {"dtype": "string", "_type": "Value"},
        "gold_label": CLASSES,
        "annotator_labels": {"feature": CLASSES, "_type": "List"},
    }
    pairs = stored_of(with_names(rows, features), "snli.parquet")
    assert labels(pairs) == ["entailment", "contradiction", "non-entailment", ""]
    assert Judgement.objects.count() == 7


@pytest.mark.parametrize("features", [{}, [], {"label": 1}, {"label": {"names": [1, 2]}}, {"label": [None]}])
def test_metadata_of_another_form_is_left_aside(drafted, features):
    rows = [{"premise": "A.", "hypothesis": "B.", "label": 1}]
    assert drafted(with_names(rows, features), "x.parquet").preview["unknown"][0]["found"] == "1"


def test_no_is_asked_about_and_yes_is_not(drafted, stored_of):
    content = HEADER + "A.,B.,yes\nC.,D.,No\n"
    (asked,) = drafted(content).preview["unknown"]
    assert asked == {"found": "No", "rows": 1, "suggested": ""}
    pairs = stored_of(content, choices=Choices(values={"No": "non-entailment"}))
    assert labels(pairs) == ["entailment", "non-entailment"]
    assert Dataset.objects.get(name="In").labels == ["entailment", "non-entailment"]


def test_beside_a_third_label_no_is_probably_a_contradiction(drafted):
    (asked,) = drafted(HEADER + "A.,B.,yes\nC.,D.,no\nE.,F.,unknown\n").preview["unknown"]
    assert asked["suggested"] == "contradiction"


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("contradictory", "contradiction"),
        ("contradicts", "contradiction"),
        ("entails", "entailment"),
        ("Entailed", "entailment"),
        ("NonEntailment", "non-entailment"),
        ("not entailment", "non-entailment"),
        ("neutrals", "neutral"),
    ],
)
def test_a_near_spelling_is_offered(drafted, written, near):
    preview = drafted(HEADER + f"A.,B.,{written}\n").preview
    assert preview["unknown"] == [{"found": written, "rows": 1, "suggested": near}]
    assert f"Is it “{near}”? Say what it stands for" in preview["errors"][0]["message"]


def test_many_rows_with_an_unknown_label_leave_room_for_other_errors(drafted):
    rows = "".join(f"A {n}.,B.,0\n" for n in range(300)) + ",B.,neutral\n"
    preview = drafted(HEADER + rows).preview
    assert (preview["bad"], len(preview["errors"]), preview["errors"][-1]["row"]) == (301, 4, 301)


# ---- JSON ----------------------------------------------------------------------------------------
PAIRS = [
    {"premise": "A dog ran.", "hypothesis": "An animal ran.", "label": "entailment"},
    {"premise": "No dog ran.", "hypothesis": "No animal ran.", "label": "neutral"},
]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_list_of_objects_is_a_file_of_pairs(stored_of, indent, encoding):
    pairs = stored_of(json.dumps(PAIRS, indent=indent).encode(encoding), "pairs.json")
    assert labels(pairs) == ["entailment", "non-entailment"]


def test_a_list_on_one_line_may_be_longer_than_a_line(events):
    row = {"premise": "A dog ran." + " x" * 500, "hypothesis": "An animal ran.", "label": "neutral"}
    count = 3 * LONGEST_LINE // len(json.dumps(row))
    found = events(json.dumps([row] * count), "pairs.json")
    assert len(found) == count and all(isinstance(event, PairRow) for event in found)


def test_a_list_names_the_line_and_the_row_of_what_is_wrong(drafted, events):
    text = json.dumps([*PAIRS, {**PAIRS[0], "hypothesis": ""}, 5], indent=1)
    first, second = drafted(text, "pairs.json").preview["errors"]
    assert (first["row"], first["line"], first["column"]) == (3, 12, "hypothesis")
    assert (second["row"], second["line"]) == (4, 17)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_list_that_breaks_off_says_where(drafted, cut):
    preview = drafted(json.dumps(PAIRS, indent=1)[:-cut], "pairs.json").preview
    assert "No JSON" in preview["problem"]


def test_label_studio_s_tasks(stored_of):
    def annotation(choice: str, **more) -> dict[str, object]:
        return {"result": [{"type": "choices", "value": {"choices": [choice]}}], **more}

    task = {
        "id": 7,
        "data": {"premise": "A dog ran.", "hypothesis": "An animal ran."},
        "annotations": [
            annotation("Entailment"), annotation("neutral"), annotation("neutral", was_cancelled=True),
            {"result": []},
        ],
    }  # fmt: skip
    (pair,) = stored_of(json.dumps([task]), "project.json")
    assert (pair.premise, pair.hypothesis) == ("A dog ran.", "An animal ran.")
    assert sorted(Judgement.objects.values_list("answer", flat=True)) == ["entailment", "non-entailment"]


def test_doccano_s_label_is_a_list_of_one(stored_of, drafted):
    def row(*found: str) -> str:
        return json.dumps([{"id": 1, "premise": "A.", "hypothesis": "B.", "label": list(found)}])

    assert labels(stored_of(row("entailment"), "all.json")) == ["entailment"]
    assert labels(stored_of(row(), "none.json", dataset="None")) == [""]
    (error,) = drafted(row("entailment", "neutral"), "two.json").preview["errors"]
    assert error["message"] == "several labels: entailment, neutral"


# ---- Workbooks and archives ----------------------------------------------------------------------
SHEET = [
    ["Premise", "Hypothesis", "Label", None],
    ["A dog ran.", "An animal ran.", 0],
    ["No dog ran.", "X.", 1.0],
]


def test_a_workbook_is_read_as_a_table(stored_of):
    content = workbook(Pairs=SHEET, Notes=[])
    pairs = stored_of(content, "pairs.xlsx", choices=Choices(values=NUMBERS))
    assert texts(pairs) == [("A dog ran.", "An animal ran."), ("No dog ran.", "X.")]
    assert labels(pairs) == ["entailment", "non-entailment"]


def test_a_bad_row_of_a_workbook_has_the_sheet_s_own_number(drafted):
    content = workbook(Pairs=[SHEET[0], [], ["A dog ran.", None, "neutral"]])
    (error,) = drafted(content, "pairs.xlsx").preview["errors"]
    assert (error["row"], error["line"], error["column"]) == (1, 3, "hypothesis")


def upload(client, study, data: bytes, name: str) -> str:
    url = reverse("imports:new", args=[study.slug])
    response = client.post(url, {"file": SimpleUploadedFile(name, data), "name": "In"}, follow=True)
    return response.content.decode()


def test_one_sheet_of_a_workbook_is_chosen_on_the_page(client_of, rosa, study):
    client = client_of(rosa)
    page = upload(client, study, workbook(One=SHEET, Two=SHEET[:2]), "pairs.xlsx")
    assert "The workbook has several sheets" in page and "Sheet of the workbook" in page
    draft = PairDraft.objects.get()
    address = reverse("imports:choose", args=[study.slug, draft.pk])
    page = client.post(address, {"member": "Two"}, follow=True).content.decode()
    assert "What “0” stands for" in page and "What “1” stands for" not in page


def test_an_old_workbook_is_refused_by_name_on_the_page(client_of, rosa, study):
    page = upload(client_of(rosa), study, bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 512, "pairs.xls")
    assert "this is an Excel workbook in the old form (.xls)" in page


def test_what_macos_leaves_in_an_archive_is_no_choice(stored_of):
    content = HEADER.encode() + b"A.,B.,neutral\n"
    packed = zipped(
        {"set/pairs.csv": content, "set/._pairs.csv": b"\0\5\x16\7", "__MACOSX/set/._x.csv": b"?"}
    )
    assert len(stored_of(packed, "pairs.zip")) == 1


def test_a_packed_workbook_or_archive_is_not_unpacked(drafted):
    for inner in (workbook(Pairs=SHEET), gzip.compress(b"x")):
        assert "an archive within an archive" in drafted(gzip.compress(inner), "x.gz").preview["problem"]


def test_facts_that_json_can_t_hold_are_text(stored_of):
    from datetime import date
    from decimal import Decimal

    row = {"p": "A.", "h": "B.", "when": date(2024, 5, 4), "score": float("inf"), "cost": Decimal("1.5")}
    mapping = {"premises": ["p"], "hypothesis": "h", "facts": ["when", "score", "cost"]}
    choices = Choices.of({"format": "mapped", "mapping": mapping})
    (pair,) = stored_of(parquet([row]), "x.parquet", choices=choices)
    assert pair.facts == {"when": "2024-05-04", "cost": "1.5"}


def test_a_nul_deep_in_a_fact_is_an_error_of_its_row(drafted):
    row = {"premises": ["A."], "hypothesis": "B.", "gold_label": "neutral", "facts": {"notes": ["x\0"]}}
    (error,) = drafted(json.dumps(row), "release.jsonl").preview["errors"]
    assert error["column"] == "notes"
