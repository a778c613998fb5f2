"""``python -m natlog explain``: one pair, laid out: alignment, edits, signs, word relations, verdict."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from natlog.commands.pair_options import BAD_INPUT, add_options, labeller

if TYPE_CHECKING:
    from natlog.calculus import Verdict
    from natlog.tree import Marking


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "explain",
        help="explain the verdict on one pair",
        description="Print both sentences with their polarity, each edit with its place's polarity "
        "and the word relation used, and the verdict.",
    )
    parser.add_argument("premise", metavar="PREMISE")
    parser.add_argument("hypothesis", metavar="HYPOTHESIS")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--svg", type=Path, metavar="FILE", help="write the premise's tree as SVG; - prints it alone"
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain; 0, or 2 where a sentence is empty or the convention, pipeline or a file can't be used."""
    from natlog.calculus import explain
    from natlog.calculus.svg import tree_svg
    from natlog.lexicon.embedding import EmbeddingError
    from natlog.lexicon.words import SupplementError

    try:
        for name in ("premise", "hypothesis"):
            if not getattr(args, name).strip():
                raise ValueError(f"the {name} is empty")
        engine = labeller(args)
        markings = engine.markings([args.premise, args.hypothesis])
        premise, hypothesis = markings[args.premise], markings[args.hypothesis]
        verdict = engine.label_marked(premise, hypothesis)
        if args.svg:
            drawing = tree_svg(premise, standalone=True)
            if str(args.svg) == "-":
                print(drawing)
                return 0
            args.svg.write_text(drawing + "\n", encoding="utf-8")
    except (SupplementError, EmbeddingError, LookupError, OSError, ValueError) as error:
        print(f"explain: {error}", file=sys.stderr)
        return BAD_INPUT
    if args.json:
        print(json.dumps(explain(verdict, premise, hypothesis), ensure_ascii=False, indent=2))
    else:
        print(_text(verdict, premise, hypothesis))
    return 0


def _text(verdict: Verdict, premise: Marking, hypothesis: Marking) -> str:
    lines = [f"premise     {premise}", f"hypothesis  {hypothesis}", ""]
    for number, edit in enumerate(verdict.edits, 1):
        change = " → ".join(f"“{text}”" for text in (edit.before, edit.after) if text)
        lines.append(f"{number}. {edit.kind} ({edit.form}): {change}")
        if edit.site:
            makers = f", made by {', '.join(edit.operators)}" if edit.operators else ""
            lines.append(f"   place: {edit.site} {edit.polarity}{makers}")
        lines.append(f"   relation: premise {edit.relation} hypothesis; {edit.note}")
        if edit.word:
            lines.append(
                f"   words: {edit.word.first}, {edit.word.second}: {edit.word.relation.value}"
                f" ({edit.word.source})"
            )
    from natlog.calculus.confidence import doubts

    label = verdict.label if verdict.read else "not read"
    doubted = doubts(verdict.evidence) if verdict.evidence and verdict.read else ()
    lines += [
        "",
        f"verdict     {label} ({verdict.direction}; confidence {verdict.confidence:.2f})"
        + ("" if verdict.monotonicity else "; not a monotonicity inference"),
        f"tags        {', '.join(verdict.tags) or '–'}",
        f"because     {verdict.reason}",
    ]
    if doubted:
        lines.append(f"less sure   {'; '.join(doubted)}")
    return "\n".join(lines)
