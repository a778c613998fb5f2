"""The categories of constituents in words."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# The labels of natlog.parsing.constituents. A category of the CCG route says in itself what it takes and
# gives, and goes without words.
_WORDS: dict[str, str | Promise] = {
    "NP": _("noun phrase"),
    "NBAR": _("noun phrase without its determiner"),
    "N": _("noun"),
    "VP": _("verb phrase"),
    "PP": _("prepositional phrase"),
    "AP": _("adjective phrase"),
    "ADVP": _("adverb phrase"),
    "QP": _("number phrase"),
    "POSS": _("possessive ending"),
    "S": _("clause"),
    "SBAR": _("clause with its conjunction"),
    "TEXT": _("several sentences"),
    "FRAG": _("nothing parsed"),
    "X": _("another word"),
}


def category_words(category: str) -> str:
    """What a category stands for, or "" where its name says it.

    >>> category_words("NBAR"), category_words("S[dcl]\\\\NP")
    ('noun phrase without its determiner', '')
    """
    return str(_WORDS.get(category, ""))


def category_title(category: str) -> str:
    """The category and its words.

    >>> category_title("NP"), category_title("N/N")
    ('NP, noun phrase', 'N/N')
    """
    words = category_words(category)
    return f"{category}, {words}" if words else category
