"""What a preset trains: each of its networks, with each form where meanings are learnt, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.experiments.plans import Preset
from apps.inference import trainings
from apps.inference.networks import networks as networks_known


def options_of(sizes: Preset, networks: Sequence[str] = (), *, small: bool) -> dict[str, dict[str, Any]]:
    """The options of each contestant that is trained, in full; ValidationError for what makes no sense. A
    network may stand there under several names, with other sizes; its own is in ``network``. ``networks``
    are some of the preset's networks or contestants (none given: all)."""
    found = {}
    for name in sizes.networks:
        given = dict(sizes.options.get(name, {}))
        network = given.pop("network", name)
        for form in sizes.forms or [""]:
            contestant = f"{name} {form}".strip()
            if networks and not {name, contestant} & set(networks):
                continue
            own = given | ({"form": form} if form else {})
            found[contestant] = trainings.options_checked(network, own, small=small)
            if networks_known()[network].writes != bool(form):
                text = _("“%(name)s” is no network for what this protocol learns.") % {"name": network}
                raise ValidationError({"networks": text})
    return found


def forms_of(options: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The forms that are learnt; none where labels are."""
    return list(dict.fromkeys(each["form"] for each in options.values() if "form" in each))
