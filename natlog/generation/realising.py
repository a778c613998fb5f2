"""Writing a changed sentence: spaces, capitals, *a* or *an*."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.generation.change import Change
from natlog.lexicon.inflection import article
from natlog.tree import Tree


@dataclass(slots=True)
class _Piece:
    """A token to be written: its number in the old sentence (None for a new word), the space before it."""

    index: int | None
    text: str
    gap: str


def realise(tree: Tree, change: Change) -> tuple[str, int]:
    """The changed sentence, and where in it the word of ``change.place`` begins (code points).

    The rest of the sentence stays as it was written, apart from *a* and *an* before the change and the
    capital at the beginning.
    """
    pieces = _pieces(tree, change)
    _fit_articles(tree, change, pieces)
    _fit_capital(tree, pieces)
    pieces[0].gap = ""
    text, place = "", 0
    replaced = change.start <= change.place < change.end
    for number, piece in enumerate(pieces):
        text += piece.gap
        is_first_new = piece.index is None and (number == 0 or pieces[number - 1].index is not None)
        if piece.index == change.place or (replaced and is_first_new):
            place = len(text)
        text += piece.text
    return text, place


def _pieces(tree: Tree, change: Change) -> list[_Piece]:
    tokens = tree.tokens
    kept = [
        _Piece(token.index, token.text, tree.text[tokens[token.index - 1].end : token.start])
        if token.index
        else _Piece(0, token.text, "")
        for token in tokens
    ]
    new = [_Piece(None, word, " ") for word in change.words]
    if new and change.start < change.end:
        new[0].gap = kept[change.start].gap
    if new and change.start == change.end == 0:
        kept[0].gap = " "
    return [*kept[: change.start], *new, *kept[change.end :]]


def _fit_articles(tree: Tree, change: Change, pieces: list[_Piece]) -> None:
    """*A* and *an* on either side of where the change begins."""
    at = change.start
    if 0 < at < len(pieces) and pieces[at - 1].text.lower() in ("a", "an") and pieces[at].text[:1].isalpha():
        new = article(pieces[at].text)
        pieces[at - 1].text = new.capitalize() if pieces[at - 1].text[0].isupper() else new


def _fit_capital(tree: Tree, pieces: list[_Piece]) -> None:
    """The capital moves to what is now the first word; names and *I* keep theirs."""
    first = tree.tokens[0]
    if not first.text[:1].isupper() or pieces[0].index == 0:
        return
    pieces[0].text = pieces[0].text[:1].upper() + pieces[0].text[1:]
    for piece in pieces[1:]:
        if piece.index == 0 and first.pos != "PROPN" and first.text != "I":
            piece.text = first.text[:1].lower() + first.text[1:]
