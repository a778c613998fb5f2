"""``python -m natlog polarize`` and ``score polarity``, as a shell sees them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from natlog.__main__ import main


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    def feed(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))

    return feed


def test_one_line_out_for_each_line_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("No dog barks.\n\nEvery dog barks.\n", encoding="utf-8")
    code, out, err = run(["polarize", str(file)], capsys)
    assert (code, err) == (0, "")
    assert out == "No↑ dog↓ barks↓ .↑\n\nEvery↑ dog↓ barks↑ .↑\n"


def test_a_pipe_and_the_lines_own_tokens(stdin, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(b"No dog can't bark\n")
    assert run(["polarize", "--tokens", "-"], capsys)[1] == "No↑ dog↓ can't↓ bark↑\n"


def test_tree_and_why(stdin, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(b"No dog sees every cat")
    _, out, _ = run(["polarize", "--tree", "--why"], capsys)
    assert "  NP↓ every cat\n" in out
    assert "cat   ↑ No (second ↓) · every (first ↓)\n" in out


def test_json_lines(stdin, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(b"No dog barks.\n")
    _, out, _ = run(["polarize", "--json", "--convention", "med"], capsys)
    row = json.loads(out)
    assert row["convention"] == "med"
    assert [token["polarity"] for token in row["tokens"]] == ["↑", "↓", "↓", "↑"]
    assert row["tokens"][1]["why"][0]["operator"] == "no"
    assert {"label": "NBAR", "text": "dog", "polarity": "↓"}.items() <= row["constituents"][3].items()


def test_score_as_json_and_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("No↑ dog↓ barks↓\n# a note\nEvery↑ dog↑ barks↑\n", encoding="utf-8")
    _, out, _ = run(["score", "polarity", str(gold), "--json"], capsys)
    score = json.loads(out)
    assert score["tokens"] == pytest.approx(5 / 6)
    assert score["key_tokens"] == pytest.approx(5 / 6)
    assert score["sentences"] == 0.5
    assert score["n"] == 2
    code, out, _ = run(["score", "polarity", str(gold), "--errors"], capsys)
    assert code == 0
    assert "line 3\n  Every↑ dog↑[↓] barks↑" in out


@pytest.mark.parametrize(
    ("arguments", "data", "message"),
    [
        (["polarize", "nonesuch.txt"], b"", "nonesuch.txt: No such file or directory"),
        (["polarize"], b"good\n\xff\xfe\n", "standard input, line 2: not UTF-8"),
        (["polarize", "--convention", "nonesuch"], b"", "no convention 'nonesuch'"),
        (["polarize", "--parser", "nonesuch"], b"", "no spaCy pipeline named 'nonesuch'"),
        (["score", "polarity", "-"], "No↑ dog".encode(), "line 1: token 2, 'dog', does not end in ↑, ↓ or ="),
        (["score", "polarity", "-"], b"\n", "no sentence in it"),
    ],
)
def test_bad_input_is_named(
    arguments: list[str], data: bytes, message: str, stdin, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(data)
    code, out, err = run(arguments, capsys)
    assert code == 2
    assert out in ("", "good↑\n")
    assert message in err
    assert "Traceback" not in err
