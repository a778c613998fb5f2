"""Registering a chat model."""

from __future__ import annotations

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.datasets.models import Dataset
from apps.frame.outbound.destinations import address_checked
from apps.frame.texts import text_checked
from apps.inference.chat.configs import FORMS, ChatConfig
from apps.inference.chat.keys import secret_of
from apps.inference.chat.prompts import Message, lacking, shipped
from apps.inference.chat.shots import shots_choose
from apps.inference.models import Model
from apps.inference.registration import model_store
from apps.studies.models import Study

# What a prompt is shown with before there is a pair.
EXAMPLE = ("No dogs bark.", "No small dogs bark.")


def prompt_of(*, study: Study, name: str, **fields: object) -> list[Message]:
    """What the server would be sent for an example, as these fields have it; errors as in registering."""
    return chat_config(study=study, **fields).messages(*EXAMPLE)  # type: ignore[arg-type]


def model_register_chat(*, study: Study, actor: User | None, name: str, **fields: object) -> Model:
    """A chat model of a server that speaks as OpenAI's does; the fields are those of :func:`chat_config`."""
    config = chat_config(study=study, **fields)  # type: ignore[arg-type]
    return model_store(
        study=study,
        actor=actor,
        name=name,
        kind=Model.Kind.CHAT,
        config=config.stored(),
        fingerprint=config.fingerprint,
    )


def chat_config(
    *,
    study: Study,
    server: str,
    server_model: str,
    template: str,
    key: str = "",
    system: str = "",
    user: str = "",
    form: str = "word",
    shots: int | None = None,
    dataset: Dataset | None = None,
    seed: int | None = None,
    max_tokens: int | None = None,
    seconds: int | None = None,
    price_in: Decimal | None = None,
    price_out: Decimal | None = None,
    tokens: int | None = None,
    cost: Decimal | None = None,
) -> ChatConfig:
    """What was asked for as a configuration; ValidationError by field.

    ``template`` is a shipped one; ``system`` and ``user`` take the place of its texts. ``shots`` examples
    come from ``dataset``, drawn with ``seed``. The server is looked up (and must be allowed), not spoken to.
    """
    try:
        server = address_checked(server).rstrip("/")
    except ValidationError as error:
        raise ValidationError({"server": error.messages}) from error
    if "?" in server:
        raise ValidationError({"server": _("Leave out everything from ? on.")})
    if template not in shipped():
        raise ValidationError({"template": _("There is no such template.")})
    if form not in FORMS:
        raise ValidationError({"form": _("An answer is a word or JSON.")})
    if key and secret_of(key, server=server, study=study.slug) is None:
        raise ValidationError({"key": _("This study has no key of that name for this server.")})
    if missing := lacking(user) if user else []:
        raise ValidationError({"user": _("The text must hold %(places)s.") % {"places": ", ".join(missing)}})
    if bool(shots) != bool(dataset):
        raise ValidationError({"shots": _("Examples need both a number and a dataset to take them from.")})
    if cost is not None and (price_in is None or price_out is None):
        raise ValidationError({"cost": _("A budget of money needs both prices.")})
    for field, text in (("system", system), ("user", user)):
        if text:
            text_checked(text, field)
    worded = shipped()[template].reworded(system=system.strip(), user=user.strip())
    if dataset is not None and (dataset.study_id != study.pk or dataset.kind != Dataset.Kind.PAIRS):
        raise ValidationError({"dataset": _("Choose a dataset of pairs of this study.")})
    numbers = {"max_tokens": max_tokens, "seconds": seconds}
    return ChatConfig(
        server=server,
        server_model=text_checked(server_model.strip(), "server_model"),
        template=worded,
        key=key,
        form=form,
        shots=shots_choose(dataset, labels=worded.labels, count=shots, seed=seed or 0)
        if dataset and shots
        else (),
        shots_from={"dataset": dataset.name, "number": dataset.pk, "seed": seed or 0} if dataset else None,
        price_in=price_in,
        price_out=price_out,
        tokens=tokens,
        cost=cost,
        **{name: number for name, number in numbers.items() if number is not None},
    )
