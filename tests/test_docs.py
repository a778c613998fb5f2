"""The documentation names what there is."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
FOLDERS = "apps|config|docs|natlog|measures|tests|workers|templates|static|requirements|bench|locale"
ENDINGS = "py|md|toml|tsv|txt|html|css|js"
FILES = [str(path) for folder in FOLDERS.split("|") for path in (ROOT / folder).rglob("*.py")]
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
    """Paths with a folder of the checkout in front, in code blocks too; modules by the end of their path."""
    text = document.read_text(encoding="utf-8")
    named = set(re.findall(rf"(?<![\w/.-])((?:{FOLDERS})/[\w/.-]+\.(?:{ENDINGS}))\b", text))
    folders = set(re.findall(rf"`((?:{FOLDERS})/(?:[\w.-]+/)*)`", text))
    assert {name for name in named | folders if not (ROOT / name).exists()} == set()
    modules = set(re.findall(r"`((?:\w+/)*\w+\.py)`", text))
    assert {name for name in modules if not any(file.endswith(f"/{name}") for file in FILES)} == set()


@pytest.mark.parametrize("document", DOCS, ids=lambda document: document.name)
def test_names_that_a_page_puts_into_a_file_are_in_it(document):
    """As in: `register` and `belong` of `apps/studies/rooms.py`."""
    text = document.read_text(encoding="utf-8")
    places = re.findall(r"((?:`\w+`(?:,| and)? )+)of `((?:\w+/)+\w+\.\w+)`", text)
    named = [
        (name, path) for names, path in places for name in re.findall(r"\w+", names.replace(" and ", " "))
    ]
    missing = {
        (name, path)
        for name, path in named
        if not re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8"))
    }
    assert missing == set()
    assert len(named) > 20 or document.name != "developers.md"


def test_the_floors_are_those_of_the_contract():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = (one["layers"] for one in config["tool"]["importlinter"]["contracts"] if "containers" in one)
    table = (ROOT / "docs" / "developers.md").read_text(encoding="utf-8").partition("### The floors")[2]
    assert (
        re.findall(r"^\| [^|]*\| ([a-z]+) \|", table.partition("| libraries")[0], re.MULTILINE)[1:] == layers
    )


@pytest.mark.parametrize("document", DOCS, ids=lambda document: document.name)
def test_commands_that_a_page_names_exist(document):
    text = document.read_text(encoding="utf-8")
    commands = {path.stem for path in ROOT.glob("*/**/management/commands/*.py")}
    django = {"migrate", "createsuperuser", "check", "collectstatic", "makemessages", "makemigrations"}
    assert set(re.findall(r"manage\.py (\w+)", text)) <= commands | django
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`(?:\w+=\w+ )?make (\w+)`", text)) <= targets
