"""Entailment: what the provers say, that they agree, and what they show."""

import sys

import pytest
from hypothesis import given, settings

from natlog.logic import external_provers
from natlog.logic.counting import at_least, at_most, exactly
from natlog.logic.decision import ProverError, refutes
from natlog.logic.formula import Atom, Constant, Exists, Not, Variable, free_variables
from natlog.logic.model_pictures import to_svg, to_text
from natlog.logic.models import FiniteModel, holds
from natlog.logic.nltk_notation import parse, parse_sentence
from natlog.logic.prover import Prover
from natlog.logic.subsumption import subsumes
from natlog.logic.tptp_notation import parse_sentence as parse_tptp
from natlog.logic.z3_prover import Z3
from tests.natlog.logic.conftest import rows, sentences

ENGINES = ("default", "repeatable", "tableau", "z3")
CASES = [
    ("exists x.(dog(x) & run(x))", "exists x.dog(x)", "yes", "no"),
    ("all x.(dog(x) -> run(x))", "exists x.(dog(x) & run(x))", "no", "no"),
    ("all x.p(x)", "exists x.p(x)", "yes", "no"),
    ("exists x.all y.see(x,y)", "all y.exists x.see(x,y)", "yes", "no"),
    ("-exists x.(dog(x) & run(x))", "-exists x.(dog(x) & small(x) & run(x))", "yes", "no"),
    ("((tom = ann) & p(tom))", "p(ann)", "yes", "no"),
    ("(p <-> q)", "((p & q) | (-p & -q))", "yes", "yes"),
    ("(p & -p)", "q(tom)", "yes", "no"),
    ("all x y.(x = y)", "(exists x.p(x) -> all x.p(x))", "yes", "no"),
    ("(p | q)", "(q | p)", "yes", "yes"),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("one", "other", "forward", "back"), CASES)
def test_entailment_both_ways(engine, one, other, forward, back):
    for proof, answer in zip(
        Prover(engine).both_ways(parse_sentence(one), parse_sentence(other)), (forward, back), strict=True
    ):
        assert proof.answer == answer


@settings(deadline=None, max_examples=150)
@given(sentences(depth=3), sentences(depth=3))
def test_tableau_and_z3_never_contradict_each_other(premise, hypothesis):
    ours = Prover("tableau").prove(premise, hypothesis)
    theirs = Z3().decide([premise], hypothesis, 1.0)
    assert {ours.answer, theirs.answer} != {"yes", "no"}
    for model in (ours.countermodel, theirs.countermodel):
        assert model is None or refutes(model, [premise], hypothesis)


@settings(deadline=None, max_examples=150)
@given(sentences(depth=3), sentences(depth=3))
def test_what_follows_by_shape_follows(premise, hypothesis):
    if subsumes(premise, hypothesis):
        assert Z3().decide([premise], hypothesis, 1.0).answer != "no"


def test_a_premise_is_entailed_by_itself_and_by_its_renaming_without_a_search():
    assert subsumes(
        parse_sentence("all x.(p(x) -> exists y.q(x,y))"), parse_sentence("all y.(p(y) -> exists x.q(y,x))")
    )
    assert not subsumes(
        parse_sentence("exists x.exists y.q(x,y)"), parse_sentence("exists x.exists y.q(y,x)")
    )


def test_a_countermodel_is_a_model_of_the_premise_alone():
    premise, hypothesis = parse_sentence("exists x.see(x,tom)"), parse_sentence("see(tom,tom)")
    model = Prover().prove(premise, hypothesis).countermodel
    assert holds(premise, model)
    assert not holds(hypothesis, model)
    assert "see" in to_text(model)
    assert to_svg(model).startswith("<svg")


def test_axioms_are_further_premises():
    premise, hypothesis = parse_sentence("exists x.dog(x)"), parse_sentence("exists x.animal(x)")
    axiom = parse_sentence("all x.(dog(x) -> animal(x))")
    assert Prover().prove(premise, hypothesis).answer == "no"
    assert Prover().prove(premise, hypothesis, [axiom]).answer == "yes"


def test_equivalence_is_two_proofs():
    prover = Prover()
    both = parse_sentence("-(p & q)"), parse_sentence("(-p | -q)")
    assert prover.equivalent(*both) == "yes"
    assert prover.equivalent(parse_sentence("(p & q)"), parse_sentence("p")) == "no"


def test_no_time_is_unknown_and_never_a_label_and_is_not_remembered(tmp_path):
    """An axiom of an unbounded order: only infinite models, which nobody here finds."""
    order = parse_sentence(
        "(all x.-less(x,x) & all x.exists y.less(x,y) & all x y z.((less(x,y) & less(y,z)) -> less(x,z)))"
    )
    file = tmp_path / "answers"
    assert Prover(seconds=0.2, remember=file).prove(order, parse_sentence("p(tom)")).answer == "unknown"
    assert not file.exists()


def test_bounded_by_work_a_proof_comes_out_the_same_whatever_was_asked_before_and_however_long_it_takes():
    order = parse_sentence(
        "(all x.-less(x,x) & all x.exists y.less(x,y) & all x y z.((less(x,y) & less(y,z)) -> less(x,z)))"
    )
    many = Z3(200_000)
    asked = [(order, parse_sentence("p(tom)"))] + [tuple(map(parse_sentence, case[:2])) for case in CASES]
    alone = [Z3(200_000).decide([one], other, 60).answer for one, other in asked]
    in_turn = [many.decide([one], other, 60).answer for one, other in reversed(asked)]
    assert alone == in_turn[::-1] and alone == ["unknown"] + [case[2] for case in CASES]


def test_answers_are_remembered_in_memory_and_in_a_file(tmp_path):
    file = tmp_path / "answers"
    one, other = parse_sentence("(p & q)"), parse_sentence("p")
    first = Prover(remember=file)
    assert first.prove(one, other).seconds > 0
    assert first.prove(one, other).seconds == 0
    file.write_text(file.read_text() + "default\tcut off")
    assert Prover(remember=file).prove(one, other) == first.prove(one, other).__class__("yes", "default", 0.0)


def test_a_constant_is_never_remembered_as_a_variable_of_its_name():
    prover = Prover()
    some, of_x1 = Exists("x1", Atom("p", (Variable("x1"),))), Exists("x1", Atom("p", (Constant("x1"),)))
    assert prover.prove(some, some).answer == "yes"
    assert prover.prove(some, of_x1).answer == "no"


def test_an_open_formula_or_a_lambda_is_refused():
    with pytest.raises(ValueError, match="free variables: x"):
        Prover().prove(parse("p(x)"), parse("p(x)"))
    with pytest.raises(TypeError):
        Prover().prove(parse(r"\x.p(x)"), parse_sentence("p"))


def test_an_unknown_or_absent_prover_is_said_to_be(monkeypatch):
    with pytest.raises(LookupError, match="no prover called 'oracle'"):
        Prover("oracle")
    monkeypatch.setattr("natlog.logic.prover.find_vampire", lambda: None)
    with pytest.raises(ProverError, match="Vampire is not installed"):
        Prover("vampire")


def script(tmp_path, answer):
    program = tmp_path / "prover"
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.stdin.read()\n{answer}\n")
    program.chmod(0o755)
    return external_provers.EProver(str(program))


@pytest.mark.parametrize(
    ("says", "answer"),
    [
        ("print('# SZS status Theorem')", "yes"),
        ("print('# SZS status CounterSatisfiable')", "no"),
        ("print('# SZS status ResourceOut')", "unknown"),
        ("import time; time.sleep(30)", "unknown"),
    ],
)
def test_what_a_process_says_is_read(tmp_path, monkeypatch, says, answer):
    monkeypatch.setattr(external_provers, "_GRACE_SECONDS", 0.2)
    sentence = parse_sentence("p")
    assert script(tmp_path, says).decide([sentence], sentence, 0.1).answer == answer


def test_a_process_without_an_answer_is_an_error(tmp_path):
    with pytest.raises(ProverError, match="no licence"):
        script(tmp_path, "print('no licence')").decide([], parse_sentence("p"), 1)


def test_e_agrees_where_it_is_installed():
    if external_provers.find_e() is None:
        pytest.skip("E is not installed")
    for one, other, forward, back in CASES:
        proofs = Prover("e").both_ways(parse_sentence(one), parse_sentence(other))
        assert tuple(proof.answer for proof in proofs) == (forward, back)


def test_counting_is_by_distinct_witnesses():
    dog, small_dog = parse("dog(x)"), parse("(dog(x) & small(x))")
    prover = Prover()
    three, two = at_least(3, "x", dog), at_least(2, "x", dog)
    assert [proof.answer for proof in prover.both_ways(three, two)] == ["yes", "no"]
    assert prover.prove(at_most(2, "x", dog), at_most(2, "x", small_dog)).answer == "yes"
    assert prover.equivalent(at_most(2, "x", dog), Not(three)) == "yes"
    assert prover.prove(exactly(1, "x", dog), two).answer == "no"
    assert prover.equivalent(exactly(0, "x", dog), parse_sentence("-exists x.dog(x)")) == "yes"


def test_a_model_of_three_has_three():
    model = FiniteModel(3, frozenset({("dog", (0,)), ("dog", (1,)), ("dog", (2,))}), {})
    assert holds(at_least(3, "x", parse("dog(x)")), model)
    assert not holds(at_least(4, "x", parse("dog(x)")), model)


def test_counting_takes_no_free_variable_for_a_witness():
    """At least two that x1 sees, said of x1 = tom."""
    formula = at_least(2, "y", parse("see(x1,y)"))
    assert free_variables(formula) == {"x1"}


def test_the_systematicity_reference_is_proved_as_published(shared_data):
    prover = Prover()
    for row in list(rows(shared_data / "reference" / "systematicity.tsv"))[::4]:
        if row["function"].startswith("lex"):
            continue
        forward, back = prover.both_ways(parse_tptp(row["fol_premise"]), parse_tptp(row["fol_hypothesis"]))
        said = {"yes": "yes", "no": "unk"}
        assert (said[forward.answer], said[back.answer]) == (row["prover_fwd"], row["prover_rev"])
