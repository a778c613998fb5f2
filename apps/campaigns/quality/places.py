"""Languages and countries that somebody can declare: codes, and the names to show."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf.locale import LANG_INFO
from django.utils.translation import gettext as _

OTHER = "other"
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


@cache
def countries() -> tuple[tuple[str, str], ...]:
    """ISO 3166-1 codes with English names, in the order of the names.

    >>> dict(countries())["JP"]
    'Japan'
    """
    lines = _COUNTRIES.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return tuple(sorted(((code, name) for code, name in rows), key=lambda entry: entry[1].casefold()))


def language_name(code: str) -> str:
    return dict(languages()).get(code, _("another language") if code == OTHER else code)


def country_name(code: str) -> str:
    return dict(countries()).get(code, code)
