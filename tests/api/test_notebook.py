"""The notebook of the documentation goes from a token to MED's Tables 3 and 6, over HTTP."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from apps.accounts.models import Scope
from apps.datasets.models import GoldLabel
from apps.people.services import api_token_create
from tests.dashboard.conftest import WORDS, predict
from tests.datasets.conftest import campaign, dataset, make

__all__ = ["campaign", "dataset", "make", "predict"]

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "notebook.py"


@pytest.mark.django_db(transaction=True)
def test_the_tables_come_out_as_they_are_counted_by_hand(
    live_server,
    dataset,
    make,
    predict,
    rosa,
    monkeypatch,
    capsys,
):
    pairs = [
        make("eee", calculus="e", direction="upward"),
        make("een", calculus="e", direction="upward"),
        make("nnn", calculus="n", direction="downward"),
        make("eee", calculus="n", direction="downward"),
    ]
    for pair, letter in zip(pairs, "eenn", strict=True):
        GoldLabel.objects.create(pair=pair, source="file", label=WORDS[letter])
    predict("net", pairs, "eeen")
    _token, secret = api_token_create(user=rosa, name="notebook", scopes=[Scope.READ])
    for name, value in (("POLARLAB", live_server.url), ("TOKEN", secret), ("DATASET", str(dataset.pk))):
        monkeypatch.setenv(name, value)
    made = runpy.run_path(str(NOTEBOOK))
    table3 = made["table3"]
    assert {(m, place): int(n) for m, row in table3.iterrows() for place, n in row.items() if n} == {
        ("3", "upward"): 1, ("3", "downward"): 1, ("3", "all"): 2,
        ("2", "upward"): 1, ("2", "all"): 1,
        ("0", "downward"): 1, ("0", "all"): 1,
    }  # fmt: skip
    table6 = made["table6"]
    assert table6.loc["net"].to_dict() == {"all": 75.0, "downward": 50.0, "upward": 100.0}
    assert table6.loc["people, each answer", "downward"] == 50.0
    assert table6.loc["people, majority", "all"] == 75.0
    assert "Table 6: accuracy against file, per cent" in capsys.readouterr().out
