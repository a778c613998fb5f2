"""Eight people ask for the same item in one instant and send in one instant: is anything let in beyond the
limit, and is everything kept that was accepted?"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .browser import BenchError
from .doccano import Doccano, DoccanoAnnotator
from .label_studio import LabelStudio, LabelStudioAnnotator
from .pairs import pairs_of
from .polarlab import Installation, PolarlabAnnotator

PEOPLE = 8
T = TypeVar("T")


@dataclass
class Outcome:
    """What came of all rounds; ``limit`` 0 where the program knows none."""

    program: str
    database: str
    limit: int
    rounds: int
    given: int = 0
    accepted: int = 0
    stored: int = 0
    beyond: int = 0


def together(people: Sequence[T], step: Callable[[T], bool]) -> list[T]:
    """All do it in one instant; returns those with whom it went well."""
    gate, errors, well = threading.Barrier(len(people), timeout=60), [], []

    def act(person: T) -> None:
        try:
            gate.wait()
            if step(person):
                well.append(person)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=act, args=(person,), daemon=True) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    if errors:
        raise BenchError(str(errors[0])) from errors[0]
    return well


def polarlab(place: Installation, limit: int, rounds: int) -> Outcome:
    """A campaign of one pair for each round. Whoever gets the card sends an answer."""
    made = place.do("races", limit=limit, rounds=rounds, annotators=PEOPLE)
    found = Outcome("Polarlab", place.kind, limit, rounds)
    with place.serving() as (port, _process):
        people = [PolarlabAnnotator(port, link, 0, script=True) for link in made["links"]]
        for person in people:
            person.sign_in()
        for campaign in made["campaigns"]:
            for person in people:
                person.campaign = campaign
            have = together(people, PolarlabAnnotator.begin)
            found.given += len(have)
            found.accepted += len(together(have, _sent)) if have else 0
    for stored in place.do("kept", campaigns=made["campaigns"]):
        found.stored += stored
        found.beyond += max(0, stored - limit)
    return found


def _sent(person: PolarlabAnnotator) -> bool:
    person.answer()  # raises where it was refused
    return True


def label_studio(program: LabelStudio, database: str, limit: int, rounds: int) -> Outcome:
    """A project of one task for each round, with the limit as its "maximum annotations"."""
    found = Outcome(program.name, database, limit, rounds)
    people: list[Any] = program.annotators(0, PEOPLE)
    for person in people:
        person.sign_in()
    for number in range(rounds):
        project = program.add_project(pairs_of(number + 1)[-1:], limit)
        for person in people:
            person.project = project
        have = together(people, LabelStudioAnnotator.ask)
        found.given += len(have)
        found.accepted += len(together(have, LabelStudioAnnotator.label)) if have else 0
        stored = program.stored(project)
        found.stored += stored
        found.beyond += max(0, stored - limit)
    return found


def doccano(program: Doccano, database: str, rounds: int) -> Outcome:
    """One shared project of single-class texts, a text for each round: no limit can be set."""
    found = Outcome(program.name, database, 0, rounds)
    project = program.add_project(pairs_of(rounds), 0, collaborative_annotation=True)
    people: list[Any] = program.annotators(project, PEOPLE)
    for person in people:
        person.sign_in()
    for number in range(rounds):
        for person in people:
            person.turn = number
        have = together(people, DoccanoAnnotator.ask)
        found.given += len(have)
        found.accepted += len(together(have, DoccanoAnnotator.label)) if have else 0
        found.stored += len(program.admin.get(f"{people[0].example}/categories").json)
    return found
