"""What kind of error a wrong meaning is (SyGNS, Tables 7 and 18)."""

from __future__ import annotations

import pytest

from natlog.logic.meaning_errors import KINDS, kind_of_error
from natlog.logic.meaning_scores import compared
from natlog.logic.prover import Prover

FOL = "all x1.((cat(x1) & wild(x1)) -> (escape(x1) & run(x1)))"  # Table 7
VF = "ALL AND CAT WILD AND ESCAPE RUN"
CLF = "b1 IMP b2 b3 [SEP] b2 REF x1 [SEP] b2 lion x1 [SEP] b3 run x1"


@pytest.mark.parametrize(
    ("form", "gold", "said", "kind"),
    [
        ("fol", FOL, FOL, ""),
        ("fol", FOL, "all x1.(cat(x1) -> (escape(x1) & run(x1)))", "word left out"),  # the GRU, Table 7
        (
            "fol",
            FOL,
            "all x1.(cat(x1) -> (wild(x1) & (escape(x1) & run(x1))))",
            "other polarity",
        ),  # Transformer
        ("fol", FOL, "all x1.((dog(x1) & wild(x1)) -> (escape(x1) & run(x1)))", "other word"),
        ("fol", FOL, "all x1.((wild(x1) & cat(x1)) -> (escape(x1) & run(x1)))", "proved equivalent"),
        ("fol", FOL, "all x1.((cat(x1) & wild(x1)) -> (escape(x1) | run(x1)))", "other structure"),
        ("fol", FOL, "all x1.(cat(", "no meaning"),
        ("fol", FOL, "", "no meaning"),
        ("vf", VF, "ALL CAT AND ESCAPE RUN", "word left out"),
        ("vf", VF, "EXIST AND CAT WILD AND ESCAPE RUN", "other polarity"),
        ("vf", VF, "ALL AND CAT WILD AND", "no meaning"),
        ("clf", CLF, CLF.replace("lion", "dog"), "other word"),
        ("clf", CLF, CLF.replace("b3 run", "b2 run"), "other structure"),
        ("clf", CLF, "b1 IMP", "no meaning"),
    ],
)
def test_a_wrong_meaning_has_the_first_kind_that_holds(form, gold, said, kind):
    found = compared(form, said, gold, Prover(seconds=2))
    assert kind_of_error(form, found, said, gold) == kind
    assert not kind or kind in KINDS
