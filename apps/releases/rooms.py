"""Releases among the rooms of a study."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.releases.models import Release
from apps.studies.access import within
from apps.studies.models import Study
from apps.studies.rooms import Contents, Room


def _releases(study: Study) -> Contents:
    count = within(Release, study).count()
    return Contents(count, ngettext("release", "releases", count), _("Frozen, checksummed exports."))


RELEASES = Room(
    name="releases",
    title=gettext_lazy("Releases"),
    place=70,
    address="releases:list",
    contents=_releases,
    first=gettext_lazy("Publish the pairs on which people and calculus agree."),
    rows=lambda study: within(Release, study),
)
