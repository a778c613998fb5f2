"""``python -m natlog polarize --ccg``: derivations in, polarity out."""

import json
from pathlib import Path

import pytest

from natlog.__main__ import main

FIXTURES = Path(__file__).with_name("fixtures")
DERIVATIONS = FIXTURES / "derivations.auto"


def test_every_derivation_of_a_file_is_marked_on_a_line(capsys):
    assert main(["polarize", "--ccg", str(DERIVATIONS)]) == 0
    assert capsys.readouterr().out == (FIXTURES / "derivations.txt").read_text(encoding="utf-8")


def test_json_tells_the_parser_and_the_chain_of_operators(capsys):
    assert main(["polarize", "--ccg", "--json", str(DERIVATIONS)]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["parser"] == "auto"
    assert first["tokens"][1]["why"][0]["operator"] == "every"


@pytest.mark.parametrize(
    ("text", "message"),
    [("Every dog barks.\n", "not a derivation"), ("(<L N>)\n", "line 1, leaf 1"), (None, "No such file")],
)
def test_what_is_no_derivation_is_named(text, message, tmp_path, capsys):
    path = tmp_path / "x.auto"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main(["polarize", "--ccg", str(path)]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "x.auto" in captured.err
    assert captured.out == ""
