"""A split as files that others train on, and the answers that they bring back."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.experiments.dealing import LABELS
from apps.experiments.elsewhere import model_name_checked
from apps.experiments.measures import Scores
from apps.experiments.models import Cell, Split
from apps.experiments.services import scores_of
from apps.frame.texts import LONGEST_TEXT, UNSTORABLE
from apps.inference.meanings import MEANINGS, meanings_scored
from apps.inference.mixing import Row
from apps.inference.training_sets import rows_of
from apps.studies import audit
from natlog.fragments.sygns import FORMS

ANY_TEST_ROW = re.compile(r"test-\d+-[0-9a-f]{6}")
LARGEST_FILE = 64 * 1024 * 1024


def archive(split: Split) -> bytes:
    """A zip of ``train``, ``validation`` and ``test`` as JSON lines and a manifest with their SHA-256. The
    same split gives the same bytes."""
    experiment, parts = split.experiment, rows_of(split.training_set)
    files = {f"{part}.jsonl": _lines(split, part, rows) for part, rows in parts.items()}
    manifest = {
        "experiment": experiment.name,
        "protocol": experiment.protocol,
        "source": experiment.spec["protocol"]["source"],
        "training": split.training,
        "seed": split.seed,
        "preset": experiment.preset,
        "versions": experiment.spec["versions"],
        "fingerprint": split.training_set.fingerprint,
        "counts": split.training_set.counts,
        "files": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
            for name, data in files.items()
        },
    }
    files["manifest.json"] = json.dumps(manifest, indent=1, ensure_ascii=False).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for name, data in files.items():
            into.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def row_id(split: Split, part: str, number: int) -> str:
    """A row's name in files: its place in its part, and of what split it is, so that answers to one split's
    tests are not taken for another's."""
    return f"{part}-{number}-{split.training_set.fingerprint[:6]}"


def _lines(split: Split, part: str, rows: list[Row]) -> bytes:
    """A part's rows; a test's names stand with its rows."""
    is_meaning = bool(rows) and rows[0].label in FORMS
    found = []
    for number, row in enumerate(rows, 1):
        told = {"id": row_id(split, part, number)}
        if is_meaning:
            told |= {"sentence": row.premise, "form": row.label, "meaning": row.hypothesis}
        else:
            told |= {"premise": row.premise, "hypothesis": row.hypothesis, "label": row.label,
                     "direction": row.direction}  # fmt: skip
        found.append(json.dumps(told | {"source": row.source}, ensure_ascii=False) + "\n")
    return "".join(found).encode()


def answers_store(*, split: Split, actor: User | None, contestant: str, seed: int, data: bytes) -> Cell:
    """Count what a file says of a split's tests: CSV or JSON lines with ``id`` and ``label``, or, where
    meanings are learnt, ``meaning``."""
    said = _read(data, _field(split))
    return answers_count(split=split, actor=actor, contestant=contestant, seed=seed, said=said)


def answers_count(
    *,
    split: Split,
    actor: User | None,
    contestant: str,
    seed: int,
    said: Iterable[tuple[int, Mapping[str, Any]]],
) -> Cell:
    """Count what a model from elsewhere answered to a split's tests: line numbers, each with ``id`` and
    ``label`` (or ``meaning``: every row of one of the forms). ValidationError, with the line, for the first
    thing that is wrong; then nothing is stored."""
    contestant = model_name_checked(split.experiment, contestant)
    tested = enumerate(rows_of(split.training_set)["test"], 1)
    rows = {row_id(split, "test", number): row for number, row in tested}
    answers = _checked(rows, said, _field(split))
    if _field(split) == "meaning":
        contestant = f"{contestant} {rows[next(iter(answers))].label}"
    if Cell.objects.filter(split=split, contestant=contestant, seed=seed).exists():
        raise _there_already()
    errors: list[dict[str, str]] = []
    if _field(split) == "meaning":
        measures = split.training_set.spec["measures"]
        said_of = ((rows[each], answer) for each, answer in answers.items())
        scored = next(found for found in meanings_scored(said_of, measures) if found)
        scores, errors = scored.scores, scored.errors
    else:
        scores = scores_of((row.source, row, answers[identifier]) for identifier, row in rows.items())
    # Meanings may take minutes to compare: nothing is held meanwhile.
    return _stored(split, actor, contestant, seed, scores, errors)


@transaction.atomic
def _stored(
    split: Split,
    actor: User | None,
    contestant: str,
    seed: int,
    scores: Scores,
    errors: list[dict[str, str]],
) -> Cell:
    if not Split.objects.select_for_update().filter(pk=split.pk).exists():  # deleted meanwhile
        raise ValidationError({"split": _("The experiment is not there any more.")})
    try:
        with transaction.atomic():
            cell = Cell.objects.create(
                split=split, contestant=contestant, seed=seed, scores=scores, errors=errors
            )
    except IntegrityError:
        raise _there_already() from None
    audit.record(
        "experiment.predicted",
        study=split.experiment.study,
        actor=actor,
        subject=split.experiment,
        contestant=contestant,
        training=split.training,
        seed=seed,
    )
    return cell


def _there_already() -> ValidationError:
    return ValidationError({"seed": _("There are answers of this model with this seed.")})


def _field(split: Split) -> str:
    """What an answer is."""
    return "meaning" if split.training_set.spec["labels"] == MEANINGS else "label"


def _checked(
    rows: Mapping[str, Row], said: Iterable[tuple[int, Mapping[str, Any]]], field: str
) -> dict[str, str]:
    """The answer to each row, or to each of one form, in the rows' order."""
    labels: dict[str, str] = {}
    for line, found in said:
        identifier, label = found.get("id"), found.get(field)
        for name, value in (("id", identifier), (field, label)):
            if not isinstance(value, str) or len(value) > LONGEST_TEXT:
                text = _("line %(line)d: “%(name)s” is missing, or no text of at most %(most)d characters")
                raise _wrong(text % {"line": line, "name": name, "most": LONGEST_TEXT})
            if UNSTORABLE.search(value):
                text = _("line %(line)d: “%(name)s” has a character that can't be stored")
                raise _wrong(text % {"line": line, "name": name})
        assert isinstance(identifier, str) and isinstance(label, str)
        if identifier not in rows:
            text = _("line %(line)d: there is no test row “%(id)s”")
            if ANY_TEST_ROW.fullmatch(identifier):
                text = _("line %(line)d: “%(id)s” is a row of another split")
            raise _wrong(text % {"line": line, "id": identifier[:60]})
        if field == "label" and label not in LABELS:
            text = _("line %(line)d: “%(label)s” is no label; there are: %(known)s")
            raise _wrong(text % {"line": line, "label": label[:60], "known": ", ".join(LABELS)})
        if identifier in labels:
            raise _wrong(_twice(line, identifier))
        labels[identifier] = label
    wanted = list(rows)
    if field == "meaning":
        forms = {rows[identifier].label for identifier in labels} or {""}
        if len(forms) > 1:
            raise _wrong(
                _("Meanings of one form at a time are wanted: %(forms)s")
                % {"forms": ", ".join(sorted(forms))}
            )
        wanted = [each for each, row in rows.items() if row.label in forms] or wanted
    if missing := [each for each in wanted if each not in labels]:
        text = ngettext(
            "%(n)d row has no answer: “%(id)s”",
            "%(n)d rows have no answer, the first is “%(id)s”",
            len(missing),
        )
        raise _wrong(text % {"n": len(missing), "id": missing[0]})
    return {each: labels[each] for each in wanted}


def _wrong(text: str) -> ValidationError:
    return ValidationError({"file": UNSTORABLE.sub("\ufffd", text)})  # it quotes what it refuses


def _read(data: bytes, field: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each line's number and fields: of JSON lines where the file begins with a brace, else of CSV."""
    if len(data) > LARGEST_FILE:
        raise _wrong(_("The file is larger than %(most)d MB.") % {"most": LARGEST_FILE // 1024 // 1024})
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _wrong(_("line %(line)d is not in UTF-8") % {"line": line}) from None
    if not text.strip():
        raise _wrong(_("The file is empty."))
    if text.lstrip().startswith("["):
        raise _wrong(
            _("line 1 begins a list: one JSON object a line is wanted, with nothing around or between them")
        )
    return _json_lines(text) if text.lstrip().startswith("{") else _csv(text, field)


class _TwiceError(Exception):
    """A JSON object has a name twice."""


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found


def _twice(line: int, name: str) -> str:
    return _("line %(line)d: “%(id)s” is there twice") % {"line": line, "id": name[:60]}


def _json_lines(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line, object_pairs_hook=_each_once)
        except _TwiceError as error:
            raise _wrong(_twice(number, str(error))) from None
        except (ValueError, RecursionError):  # no JSON, or a number of thousands of digits
            raise _wrong(_("line %(line)d is no JSON") % {"line": number}) from None
        if not isinstance(found, dict):
            raise _wrong(_("line %(line)d is no JSON object") % {"line": number})
        yield number, found


def _csv(text: str, field: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    lines = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        names = lines.fieldnames or []
        missing = [name for name in ("id", field) if name not in names]
        if missing and any(mark in name for name in names for mark in ";\t"):
            raise _wrong(_("line 1: commas are wanted between the columns, not semicolons or tabs"))
        if missing:
            raise _wrong(_("line 1: there is no column “%(name)s”") % {"name": missing[0]})
        if doubled := [name for name, count in Counter(names).items() if count > 1]:
            raise _wrong(_twice(1, doubled[0]))
        for found in lines:
            if None in found or None in found.values():
                raise _wrong(_("line %(line)d has another number of fields") % {"line": lines.line_num})
            yield lines.line_num, found
    except csv.Error as error:
        text = _("line %(line)d: %(why)s")
        # The last row that could be read ends before the one that can't.
        raise _wrong(text % {"line": lines.line_num + 1, "why": error}) from None
