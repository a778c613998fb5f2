"""The answers of a validation card: its dataset's labels (apps/datasets/labels.py), and one that is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from apps.datasets.labels import BY_VALUE, UNNATURAL, words_among
from apps.datasets.models import Dataset

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Answer:
    """One button: what is stored, the key that presses it, and what it says."""

    value: str
    key: str
    title: StrOrPromise
    meaning: StrOrPromise = ""


_UNNATURAL = (
    _("One of the sentences makes no sense"),
    _("It is not good English, or nobody could say what it means."),
)


def answers_of(dataset: Dataset) -> list[Answer]:
    """The dataset's labels in their order, then ``unnatural``; the keys are 1, 2, 3 …"""
    values = [*dataset.labels, UNNATURAL]
    return [
        Answer(value, str(number), *_words_of(value, dataset.labels))
        for number, value in enumerate(values, start=1)
    ]


def _words_of(value: str, labels: list[str]) -> tuple[StrOrPromise, StrOrPromise]:
    if value == UNNATURAL:
        return _UNNATURAL
    return words_among(value, labels) if value in BY_VALUE else (value, "")
