"""The translations are whole: nothing new, empty, fuzzy or broken; the compiled file is its source.

The compiled files are committed, so that a fresh clone speaks every language with Python alone. Only the
test that collects the strings anew needs gettext's programs, and says so where they are missing.
"""

from __future__ import annotations

import ast
import gettext
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).parent.parent
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
SOURCES = ("apps", "config", "workers", "natlog", "measures", "templates", "static", "locale", "manage.py")

_PLACES = re.compile(r"%\(\w+\)|%[sd%]|%\.\df|\{\w*\}|</?\w+[^>]*>")
_LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) (".*")')


@dataclass
class Entry:
    context: str = ""
    msgid: str = ""
    plural: str = ""
    forms: dict[str, str] = field(default_factory=dict)
    flags: str = ""

    @property
    def key(self) -> str:
        """As compiled files have it."""
        return f"{self.context}\x04{self.msgid}" if self.context else self.msgid


def catalogue(language: str, root: Path = ROOT) -> list[Entry]:
    """A language's entries, its header first."""
    entries, entry, name = [], Entry(), ""
    for line in (root / f"locale/{language}/LC_MESSAGES/django.po").read_text(encoding="utf-8").splitlines():
        if line.startswith("#,"):
            entry.flags += line
        elif line.startswith("#~"):
            raise AssertionError(f"{language}: an entry that nothing uses any more: {line}")
        elif match := _LINE.match(line):
            name = match[1]
            _put(entry, name, ast.literal_eval(match[2]))
        elif line.startswith('"'):
            _put(entry, name, ast.literal_eval(line))
        elif not line and name:
            entries.append(entry)
            entry, name = Entry(), ""
    return [*entries, entry] if name else entries


def _put(entry: Entry, name: str, text: str) -> None:
    if name == "msgctxt":
        entry.context += text
    elif name == "msgid":
        entry.msgid += text
    elif name == "msgid_plural":
        entry.plural += text
    else:
        entry.forms[name] = entry.forms.get(name, "") + text


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_untranslated_or_fuzzy(language: str) -> None:
    entries = catalogue(language)
    assert len(entries) > 1000
    assert [entry.msgid for entry in entries if not all(entry.forms.values())] == []
    assert [entry.msgid for entry in entries if "fuzzy" in entry.flags] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_and_marked_up_is_the_same_in_both_languages(language: str) -> None:
    wrong = []
    for entry in catalogue(language)[1:]:
        for name, text in entry.forms.items():
            source = entry.plural if name not in ("msgstr", "msgstr[0]") else entry.msgid
            if sorted(_PLACES.findall(source)) != sorted(_PLACES.findall(text)):
                wrong.append((source, text))
            if source[:1].isspace() != text[:1].isspace() or source[-1:].isspace() != text[-1:].isspace():
                wrong.append((source, text))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_file_is_what_its_source_says(language: str) -> None:
    with (ROOT / f"locale/{language}/LC_MESSAGES/django.mo").open("rb") as file:
        compiled: dict[object, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    source: dict[object, str] = {}
    for entry in catalogue(language):
        if entry.plural:
            for number in range(len(entry.forms)):
                source[entry.key, number] = entry.forms[f"msgstr[{number}]"]
        else:
            source[entry.key] = entry.forms["msgstr"]
    # What is empty is left out when it is compiled, and the headers are not compared.
    assert {key: text for key, text in compiled.items() if key} == {
        key: text for key, text in source.items() if key and text
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_collecting_the_strings_anew_finds_no_other_ones(language: str, tmp_path: Path) -> None:
    if shutil.which("xgettext") is None:
        pytest.skip("gettext is not installed: the strings can't be collected")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--locale", language, "--verbosity", "0"],
        cwd=tmp_path,
        env={**os.environ, "POLARLAB_VAR": str(tmp_path / "var"), "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
    )
    collected = {(entry.key, entry.plural) for entry in catalogue(language, tmp_path)}
    known = {(entry.key, entry.plural) for entry in catalogue(language)}
    assert collected - known == set(), "run `make messages`, then translate them"


def test_what_marks_a_string_is_called_what_the_collecting_program_knows():
    """``gettext`` under another name than ``_`` is collected by nothing, so that its strings stay English."""
    aliases = {
        f"{path.relative_to(ROOT)}: {name.name} as {name.asname}"
        for house in ("apps", "config", "workers")
        for path in (ROOT / house).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for name in node.names
        if name.asname not in (None, "_") and "gettext" in name.name
    }
    assert aliases == set()
