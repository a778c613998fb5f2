"""How many answers an item wants: the target, and more where the first ones disagree."""

import pytest

from apps.campaigns.targets import wanted


@pytest.mark.parametrize(
    ("answers", "target", "maximum", "expected"),
    [
        ("", 3, None, 3),
        ("yyn", 3, None, 3),
        ("yyyy", 3, None, 3),  # a target that was lowered
        ("", 3, 5, 3),
        ("yn", 3, 5, 3),
        ("yyy", 3, 5, 3),
        ("yyn", 3, 5, 4),
        ("yyny", 3, 5, 4),
        ("yynn", 3, 5, 5),
        ("yynny", 3, 5, 5),
        ("ynu", 3, 5, 4),
        ("ynuu", 3, 5, 5),
        ("yynny", 3, 3, 3),
        ("yn", 2, 3, 3),
        ("yny", 2, 3, 3),
        ("yyyyn", 5, 9, 6),
        ("yyyyyn", 6, 9, 6),  # 5 to 1, three to come
        ("y", 1, 5, 1),
    ],
)
def test_more_are_asked_until_nobody_can_catch_up(answers, target, maximum, expected):
    assert wanted(list(answers), target, maximum) == expected


@pytest.mark.parametrize("target", [1, 2, 3])
@pytest.mark.parametrize("maximum", [3, 4, 7])
def test_never_below_the_target_nor_above_the_maximum_nor_two_at_a_time(target, maximum):
    from itertools import product

    for length in range(maximum + 1):
        for answers in product("yn", repeat=length):
            number = wanted(list(answers), target, maximum)
            assert target <= number <= max(maximum, target)
            assert number <= max(target, length + 1)
