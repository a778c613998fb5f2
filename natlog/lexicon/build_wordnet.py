"""Build ``wordnet.zip``, the compact WordNet index that :mod:`natlog.lexicon.wordnet` reads.

Run once, where WordNet's own database files are installed (Debian: ``wordnet-base``)::

    python -m natlog.lexicon.build_wordnet /usr/share/wordnet

The index keeps lemmas, the order of their senses, how often each was met, and the relations between
senses; it drops glosses, examples and verb frames. Its members:

``lemmas.txt``
    One lemma a line, sorted by code point: the lemma (lower case, ``_`` for a space), then a tab and
    ``P id id ...`` for each part of speech ``P`` (n, v, a, r), most frequent sense first. An id is the
    rank of the synset in the order noun, verb, adjective, adverb, then by offset.
``<relation>.from``, ``<relation>.to``
    Little-endian uint32 arrays of the same length, sorted by ``from``: sense ``from`` has ``to`` as its
    hypernym (instances included), as what it entails (verbs), as the whole it is a part of (places), as
    a similar adjective, as its derivational base (pertainyms).
``antonyms.txt``
    ``lemma TAB lemma TAB pos``; antonymy holds between words, not between synsets.
``exceptions.txt``
    ``pos TAB form TAB lemma ...``: irregular inflection.
``counts.txt``
    ``lemma TAB pos TAB count ...``: how often each sense, in the order of ``lemmas.txt``, was met in the
    texts whose words were marked with senses (``cntlist.rev``). Words that WordNet writes with a capital
    are left out, and those that were never met.
``derived.txt``
    ``lemma TAB lemma ...``: words of other parts of speech that a word is derived from, or they from it
    (*snow*, *snowy*; *quick*, *quickly*), each pair under the lemma that comes first.
"""

from __future__ import annotations

import sys
import zipfile
from array import array
from collections import defaultdict
from pathlib import Path

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
SENSE_KEY_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
"""The part of speech in a sense key; 5 is a satellite adjective."""

PLACE_FILE = "15"
"""WordNet's lexicographer file *noun.location*; only there is part–whole kept (Boston, Massachusetts)."""

POINTERS = {
    "@": "hypernym",
    "@i": "hypernym",
    "*": "entailment",
    "&": "similar",
    "\\": "pertainym",
}
RELATIONS = ("hypernym", "entailment", "similar", "pertainym", "whole")

Offsets = dict[tuple[str, int], int]


def read_synsets(folder: Path) -> tuple[Offsets, dict[str, list[tuple[int, int]]], set[tuple[str, str, str]]]:
    """Number the synsets and collect their relations and the antonym pairs of their words."""
    lines: list[tuple[str, int, list[str]]] = []
    for pos, part in PARTS.items():
        for line in (folder / f"data.{part}").read_text("ascii").splitlines():
            if not line.startswith("  "):
                fields = line.split(" | ")[0].split()
                lines.append((pos, int(fields[0]), fields))
    ids: Offsets = {(pos, offset): number for number, (pos, offset, _) in enumerate(lines)}
    words = {(pos, offset): _words(fields) for pos, offset, fields in lines}
    relations: dict[str, list[tuple[int, int]]] = defaultdict(list)
    antonyms: set[tuple[str, str, str]] = set()
    for pos, offset, fields in lines:
        for symbol, target, source_target in _pointers(fields):
            if symbol == "!" and target in words:
                one, two = int(source_target[:2], 16), int(source_target[2:], 16)
                antonyms.add((words[pos, offset][one - 1], words[target][two - 1], pos))
            name = POINTERS.get(symbol)
            if symbol == "#p" and fields[1] == PLACE_FILE:
                name = "whole"
            if name:
                relations[name].append((ids[pos, offset], ids[target]))
    return ids, relations, antonyms


def _words(fields: list[str]) -> list[str]:
    count = int(fields[3], 16)
    return [fields[4 + 2 * place].split("(")[0].lower() for place in range(count)]


def _pointers(fields: list[str]) -> list[tuple[str, tuple[str, int], str]]:
    start = 4 + 2 * int(fields[3], 16)
    found = []
    for place in range(int(fields[start])):
        symbol, offset, pos, source_target = fields[start + 1 + 4 * place : start + 5 + 4 * place]
        found.append((symbol, ("a" if pos == "s" else pos, int(offset)), source_target))
    return found


def read_derived(folder: Path) -> str:
    """The text of ``derived.txt``: derivationally related forms, and what pertainyms pertain to."""
    lines: list[tuple[tuple[str, int], list[str]]] = []
    for pos, part in PARTS.items():
        for line in (folder / f"data.{part}").read_text("ascii").splitlines():
            if not line.startswith("  "):
                fields = line.split(" | ")[0].split()
                lines.append(((pos, int(fields[0])), fields))
    words = {key: _words(fields) for key, fields in lines}
    found: dict[str, set[str]] = defaultdict(set)
    for key, fields in lines:
        for symbol, target, source_target in _pointers(fields):
            if symbol in ("+", "\\") and target in words:
                one = words[key][int(source_target[:2], 16) - 1]
                two = words[target][int(source_target[2:], 16) - 1]
                if one != two:
                    found[min(one, two)].add(max(one, two))
    return "".join("\t".join((lemma, *sorted(found[lemma]))) + "\n" for lemma in sorted(found))


def read_lemmas(folder: Path, ids: Offsets) -> str:
    """The text of ``lemmas.txt``."""
    senses: dict[str, list[str]] = defaultdict(list)
    for pos, part in PARTS.items():
        for line in (folder / f"index.{part}").read_text("ascii").splitlines():
            if not line.startswith("  "):
                fields = line.split()
                count = int(fields[2])
                numbers = (str(ids[pos, int(offset)]) for offset in fields[-count:])
                senses[fields[0]].append(" ".join((pos, *numbers)))
    return "".join(f"{lemma}\t" + "\t".join(senses[lemma]) + "\n" for lemma in sorted(senses))


def read_exceptions(folder: Path) -> str:
    """The text of ``exceptions.txt``."""
    lines = []
    for pos, part in PARTS.items():
        for line in (folder / f"{part}.exc").read_text("ascii").splitlines():
            lines.append("\t".join((pos, *line.split())) + "\n")
    return "".join(sorted(lines))


def read_counts(folder: Path) -> str:
    """The text of ``counts.txt``."""
    written: set[tuple[str, str]] = set()
    for pos, part in PARTS.items():
        for line in (folder / f"data.{part}").read_text("ascii").splitlines():
            if not line.startswith("  "):
                fields = line.split()
                words = (fields[4 + 2 * place].split("(")[0] for place in range(int(fields[3], 16)))
                written.update((word, pos) for word in words if word == word.lower())
    found: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for line in (folder / "cntlist.rev").read_text("ascii").splitlines():
        key, rank, count = line.split()
        lemma, _, rest = key.partition("%")
        found[lemma, SENSE_KEY_PARTS[rest[0]]][int(rank)] = int(count)
    lines = []
    for (lemma, pos), counts in sorted(found.items()):
        if (lemma, pos) in written:
            ranks = range(1, max(counts) + 1)
            lines.append("\t".join((lemma, pos, *(str(counts.get(rank, 0)) for rank in ranks))) + "\n")
    return "".join(lines)


def build(folder: Path, target: Path) -> None:
    """Read WordNet's files in ``folder``, write the index to ``target``; its bytes depend on nothing else."""
    ids, relations, antonyms = read_synsets(folder)
    members = {
        "lemmas.txt": read_lemmas(folder, ids).encode(),
        "antonyms.txt": "".join("\t".join(pair) + "\n" for pair in sorted(antonyms)).encode(),
        "exceptions.txt": read_exceptions(folder).encode(),
        "counts.txt": read_counts(folder).encode(),
        "derived.txt": read_derived(folder).encode(),
    }
    for name in RELATIONS:
        pairs = sorted(set(relations[name]))
        for side, place in (("from", 0), ("to", 1)):
            column = array("I", (pair[place] for pair in pairs))
            if sys.byteorder == "big":
                column.byteswap()
            members[f"{name}.{side}"] = column.tobytes()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2006, 12, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(__file__).with_name("wordnet.zip"))
