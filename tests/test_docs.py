"""The documentation names what there is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
DECISIONS = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")


def required(name: str) -> set[str]:
    """The packages asked for in a requirements file, without extras and versions."""
    lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
    found = (re.match(r"[A-Za-z0-9._-]+", line) for line in lines if not line.startswith(("-", "#")))
    return {match[0].lower() for match in found if match}


def test_every_dependency_has_its_reason():
    reasons = dict(re.findall(r"^\| ([a-z0-9-]+) \| (.+) \|$", DECISIONS, re.MULTILINE))
    reasons.pop("package", None)
    assert set(reasons) == required("base") | required("dev")


@pytest.mark.parametrize("name", ["annotators", "researchers", "hosts", "developers", "decisions"])
def test_every_reader_has_a_page(name):
    assert (ROOT / "docs" / f"{name}.md").is_file()


@pytest.mark.parametrize("document", DOCS, ids=lambda document: document.name)
def test_files_that_a_page_names_exist(document):
    """Paths with a folder of the checkout in front; those in code blocks too."""
    text = document.read_text(encoding="utf-8")
    folders = "apps|config|docs|measures|natlog|tests|workers|templates|static|requirements"
    named = set(
        re.findall(rf"(?<![\w/.-])((?:{folders})/[\w/.-]+\.(?:py|md|toml|tsv|txt|html|css|js))\b", text)
    )
    missing = {name for name in named if not (ROOT / name).exists()}
    assert missing == set()


@pytest.mark.parametrize("document", DOCS, ids=lambda document: document.name)
def test_commands_that_a_page_names_exist(document):
    text = document.read_text(encoding="utf-8")
    commands = {path.stem for path in ROOT.glob("*/**/management/commands/*.py")}
    django = {"migrate", "createsuperuser", "check", "collectstatic", "makemessages", "makemigrations"}
    assert set(re.findall(r"manage\.py (\w+)", text)) <= commands | django
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`(?:\w+=\w+ )?make (\w+)`", text)) <= targets
