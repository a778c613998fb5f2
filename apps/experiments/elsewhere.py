"""Models from elsewhere: what they may be called, and how their answers are taken back."""

from __future__ import annotations

import unicodedata

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.experiments.models import Cell, Experiment
from apps.experiments.people import PEOPLE
from apps.experiments.registered import REGISTERED
from apps.experiments.results import parted, title_of
from apps.experiments.services import CALCULUS, GRAMMAR, MAJORITY, UNTRAINED, protocol_of
from apps.frame.texts import UNSEEN
from apps.inference.networks import networks
from apps.inference.training_sets import name_checked
from apps.studies import audit
from natlog.fragments.sygns import FORMS

#: What a model from elsewhere can't be called: what begins like the experiment's own contestants, and the
#: other columns of a table and of its files (exhibits.py).
OWN_BEGIN = (UNTRAINED, REGISTERED, GRAMMAR)
COLUMNS = ("trained_on", "tested_on", "form", "measure", "pairs")
PUBLISHED = ("published_", "published ")


def brought_in(experiment: Experiment) -> QuerySet[Cell]:
    """Cells of what others trained."""
    cells = Cell.objects.filter(split__experiment=experiment, training=None)
    return cells.exclude(contestant__in=(CALCULUS, MAJORITY, *PEOPLE)).exclude(
        Q(contestant__startswith=GRAMMAR) | Q(contestant__startswith=REGISTERED)
    )


def models_brought(experiment: Experiment) -> list[str]:
    """The names of models from elsewhere, each once, whatever forms it wrote. A query."""
    contestants = brought_in(experiment).values_list("contestant", flat=True)
    return sorted({_called(experiment, each) for each in contestants})


def _called(experiment: Experiment, contestant: str) -> str:
    """The name that its answers were brought in with."""
    return parted(contestant)[0] if experiment.spec["sizes"].get("forms") else contestant


@transaction.atomic
def answers_remove(*, experiment: Experiment, actor: User, contestant: str) -> None:
    """Take back all that a model from elsewhere answered, of every split, seed and form. ValidationError
    where there is none of it."""
    cells = brought_in(experiment).values_list("pk", "contestant")
    own = [pk for pk, each in cells if _called(experiment, each) == contestant]
    if not own:
        raise ValidationError({"contestant": _("There are no answers of this model.")})
    Cell.objects.filter(pk__in=own).delete()
    audit.record(
        "experiment.unpredicted",
        study=experiment.study,
        actor=actor,
        subject=experiment,
        contestant=contestant,
        count=len(own),
    )


def model_name_checked(experiment: Experiment, name: str) -> str:
    """The name of a model from elsewhere: none of the experiment's own, of a table's other columns, or of
    another model's that looks the same."""
    name = name_checked(name, 80, "contestant")
    looks = _looks(name)
    if looks in _own(experiment) or looks.startswith(OWN_BEGIN):
        raise ValidationError({"contestant": _("This is a contestant of the experiment's own.")})
    if looks in _columns() or looks.startswith(PUBLISHED):
        raise ValidationError({"contestant": _("A table has another column of this name.")})
    if (network := name.partition(" ")[0]) in networks():
        text = _("“%(name)s” is how a network of the program is written; write it otherwise.")
        raise ValidationError({"contestant": text % {"name": network}})
    if parted(looks)[1]:
        text = _("A model's name can't end in a form's: %(forms)s.")
        raise ValidationError({"contestant": text % {"forms": ", ".join(FORMS)}})
    for there in models_brought(experiment):
        if there != name and _looks(there) == looks:
            text = _("There is “%(name)s” already, which looks the same.") % {"name": there}
            raise ValidationError({"contestant": text})
    return name


def _own(experiment: Experiment) -> set[str]:
    """The keys and titles of the experiment's own contestants, and of published ones, whatever their case: a
    table has no two columns that are called the same. Titles are in every language that a reader may have the
    page in."""
    trained = experiment.spec["sizes"]["networks"]
    keys = {CALCULUS, MAJORITY, GRAMMAR.strip(), *PEOPLE, *trained}
    keys |= {parted(each)[0] for each in trained}
    shown = keys | {f"{UNTRAINED}{key}" for key in keys}
    published = {
        name
        for tests in protocol_of(experiment).published.values()
        for found in tests.values()
        for name in found
    }
    published |= {parted(name)[0] for name in published}
    titles: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            titles |= {title_of(key) for key in shown}
            titles |= {_("paper: %(name)s") % {"name": title_of(name)} for name in published}
    return {_looks(each) for each in keys | titles if each}


def _columns() -> set[str]:
    """A table's other columns, by their keys and by their titles in every language."""
    titles: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            titles |= {_("trained on"), _("tested on"), _("form"), _("measured"), _("rows")}
    return {_looks(each) for each in {*COLUMNS, *titles}}


def _looks(name: str) -> str:
    """A name without what is not seen of it: case, width, how much space, what shows nothing."""
    plain = UNSEEN.sub("", unicodedata.normalize("NFKC", name))
    return " ".join(plain.split()).casefold()
