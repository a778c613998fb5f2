"""Protocols that researchers write themselves: checked as a whole before anything is drawn or trained."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.experiments.contestants import options_of
from apps.experiments.dealing import embedding_options, testbed_rows
from apps.experiments.models import OwnProtocol
from apps.experiments.plans import Protocol, RowSet, Selection
from apps.experiments.protocols import TOLD, ProtocolError, protocols, read
from apps.experiments.vocabulary import values_check
from apps.frame.texts import NOT_IN_A_LINE, OVERRIDE
from apps.inference.networks import networks as networks_known
from apps.studies import audit
from apps.studies.models import Study
from natlog.fragments.drawing import TooFew
from natlog.fragments.testbeds import TESTBEDS
from natlog.fragments.transitivity import COLUMNS

LARGEST_FILE = 256 * 1024
# An experiment is called by it, by its size and by the moment.
LONGEST_TITLE = 100
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")
#: Rows that are drawn of a testbed to see whether its options fit and which columns it has.
A_FEW = 4
#: What the pairs of a role can be selected by (apps/inference/training_sources.py); which tags and facts a
#: dataset has is seen when its rows are dealt.
ANY_OF_A_KIND = ("tag …", "fact …")
ROLE_COLUMNS = ("direction", "genre", *ANY_OF_A_KIND)


def protocol_checked(data: bytes, name: str) -> Protocol:
    """A file's protocol, with its networks, their options, its testbeds, and the columns and values that it
    selects by looked up. Raises :class:`ProtocolError`, which names the line or the key."""
    try:
        return _checked(data, name)
    except RecursionError:
        raise ProtocolError(name, _("lists or tables are nested too deeply")) from None


def _checked(data: bytes, name: str) -> Protocol:
    if len(data) > LARGEST_FILE:
        raise ProtocolError(name, _("larger than %(most)d KB") % {"most": LARGEST_FILE // 1024})
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ProtocolError(name, _("byte %(number)d is not UTF-8") % {"number": error.start}) from error
    protocol = read(text, name, networks_known())
    try:
        json.dumps(protocol.data, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ProtocolError(name, _("dates, times, nan and inf have no place in a protocol")) from error
    told = {each: " ".join(protocol.data[each].split()) for each in TOLD}
    _lines_check(name, {**protocol.data, **told})
    if len(told["title"]) > LONGEST_TITLE:
        raise ProtocolError(f"{name}: title", _("more than %(n)d characters") % {"n": LONGEST_TITLE})
    for preset, sizes in protocol.presets.items():
        for network in sizes.networks:
            try:
                options_of(replace(sizes, networks=[network]), small=preset != "paper")
            except ValidationError as error:
                place = f"{name}, presets.{preset}, {network}"
                raise ProtocolError(place, "; ".join(error.messages)) from error
    used = {selection.set for selection in protocol.selections}
    used |= {each.source for each in protocol.sets.values() if each.source}
    if unused := [each for each in protocol.sets if each not in used]:
        reason = _("no training or test has anything of it")
        raise ProtocolError(f"{name}, sets.{unused[0]}", reason)
    columns = {key: _columns(f"{name}, sets.{key}", each) for key, each in protocol.sets.items()}
    for training in protocol.trainings.values():
        _selections_check(f"{name}, {training.name}", training.on, columns)
    for test in protocol.tests:
        _selections_check(f"{name}, {test.name}", test.on, columns)
    values_check(protocol)
    _published_check(protocol)
    return protocol


def _published_check(protocol: Protocol) -> None:
    """Shares in per cent: asked as a file is brought in, so that an experiment with others stays readable."""
    for training, by_test in protocol.published.items():
        for test, by_network in by_test.items():
            for network, figures in by_network.items():
                if not all(0 <= figure <= 100 for figure in figures):
                    place = f"{protocol.key}, published.{training}.{test}: {network}"
                    reason = _("a number from %(least)g to %(most)g is wanted")
                    raise ProtocolError(place, reason % {"least": 0, "most": 100})


def _lines_check(place: str, value: Any) -> None:
    """Whatever is a text in it may stand in a table, as one line."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            _lines_check(place, key)
            _lines_check(f"{place}, {key}", each)
    elif isinstance(value, list):
        for each in value:
            _lines_check(place, each)
    elif isinstance(value, str) and (found := NOT_IN_A_LINE.search(value)):
        reason = _("one line without control characters is wanted; it has U+%(code)s")
        raise ProtocolError(place, reason % {"code": f"{ord(found[0]):04X}"})
    elif isinstance(value, str) and OVERRIDE.search(value):
        reason = _("an invisible character turns its direction (U+202D or U+202E)")
        raise ProtocolError(place, reason)


def _columns(place: str, of: RowSet) -> set[str]:
    """What its rows can be selected by."""
    if of.role:
        columns = set(ROLE_COLUMNS)
    else:
        depth = of.options.get("depth")
        bed = TESTBEDS.get(of.testbed or "")
        if bed and depth is not None and (isinstance(depth, bool) or depth not in bed.depths):
            reason = _("a number from %(least)g to %(most)g is wanted")
            depths = {"least": bed.depths[0], "most": bed.depths[-1]}
            raise ProtocolError(f"{place}: depth", reason % depths)
        try:
            columns = _drawn_columns(replace(of, name=place))
        except (TooFew, ValueError, TypeError, KeyError) as error:
            if isinstance(error, ProtocolError):
                raise
            raise ProtocolError(place, _("nothing can be drawn of it: %(why)s") % {"why": error}) from error
    _known_columns(place, of.where, columns)
    return columns


def _drawn_columns(of: RowSet) -> set[str]:
    """Those of a few rows; where it is made of another set's pairs, those that its rows will have."""
    if not of.source:
        return set(testbed_rows(of, A_FEW)[0].columns)
    embedding_options(of)
    return {*COLUMNS} - {"id"}


def _selections_check(place: str, on: Sequence[Selection], columns: dict[str, set[str]]) -> None:
    for number, selection in enumerate(on, 1):
        selected = _("selection %(number)d") % {"number": number}
        _known_columns(f"{place}, {selected}", selection.where, columns[selection.set])


def _known_columns(place: str, wanted: Iterable[str], there: set[str]) -> None:
    for column in wanted:
        kind = f"{column.partition(' ')[0]} …"
        if column not in there and not (kind in ANY_OF_A_KIND and kind in there):
            known = ", ".join(sorted(there)) or _("none")
            reason = _("there is no column “%(name)s”; there are: %(known)s")
            raise ProtocolError(place, reason % {"name": column, "known": known})


@transaction.atomic
def protocol_add(*, study: Study, actor: User, name: str, data: bytes) -> OwnProtocol:
    """Keep a researcher's file under a name that neither the study nor the program has. ValidationError."""
    if not NAME.fullmatch(name):
        text = _("A name is made of small letters, digits, - and _, 80 at most.")
        raise ValidationError({"name": text})
    if any(name in (each.key, each.paper) for each in protocols().values()):
        raise ValidationError({"name": _("A protocol or paper of this name comes with the program.")})
    if OwnProtocol.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has another protocol of that name.")})
    try:
        checked = protocol_checked(data, name)
    except ProtocolError as error:
        raise ValidationError({"text": str(error)}) from error
    own = OwnProtocol.objects.create(
        study=study, name=name, text=checked.text, fingerprint=checked.fingerprint, created_by=actor
    )
    audit.record("protocol.added", study=study, actor=actor, subject=own, fingerprint=own.fingerprint)
    return own


@transaction.atomic
def protocol_remove(*, protocol: OwnProtocol, actor: User) -> None:
    """Remove a file. Experiments made of it keep its text, and go on."""
    audit.record(
        "protocol.removed", study=protocol.study, actor=actor, subject=protocol, name=protocol.name,
        fingerprint=protocol.fingerprint,
    )  # fmt: skip
    protocol.delete()


def protocol_named(study: Study, name: str) -> Protocol | None:
    """One that comes with the program, or else the study's own. ValidationError where that can't be read any
    more: an older version took it."""
    if found := protocols().get(name):
        return found
    own = OwnProtocol.objects.filter(study=study, name=name).first()
    return protocol_read(own) if own else None


def protocol_read(own: OwnProtocol) -> Protocol:
    try:
        return protocol_checked(own.text.encode(), own.name)
    except ProtocolError as error:
        raise ValidationError({"protocol": str(error)}) from error
