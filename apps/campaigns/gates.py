"""Where rules that are not the leases' own have a say: before work is handed out, and after an answer.

A room of this app (quality, say) registers its functions when Django starts (in an ``AppConfig.ready``),
so that handing out and taking in need not know it. Both run inside the transaction of the lease or the
answer: what they write is stored with it, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable

from apps.campaigns.models import Campaign, Judgement
from apps.campaigns.reasons import NothingNow
from apps.studies.models import Participant

#: Whether a participant may take work from a campaign: None, or the reason why not.
Gate = Callable[[Campaign, Participant], NothingNow | None]
#: Told of every judgement: when it was taken in, and when it was revised.
Listener = Callable[[Judgement], None]

_gates: list[Gate] = []
_listeners: list[Listener] = []


def add_gate(gate: Gate) -> None:
    if gate not in _gates:
        _gates.append(gate)


def add_listener(listener: Listener) -> None:
    if listener not in _listeners:
        _listeners.append(listener)


def refusal_of(campaign: Campaign, participant: Participant) -> NothingNow | None:
    """The first gate's refusal, or None where all are open."""
    return next((refusal for gate in _gates if (refusal := gate(campaign, participant))), None)


def tell(judgement: Judgement) -> None:
    for listener in _listeners:
        listener(judgement)
