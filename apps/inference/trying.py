"""Trying a model on a pair, or a network that writes meanings on a sentence, while somebody looks on."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.inference.models import Model
from apps.inference.networks import networks
from apps.inference.training_models import Training, TrainingRun
from apps.inference.trainings import best_run
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording

PAIR_KIND, SENTENCE_KIND = "inference.try_pair", "inference.try_sentence"
LONGEST = 1000
#: Kinds of models that are not asked about a single pair: answers cost something, or come from elsewhere.
NOT_TRIED = (Model.Kind.CHAT, Model.Kind.FILE)


def pair_try(*, model: Model, actor: User, premise: str, hypothesis: str) -> Job:
    """Have a model say its probabilities of a pair, and the calculus its verdict."""
    if model.kind in NOT_TRIED:
        raise ValidationError(_("A model of this kind is run over a dataset alone."))
    return job_start(
        study=model.study,
        kind=PAIR_KIND,
        title=wording(gettext_noop("%(name)s tried on a pair"), name=model.name[:150]),
        actor=actor,
        model=model.pk,
        premise=text_checked("premise", premise),
        hypothesis=text_checked("hypothesis", hypothesis),
    )


def sentence_try(*, training: Training, actor: User, sentence: str) -> Job:
    """Have the network of a training write a sentence's meaning, beside what the grammar reads."""
    if run_kept(training) is None:
        if training.model_id is not None:
            text = _("Its network is a model that is tried on pairs: /api/v1/models/%(id)d/try/.")
            raise ValidationError(text % {"id": training.model_id})
        raise ValidationError(_("No network of this training was kept."))
    return job_start(
        study=training.study,
        kind=SENTENCE_KIND,
        title=wording(gettext_noop("%(name)s tried on a sentence"), name=training.name[:150]),
        actor=actor,
        training=training.pk,
        sentence=text_checked("sentence", sentence),
    )


def run_kept(training: Training) -> TrainingRun | None:
    """The best run of a network that writes, where it was kept. One query."""
    offer = networks().get(training.network)
    if offer is None or not offer.writes:
        return None
    return best_run(list(training.runs.exclude(fingerprint="")))


def latest_try(tried: Model | Training) -> Job | None:
    """The last time that a model, or a training's network, was tried; ``result`` says what came of it. One
    query."""
    kind, name = (PAIR_KIND, "model") if isinstance(tried, Model) else (SENTENCE_KIND, "training")
    jobs = Job.objects.filter(study=tried.study_id, kind=kind, **{f"params__{name}": tried.pk})
    return jobs.select_related("study").order_by("-pk").first()


def text_checked(field: str, text: str) -> str:
    text = " ".join(text.split())
    if not text or len(text) > LONGEST:
        message = _("A sentence of at most %(n)d characters is wanted.") % {"n": LONGEST}
        raise ValidationError({field: message})
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValidationError({field: _("It holds a NUL or a lone surrogate.")})
    return text
