from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.apps import AppConfig


class WorkersConfig(AppConfig):
    """What Celery runs. Installed so that its kinds of work and its commands are found by name, and so that
    pages know which networks there are."""

    name = "workers"

    def ready(self) -> None:
        from apps.inference.networks import NetworkOffer, register
        from workers.networks import NETWORKS
        from workers.networks.sequences import SEQUENCE_NETWORKS

        for key, writer in SEQUENCE_NETWORKS.items():
            register(
                NetworkOffer(
                    key=key,
                    title=writer.title,
                    paper="Yanaka et al. 2021 (SyGNS), section 4.1",
                    sizes=writer.sizes,
                    usual={},
                    check=_check_of(key, writes=True),
                    writes=True,
                )
            )
        for key, kind in NETWORKS.items():
            register(
                NetworkOffer(
                    key=key,
                    title=kind.title,
                    paper=kind.paper,
                    sizes=kind.sizes,
                    usual=kind.training,
                    check=_check_of(key),
                )
            )


def _check_of(network: str, *, writes: bool = False) -> Callable[[Mapping[str, Any], bool], dict[str, Any]]:
    """The options' check of a network, in the words of pages and API."""

    def check(given: Mapping[str, Any], small: bool) -> dict[str, Any]:
        from django.core.exceptions import ValidationError

        from workers.networks.options import OptionError, Options
        from workers.networks.sequences.options import SequenceOptions

        read = SequenceOptions if writes else Options

        try:
            return read.of(network, given, small=small).stored()
        except OptionError as error:
            raise ValidationError({"options": f"{error.option}: {error.reason}"}) from error

    return check
