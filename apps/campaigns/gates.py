"""Where rules that are not the leases' own have a say: as a campaign begins, before work is handed out, while
an answer is taken in, and after it.

A room above this one (quality, say) registers its functions when Django starts (in an ``AppConfig.ready``),
so that leasing and submission need not know it. All run inside the transaction of the lease or the answer
(but for what is told of a refusal): what they write is stored with it, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.reasons import NothingNow
from apps.studies.models import Participant

F = TypeVar("F")

#: What a new campaign brings to a room: by whom it is made.
Beginning = Callable[[Campaign, User | None], None]
#: Whether a participant may take work from a campaign: None, or the reason why not.
Gate = Callable[[Campaign, Participant], NothingNow | None]
#: Told of everybody who came for work and got none, and why.
Witness = Callable[[Campaign, Participant, NothingNow], None]
#: The items about to be handed out, with others in the place of some of them.
Mixture = Callable[[Sequence[Item], Campaign, Participant], list[Item]]
#: Whether items stand among a campaign's that nobody may tell from the others.
Hiding = Callable[[Campaign], bool]
#: Refuses (by a ValidationError of ``replacements-0`` …) texts for an item, by the assignment's number.
TextCheck = Callable[[Item, int, Sequence[str]], None]
#: Whether an answer was taken out of the count, so that no revision brings it back.
Exclusion = Callable[[Judgement], bool]
#: Told of every judgement: when it was taken in, and when it was revised.
Listener = Callable[[Judgement], None]
#: Whether people come to a campaign from outside the study's members.
Source = Callable[[Campaign], bool]

_beginnings: list[Beginning] = []
_gates: list[Gate] = []
_witnesses: list[Witness] = []
_mixtures: list[Mixture] = []
_hidings: list[Hiding] = []
_text_checks: list[TextCheck] = []
_exclusions: list[Exclusion] = []
_listeners: list[Listener] = []
_sources: list[Source] = []


def _add(there: list[F], new: F) -> None:
    if new not in there:
        there.append(new)


def add_beginning(beginning: Beginning) -> None:
    _add(_beginnings, beginning)


def add_gate(gate: Gate) -> None:
    _add(_gates, gate)


def add_witness(witness: Witness) -> None:
    _add(_witnesses, witness)


def add_mixture(mixture: Mixture, hiding: Hiding) -> None:
    _add(_mixtures, mixture)
    _add(_hidings, hiding)


def add_text_check(check: TextCheck) -> None:
    _add(_text_checks, check)


def add_exclusion(exclusion: Exclusion) -> None:
    _add(_exclusions, exclusion)


def add_listener(listener: Listener) -> None:
    _add(_listeners, listener)


def add_source(source: Source) -> None:
    _add(_sources, source)


def begin(campaign: Campaign, actor: User | None) -> None:
    for beginning in _beginnings:
        beginning(campaign, actor)


def refusal_of(campaign: Campaign, participant: Participant) -> NothingNow | None:
    """The first gate's refusal, or None where all are open."""
    return next((refusal for gate in _gates if (refusal := gate(campaign, participant))), None)


def tell_refused(campaign: Campaign, participant: Participant, found: NothingNow) -> None:
    for witness in _witnesses:
        witness(campaign, participant, found)


def mixed(items: list[Item], campaign: Campaign, participant: Participant) -> list[Item]:
    for mixture in _mixtures:
        items = mixture(items, campaign, participant)
    return items


def hides_items(campaign: Campaign) -> bool:
    return any(hiding(campaign) for hiding in _hidings)


def refuse_texts(item: Item, assignment: int, texts: Sequence[str]) -> None:
    for check in _text_checks:
        check(item, assignment, texts)


def is_excluded(judgement: Judgement) -> bool:
    return any(exclusion(judgement) for exclusion in _exclusions)


def tell(judgement: Judgement) -> None:
    for listener in _listeners:
        listener(judgement)


def is_open_to_others(campaign: Campaign) -> bool:
    return any(source(campaign) for source in _sources)
