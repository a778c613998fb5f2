"""Releases as sources of training sets: the pairs of a frozen archive, of one split or of all."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable

from django.utils.translation import gettext as _

from apps.datasets.models import Dataset
from apps.inference.mixing import MixingError, Row
from apps.releases.models import Release
from apps.releases.storage import member_opened
from apps.studies.access import within
from apps.studies.models import Study


class Releases:
    """References are ``release:<number>``, or ``release:<number>:<split>`` where there are several."""

    kind = "release"

    @property
    def title(self) -> str:
        return _("Releases")

    def choices(self, study: Study) -> Iterable[tuple[str, str]]:
        frozen = within(Release, study).exclude(frozen_at=None).select_related("dataset").order_by("pk")
        for release in frozen:
            splits = _splits(release)
            yield f"{self.kind}:{release.pk}", str(release)
            if len(splits) > 1:
                for split in splits:
                    yield f"{self.kind}:{release.pk}:{split}", f"{release}, {split}"

    def rows(self, study: Study, reference: str) -> list[Row]:
        _kind, number, *split = reference.split(":")
        release = within(Release, study).select_related("dataset").get(pk=int(number))
        found = []
        for name in split or _splits(release):
            try:
                with member_opened(release, f"data/{name}.jsonl") as member:
                    lines = [json.loads(line) for line in member]
            except (OSError, KeyError, zipfile.BadZipFile, ValueError) as error:
                raise MixingError(
                    _("The archive of “%(name)s” can't be read: %(why)s")
                    % {"name": release, "why": type(error).__name__}
                ) from error
            found += [
                Row(
                    line["premise"],
                    line["hypothesis"],
                    line["gold_label"],
                    line.get("direction") or "",
                    str(release),
                )
                for line in lines
                if line.get("gold_label")
            ]
        return found

    def dataset(self, study: Study, reference: str) -> Dataset | None:
        release = (
            within(Release, study).filter(pk=int(reference.split(":")[1])).select_related("dataset").first()
        )
        return release.dataset if release else None


def _splits(release: Release) -> list[str]:
    return list(release.manifest.get("splits", {}).get("pairs", {}))
