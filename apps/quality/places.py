"""Languages and countries that somebody can declare: codes, and the names to show."""

from __future__ import annotations

import csv
import unicodedata
from functools import cache
from pathlib import Path

from django.conf.locale import LANG_INFO
from django.utils.translation import get_language
from django.utils.translation import gettext as _

OTHER = "other"
# ISO 3166-1 codes; English names from the time zone database (public domain). A column a language.
_COUNTRIES = Path(__file__).parent / "countries.tsv"


@cache
def languages() -> tuple[tuple[str, str], ...]:
    """Two-letter codes with each language's own name, in the order of these names.

    >>> dict(languages())["de"], dict(languages())["en"]
    ('Deutsch', 'English')
    """
    names = {code: info["name_local"] for code, info in LANG_INFO.items() if "name_local" in info}
    plain = {code: name[:1].upper() + name[1:] for code, name in names.items() if "-" not in code}
    plain |= {"zh": "中文", "tl": "Tagalog", "yo": "Yorùbá", "am": "አማርኛ", "gu": "ગુજરાતી"}
    return tuple(sorted(plain.items(), key=lambda entry: entry[1].casefold()))


def languages_to_choose() -> list[tuple[str, str]]:
    return [*languages(), (OTHER, _("another language"))]


def languages_to_search() -> list[tuple[str, str, str]]:
    """Codes, each language's own name, and its name in the present language.

    >>> [entry for entry in languages_to_search() if entry[0] == "de"]
    [('de', 'Deutsch', 'German')]
    """
    known = {code: info["name"] for code, info in LANG_INFO.items() if "name" in info}
    return [
        (code, name, _(known[code]) if code in known else _IN_ENGLISH.get(code, ""))
        for code, name in languages_to_choose()
    ]


_IN_ENGLISH = {"zh": "Chinese", "tl": "Filipino", "yo": "Yoruba", "am": "Amharic", "gu": "Gujarati"}


def countries_to_search() -> list[tuple[str, str, str]]:
    """Codes, names in the present language, and in English."""
    english = {row["code"]: row["en"] for row in _rows()}
    return [(code, name, english[code]) for code, name in countries()]


def countries() -> list[tuple[str, str]]:
    """ISO 3166-1 codes with their names in the present language, in the order of the names.

    >>> dict(countries())["JP"]
    'Japan'
    """
    language = get_language() or "en"
    named = [(row["code"], row.get(language) or row["en"]) for row in _rows()]
    return sorted(named, key=lambda entry: unicodedata.normalize("NFD", entry[1]).casefold())


@cache
def _rows() -> list[dict[str, str]]:
    with _COUNTRIES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def language_name(code: str) -> str:
    return dict(languages()).get(code, _("another language") if code == OTHER else code)


def country_name(code: str) -> str:
    return dict(countries()).get(code, code)
