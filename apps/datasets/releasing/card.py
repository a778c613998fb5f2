"""A release's dataset card: what is in the archive, how it came about, what to beware of."""

from __future__ import annotations

from typing import Any

from apps.datasets.models import Release
from apps.datasets.releasing.rules import ALL_MATCH, AT_LEAST

# What each file of the archive holds.
FILES = {
    "pairs.tsv": "the pairs in the columns of MED and MNLI; `gold_label` is `entailment` or `neutral` "
    "(non-entailment); `label1` to `label5` are single judgements, where *unnatural* is an answer and no "
    "label; tabs and line ends inside a text are spaces here",
    "pairs.jsonl": "the same pairs with their texts as they are, calculus label and reason, tags; "
    "`swapped_from` names the pair that a twin was made of",
    "not_swapped.tsv": "pairs whose premise and hypothesis were not exchanged, and why",
    "judgements.jsonl": "every single judgement on the dataset, also on pairs that are not published, "
    "surplus ones (`counted` is false) and skips",
    "judgements.csv": "the same as a table; a cell that begins like a formula has `'` before it",
    "MANIFEST.json": "counts, the rule, versions, and the SHA-256 of every file",
}


def card(release: Release, manifest: dict[str, Any]) -> str:
    """The card as Markdown. The same manifest gives the same card."""
    counts = manifest["counts"]
    parts = [f"# {release.dataset.name}, release {release.number}"]
    if manifest["simulated"]:
        parts.append(
            "**Simulated data.** Judgements of this dataset were made by a program, not by people "
            f"({counts['simulated_annotators']} of {counts['annotators']} annotators). "
            "Nothing can be concluded from it about people."
        )
    if manifest["empty_because"]:
        parts.append(f"**This release is empty.** {manifest['empty_because']}")
    parts += [
        "Inference problems: does the hypothesis follow from the premise? Each pair differs in one place of "
        "known polarity (upward, downward or non-monotone).",
        "## Pairs",
        _label_table(counts["labels"], counts["pairs"]["total"]),
        f"Of {counts['considered']} pairs, {counts['with_enough_judgements']} had "
        f"{manifest['rule']['judgements']} judgements or more. {_rule(manifest['rule'])}",
        "## Files",
        "\n".join(
            ["| file | what |", "|---|---|", *(f"| `{name}` | {what} |" for name, what in FILES.items())]
        ),
        "## People",
        f"{counts['judgements']} judgements by {counts['annotators']} annotators, who appear under "
        "pseudonyms made for this release alone. Times are the server's, in UTC; `seconds` is from showing "
        "to sending. Annotators' free-text notes are not published.",
        "## Origin",
        _origin(manifest),
    ]
    return "\n\n".join(parts) + "\n"


def _label_table(labels: list[dict[str, Any]], total: int) -> str:
    lines = ["| direction | label | pairs |", "|---|---|---:|"]
    lines += [f"| {row['direction'] or '–'} | {row['label']} | {row['pairs']} |" for row in labels]
    return "\n".join([*lines, f"| all | | {total} |"])


def _file_table() -> str:
    return "\n".join(
        ["| file | what |", "|---|---|", *(f"| `{name}` | {what} |" for name, what in FILES.items())]
    )


def _rule(rule: dict[str, Any]) -> str:
    if rule["rule"] == ALL_MATCH:
        text = "Published are those on which every judgement matches the label of the monotonicity calculus."
    elif rule["rule"] == AT_LEAST:
        text = (
            f"Published are those on which at least {rule['matches']} judgements match the label of the "
            "monotonicity calculus."
        )
    else:
        text = (
            "The label is the one that more than half of the judgements gave; where there was none, "
            "the one that a researcher decided on."
        )
    if rule["drop_unnatural"]:
        text += " A pair that anybody called unnatural is left out."
    else:
        text += " A pair that most called unnatural is left out."
    if rule["swaps"]:
        text += (
            " Where the label turns over with them, premise and hypothesis were exchanged to make a twin "
            "with the other label (Yanaka et al. 2019, section 3.1.3)."
        )
    return text


def _origin(manifest: dict[str, Any]) -> str:
    lines = [
        f"- Licence: {manifest['licence'] or 'not stated'}",
        f"- Source: {manifest['source'] or 'not stated'}",
    ]
    lines += [
        f"- Sentences from *{corpus['name']}* ({corpus['source']}), {corpus['licence']}"
        for corpus in manifest["corpora"]
    ]
    lines += [
        f"- Calculus: {key['engine']} {key['engine_version']}, convention {key['convention']}, "
        f"parser {key['parser']}"
        for key in manifest["calculus"]
    ]
    lines += [
        f"- Campaign *{campaign['name']}* ({campaign['task']}): "
        f"{campaign['annotators_an_item']} annotators an item, "
        f"guideline versions {', '.join(map(str, campaign['guideline_versions'])) or 'none'}"
        f"{', simulated' if campaign['simulated'] else ''}"
        for campaign in manifest["campaigns"]
    ]
    return "\n".join(lines)
