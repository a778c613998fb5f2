"""``python -m natlog contrast``."""

import csv
import io

from natlog.__main__ import main
from natlog.pairs import read_pairs


def test_pairs_come_with_their_labels_and_originals(tmp_path, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text("No dog ran.\tNo small dog ran.\nDogs ran.\tAnimals ran.\n")
    assert main(["contrast", str(path)]) == 0
    out, report = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [tuple(row.values()) for row in rows] == [
        ("Some dog ran.", "Some small dog ran.", "non-entailment", "no → some", "No", "some", "No dog ran.",
         "No small dog ran.", "entailment")
    ]  # fmt: skip
    assert report == "contrast: 1 of 2 pairs\n"
    path.write_text(out)
    assert [pair.premise for pair in read_pairs(str(path))] == ["Some dog ran."]


def test_one_contrast_can_be_chosen_and_an_unknown_one_is_refused(tmp_path, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text("Few dogs ran.\tFew small dogs ran.\n")
    assert main(["contrast", str(path), "--only", "few deleted"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("Dogs ran.\tSmall dogs ran.")
    assert main(["contrast", str(path), "--only", "many deleted"]) == 2
    assert "no contrast 'many deleted'; there are: few → a few" in capsys.readouterr().err
