"""Splits: what belongs together stays together, the shares are met, and a seed draws the same again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.datasets.services import pair_get_or_create
from apps.releases import splits

EIGHT_ONE_ONE = {"train": 80, "validation": 10, "test": 10}


def key_file(folder: Path, premises: Iterable[Iterable[str]]) -> Path:
    path = folder / "keys"
    with path.open("wb") as file:
        for place, texts in enumerate(premises):
            for text in texts:
                file.write(splits.premise_key(text).to_bytes(8, "little") + place.to_bytes(4, "little"))
    return path


@pytest.mark.parametrize(
    ("premises", "groups"),
    [
        ([["a"], ["b"], ["c"]], [0, 1, 2]),
        ([["a"], ["b"], ["a"]], [0, 1, 0]),
        ([["a"], ["b"], ["a", "b"]], [0, 0, 0]),
        ([["d"], ["c", "d"], ["a"], ["b", "c"], ["a", "e"]], [0, 0, 2, 0, 2]),
        ([["a", "a"], ["b"]], [0, 1]),
        ([], []),
    ],
)
def test_pairs_that_share_a_premise_are_one_group(tmp_path, premises, groups):
    found = splits.groups([key_file(tmp_path, premises)], len(premises), lambda: None)
    assert found.tolist() == groups


@given(st.lists(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=3), max_size=30))
def test_groups_are_those_of_a_plain_search(tmp_path_factory, premises):
    path = key_file(tmp_path_factory.mktemp("keys"), premises)
    found = splits.groups([path], len(premises), lambda: None).tolist()
    for start in range(len(premises)):
        reached, waiting = {start}, [start]
        while waiting:
            here = waiting.pop()
            for other, texts in enumerate(premises):
                if other not in reached and set(texts) & set(premises[here]):
                    reached.add(other)
                    waiting.append(other)
        assert found[start] == min(reached)


def drawn(sizes: list[int], seed: int, shares: dict[str, int]) -> list[int]:
    group = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes).astype("<i4")
    digests = np.random.default_rng(7).integers(0, 2**63, size=len(group), dtype=np.uint64)
    return splits.draw(group, digests, np.ones(len(group), dtype="u1"), shares, seed).split.tolist()


@pytest.mark.parametrize("shares", [EIGHT_ONE_ONE, {"train": 50, "test": 50}, {"test": 100}])
def test_the_shares_are_met_to_a_pair(shares):
    counts = Counter(drawn([1] * 1000, 1, shares))
    assert [counts[place] for place in range(len(shares))] == [10 * share for share in shares.values()]


def test_a_group_is_never_cut_and_the_shares_are_met_up_to_it():
    sizes = [20, 5, 1, 1, 3] * 20
    found = drawn(sizes, 3, EIGHT_ONE_ONE)
    place = 0
    for size in sizes:
        assert len(set(found[place : place + size])) == 1
        place += size
    counts = Counter(found)
    assert all(abs(counts[n] - share) <= 20 for n, share in enumerate((480, 60, 60)))


def test_a_seed_draws_the_same_and_another_one_something_else():
    assert drawn([1] * 200, 5, EIGHT_ONE_ONE) == drawn([1] * 200, 5, EIGHT_ONE_ONE)
    assert drawn([1] * 200, 5, EIGHT_ONE_ONE) != drawn([1] * 200, 6, EIGHT_ONE_ONE)


@pytest.mark.django_db
@pytest.mark.both
def test_twins_and_shared_premises_stay_in_one_split_of_a_release(make, dataset, release):
    for number in range(20):
        one = make("eee", calculus="e")
        make("eee", calculus="e", premise=one.premise, hypothesis=f"No black dog {number} ran.")
        for_twin = f"No old dog {number} ran."
        make("eee", calculus="e", premise=one.hypothesis, hypothesis=for_twin, detail={"swappable": False})
    made, files = release(train=50, validation=0, test=50)
    rows = [*files.lines("data/train.jsonl"), *files.lines("data/test.jsonl")]
    assert len(rows) == 100
    splits_of: dict[str, set[str]] = {}
    for row in rows:
        splits_of.setdefault(row["premise"], set()).add(row["split"])
        if row["swapped_from"]:
            splits_of.setdefault(str(row["swapped_from"]), set()).add(row["split"])
        splits_of.setdefault(str(row["id"]), set()).add(row["split"])
    assert all(len(found) == 1 for found in splits_of.values())
    assert made.manifest["splits"]["groups"] == 20
    index = {row["id"]: row["split"] for row in files.tsv("splits/splits.tsv")}
    assert index == {str(row["id"]): row["split"] for row in rows}


@pytest.mark.django_db
def test_the_splits_depend_on_texts_and_seed_and_not_on_numbers(make, dataset, release, study, ada):
    from apps.datasets.models import GoldLabel
    from apps.datasets.services import dataset_create

    texts = [(f"Some dog {n} ran.", f"An animal {n} ran.") for n in range(40)]
    other = dataset_create(study=study, actor=ada, name="Other")
    for target, order in ((dataset, texts), (other, texts[::-1])):
        for premise, hypothesis in order:
            pair = pair_get_or_create(
                dataset=target, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
            )
            GoldLabel.objects.create(pair=pair, source="file", label="entailment")
    options = {"rule": "file", "judgements": 0, "train": 50, "validation": 25, "test": 25}

    def split_of(files):
        rows = [row for name in ("train", "validation", "test") for row in files.lines(f"data/{name}.jsonl")]
        return {row["hypothesis"]: row["split"] for row in rows}

    one = split_of(release(**options)[1])
    assert Counter(one.values()) == {"train": 20, "validation": 10, "test": 10}
    assert split_of(release(dataset=other, **options)[1]) == one
    assert split_of(release(**options, seed=2)[1]) != one
