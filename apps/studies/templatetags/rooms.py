"""The sidebar of a study's pages."""

from __future__ import annotations

from typing import Any

from django import template

from apps.studies import rooms
from apps.studies.models import Study

register = template.Library()


@register.inclusion_tag("studies/rooms.html")
def study_rooms(study: Study, namespace: str) -> dict[str, Any]:
    """The study's rooms, with the one marked in which pages of ``namespace`` stand."""
    here = rooms.room_of(namespace)
    lists = (rooms.work(), rooms.beside_the_work())
    first, second = ([(room, room.url(study), room == here) for room in listed] for listed in lists)
    return {"study": study, "first": first, "second": second}
