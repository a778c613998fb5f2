"""Batches by length, and the size of chunks by how long they take."""

import random

import pytest

from workers.runtimes.batches import FEWEST_PAIRS, MOST_PAIRS, SECONDS_A_CHUNK, Pace, by_length


@pytest.mark.parametrize("tokens", [1, 20, 512, 1024, 5000])
@pytest.mark.parametrize("count", [0, 1, 2, 33, 500])
def test_every_sequence_is_in_one_batch_that_holds_so_many_tokens(count, tokens):
    lengths = random.Random(count).choices(range(513), k=count)
    batches = list(by_length(lengths, tokens))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[place] for place in batch)
        assert len(batch) * longest <= tokens or len(batch) == 1


def test_the_longest_come_first_and_like_lengths_together():
    assert list(by_length([5, 20, 5, 19, 6], 40)) == [[1, 3], [4, 0, 2]]


def test_sorting_takes_most_of_the_padding_away():
    lengths = [7 + (13 * number) % 40 for number in range(400)]
    padded = sum(len(batch) * lengths[batch[0]] for batch in by_length(lengths, 1024))
    unsorted = sum(32 * max(lengths[begin : begin + 32]) for begin in range(0, 384, 32))
    assert padded < 1.1 * sum(lengths) < 0.75 * unsorted


def test_chunks_grow_and_shrink_to_the_seconds_that_they_are_to_take():
    pace = Pace()
    assert pace.chunk == FEWEST_PAIRS
    for _chunk in range(6):
        pace.took(pace.chunk, pace.chunk / 100)  # 100 pairs a second
    assert pace.chunk == 100 * SECONDS_A_CHUNK
    pace.took(pace.chunk, pace.chunk / 50)
    assert pace.chunk == 50 * SECONDS_A_CHUNK
    pace.took(pace.chunk, pace.chunk / 2)
    assert pace.chunk == FEWEST_PAIRS


def test_no_chunk_is_larger_than_what_a_hanging_one_is_done_again_by():
    from workers.background import RunModel

    pace = Pace()
    for _chunk in range(9):
        pace.took(pace.chunk, 0.0001)
    assert pace.chunk == MOST_PAIRS == RunModel.items_a_chunk


def test_the_rest_of_a_dataset_says_nothing_about_the_speed():
    pace = Pace()
    pace.took(1, 60)
    assert pace.chunk == FEWEST_PAIRS
