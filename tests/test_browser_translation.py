"""A browser that translates a page leaves data alone: ``translate="no"`` around sentences, blanks, what was
written and the names that people gave, in every template. The words around them may be translated."""

import re

import pytest
from django.conf import settings

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
PIECE = re.compile(
    r"\{#.*?#\}|\{%.*?%\}|(?P<value>\{\{.*?\}\})"
    r"|<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)(?P<rest>(?:[^<>{}]|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})*)>",
    re.S,
)
# Elements that have no end.
VOID = {"input", "br", "meta", "link", "img", "hr", "path", "use", "col"}
# The last words of a variable that holds what people read or wrote, whatever object has it.
DATA = {
    "text", "premise", "hypothesis", "before", "after", "surface", "sentence", "phrase", "replacement",
    "note", "explanation", "reason", "body", "expression",
}  # fmt: skip
# What has such a name and is a sentence of the program's own; or is said in an attribute, which no browser
# translates.
OWN_WORDS = {
    ("work/", "nothing.text"), ("work/home.html", "task.nothing.text"),
    ("panels/finish.html", "standing.nothing.text"), ("panels/no_arrival.html", "reason"),
    ("accounts/link_refused.html", "reason"), ("api/docs.html", "kind.text"),
    ("api/room.html", "operation.body"), ("campaigns/opening.html", "doubt.text"),
    ("quality/person.html", "before"), ("dashboard/home.html", "people.text"),
    ("dashboard/home.html", "points.text"), ("dashboard/home.html", "table.agreement.text"),
    ("reports/report.html", "sentence"), ("releases/_coefficient.html", "found.reason"),
    ("studies/overview.html", "step.text"), ("studies/keep.html", "text"),
    ("models/", "verdict.text"), ("models/_chat_usage.html", "reason"),
    ("models/_pending.html", "pair.reason"), ("dashboard/report.html", "sentence"),
}  # fmt: skip


def pieces(source):
    """Each start tag and each value of a template, with the open elements around it: (kind, what, around).

    Branches of a condition stand one after the other, as they are written: whatever is opened in one is
    closed in it.
    """
    open_elements = []
    for found in PIECE.finditer(source):
        if found["value"]:
            yield "value", found["value"][2:-2].strip(), list(open_elements)
        elif found["name"] and not found["end"]:
            tag = (found["name"], found["rest"])
            yield "tag", tag, list(open_elements)
            if found["name"] not in VOID and not found["rest"].endswith("/"):
                open_elements.append(tag)
        elif found["name"]:
            for place in range(len(open_elements) - 1, -1, -1):
                if open_elements[place][0] == found["name"]:
                    del open_elements[place:]
                    break


def is_kept(around):
    """What the innermost element that says anything says."""
    said = [re.search(r'translate="(yes|no)"', rest) for _name, rest in around]
    return next((found[1] == "no" for found in reversed(said) if found), False)


def holds_data(name, rest):
    return (name == "bdi" or 'dir="auto"' in rest) and 'lang="{{ LANGUAGE_CODE }}"' not in rest


def name_of(path):
    return str(path.relative_to(settings.BASE_DIR / "templates"))


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_what_holds_data_says_that_it_is_not_to_be_translated(path):
    source = path.read_text(encoding="utf-8")
    wrong = [
        f"<{what[0]}{what[1]}>"
        for kind, what, around in pieces(source)
        if kind == "tag" and holds_data(*what) and not is_kept([*around, what])
    ]
    assert wrong == []


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_no_sentence_stands_outside(path):
    source = path.read_text(encoding="utf-8")
    wrong = []
    for kind, what, around in pieces(source):
        variable, _bar, filters = str(what).partition("|") if kind == "value" else ("", "", "")
        is_data = variable.rpartition(".")[2] in DATA and not filters.startswith(("length", "date", "yesno"))
        is_own = any(name_of(path).startswith(place) and variable == own for place, own in OWN_WORDS)
        if is_data and not is_own and not is_kept(around):
            wrong.append(what)
    assert wrong == []


def test_the_reader_of_templates_sees_what_it_should():
    source = '<p dir="auto" translate="no">{{ a.text }}<bdi translate="yes">{{ b }}</bdi></p>{{ c.text }}'
    found = {what: is_kept(around) for kind, what, around in pieces(source) if kind == "value"}
    assert found == {"a.text": True, "b": False, "c.text": False}


def test_starting_instructions_keep_their_examples():
    from django.utils.translation import override

    from apps.campaigns.guidelines import instructions_of, starting_body

    with override("de"):
        shown = instructions_of(starting_body("validation"))
    german = shown.split("<details")[0]
    assert german.count('<li dir="auto" lang="en" translate="no">') > 10
