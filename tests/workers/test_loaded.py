"""The models that a process keeps: few, of bounded weight, the one not used for longest goes first."""

from types import SimpleNamespace

import pytest

from workers.runtimes import runtime_for
from workers.runtimes.loaded import MOST, Loaded, folder_weight


@pytest.fixture
def kept(settings):
    settings.MODEL_MEMORY = 10  # megabytes
    return Loaded()


def get(kept: Loaded, key: str, megabytes: int = 0) -> object:
    return kept.get(key, megabytes * 1_000_000, lambda: SimpleNamespace(key=key))


def test_a_model_is_loaded_once(kept):
    assert get(kept, "a") is get(kept, "a")


def test_the_one_not_used_for_longest_makes_room(kept):
    for key in ("a", "b", "a", "c"):
        get(kept, key, 4)
    assert kept.keys == ["a", "c"]


def test_one_larger_than_the_bound_is_kept_alone(kept):
    get(kept, "a", 4)
    get(kept, "b", 40)
    assert kept.keys == ["b"]
    get(kept, "a", 4)
    assert kept.keys == ["a"]


def test_light_ones_are_few_too(kept):
    for number in range(MOST + 2):
        get(kept, str(number))
    assert kept.keys == ["2", "3", "4", "5"]


def test_room_is_made_before_another_is_loaded(kept):
    get(kept, "a", 8)
    seen = []
    kept.get("b", 8_000_000, lambda: seen.append(kept.keys))
    assert seen == [[]]


def test_one_that_can_t_be_loaded_is_not_kept(kept):
    with pytest.raises(ZeroDivisionError):
        kept.get("a", 0, lambda: 1 / 0)
    assert kept.keys == []


def test_a_folder_weighs_what_its_weights_do(settings, tmp_path):
    settings.MODELS_DIR = tmp_path
    (tmp_path / "bert").mkdir()
    (tmp_path / "bert" / "model.safetensors").write_bytes(b"12345")
    (tmp_path / "bert" / "vocab.txt").write_bytes(b"12345678")
    assert (folder_weight("bert"), folder_weight("../elsewhere"), folder_weight("gone")) == (5, 0, 0)


def test_a_registered_model_stays_loaded():
    model = SimpleNamespace(kind="majority", config={"label": "entailment"}, fingerprint="")
    assert runtime_for(model) is runtime_for(model)
