"""Rows in which other rooms say more of a campaign: one row for one campaign, or none.

A room names its model when Django starts (in an ``AppConfig.ready``). Then the statement that reads the
campaign for each card finds whether there is a row, so that a campaign without one costs no query of its own.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from apps.campaigns.models import Campaign

_extensions: dict[str, type[models.Model]] = {}


def extend(model: type[models.Model]) -> None:
    """``model`` has a one-to-one relation ``campaign``."""
    relation: Any = model._meta.get_field("campaign")
    _extensions[relation.remote_field.get_accessor_name()] = model


def names() -> list[str]:
    """What the rows are called on a campaign, for ``select_related``."""
    return list(_extensions)


def columns() -> str:
    """What a SELECT of a ``campaign`` says to learn which of them are there, each with a comma before it."""
    return "".join(
        f", (SELECT {name}.id FROM {model._meta.db_table} {name} WHERE {name}.campaign_id = campaign.id)"  # noqa: S608 - names alone
        for name, model in _extensions.items()
    )


def width() -> int:
    """How many columns :func:`columns` says."""
    return len(_extensions)


def note_absent(campaign: Campaign, found: tuple[Any, ...]) -> None:
    """What :func:`columns` found: nobody need look for a row that is not there."""
    for name, pk in zip(_extensions, found, strict=True):
        if pk is None:
            Campaign._meta.get_field(name).set_cached_value(campaign, None)  # type: ignore[union-attr]
