"""Models of a hub (huggingface.co, or a mirror): fetched by name and revision into the models' directory,
once whoever hosts the server allows it; then they are folders like any other."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.frame.outbound.destinations import NotAllowed, allowed_host
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies.models import Study

HUB_KIND = "inference.hub"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_REVISION = re.compile(r"[0-9a-f]{40}")


def hub_fetch_start(*, study: Study, actor: User | None, hub: str, revision: str) -> Job:
    """Fetch the model ``hub`` (owner/name) at ``revision``, the whole hash of a commit: a branch would be
    another model tomorrow. ValidationError where the host allows no hub, and for a name that is none."""
    hub, revision = hub.strip(), revision.strip().lower()
    if not settings.MODEL_HUB:
        raise ValidationError(
            {"hub": _("This server fetches no models; whoever hosts it can allow it (POLARLAB_MODEL_HUB).")}
        )
    if not _NAME.fullmatch(hub) or ".." in hub:
        raise ValidationError({"hub": _("Give the model's name on the hub, such as owner/name.")})
    if not _REVISION.fullmatch(revision):
        raise ValidationError(
            {"revision": _("Give the whole hash of a commit (40 characters); branches and tags move.")}
        )
    try:
        allowed_host(urlsplit(settings.MODEL_HUB).hostname or "")
    except NotAllowed as error:
        raise ValidationError({"hub": str(error)}) from error
    if hub_folder(hub, revision).exists():
        raise ValidationError(
            {
                "hub": _("It is there already, as the folder “%(name)s”.")
                % {"name": folder_name(hub, revision)}
            }
        )
    title = wording(gettext_noop("Fetching %(name)s"), name=hub[:150])
    return job_start(study=study, kind=HUB_KIND, title=title, actor=actor, hub=hub, revision=revision)


def folder_name(hub: str, revision: str) -> str:
    """The folder below MODELS_DIR that a model of the hub lies in.

    >>> folder_name("owner/name", "0123456789abcdef" * 2 + "01234567")
    'hub/owner--name@0123456789ab'
    """
    return f"hub/{hub.replace('/', '--')}@{revision[:12]}"


def hub_folder(hub: str, revision: str) -> Path:
    return Path(settings.MODELS_DIR) / folder_name(hub, revision)
