"""The trail in words: experiments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.experiments.models import Experiment, OwnProtocol
from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "experiment.started": _("experiment started"),
        "experiment.predicted": _("answers from elsewhere brought into an experiment"),
        "experiment.unpredicted": _("answers from elsewhere taken out of an experiment"),
        "experiment.renamed": _("experiment renamed"),
        "experiment.archived": _("experiment put into the archive"),
        "experiment.unarchived": _("experiment taken out of the archive"),
        "experiment.deleted": _("experiment deleted"),
        "protocol.added": _("protocol of the study's own added"),
        "protocol.removed": _("protocol of the study's own removed"),
    },
    within={"models": ("experiment", "protocol")},
    kinds={"experiment": _("experiment"), "ownprotocol": _("protocol")},
    named={"experiment": Experiment, "ownprotocol": OwnProtocol},
)
