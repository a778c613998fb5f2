"""A release's dataset card in Hugging Face's form: front matter for programs, then what people must know."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Sequence
from typing import Any

from apps.releases.card_code import configurations, features, loading
from apps.releases.collection import collection, limits, number_of, sources
from apps.releases.conflicts import OTHERS_MEMBER, in_words
from apps.releases.formats import FORMATS
from apps.releases.gold_rules import (
    ADJUDICATED,
    ALL_MATCH,
    ANY_UNNATURAL,
    AT_LEAST,
    BY_CALCULUS,
    FROM_FILE,
    MACE,
    MOST_UNNATURAL,
    POSTERIOR,
    Options,
)
from apps.releases.licences import licence_id, licence_url
from apps.releases.models import Release

# What each file of an archive holds; {split} stands for each split, and a name that ends in / for a folder.
FILES = {
    "data/{split}.parquet": "the pairs of a split, with labels (`gold_label`, and `label` as a number, "
    "whose names are in this card's `dataset_info`; -1 is none), tags, single answers and their shares "
    "(`soft_label`), the calculus label with its reason, its confidence "
    "(from 0 to 1) and whether it rests on an assumption (`assumed`), `split` and `group`",
    **{f"data/{{split}}.{one.ending}": one.holds for one in FORMATS},
    "soft_labels/soft_labels.csv": "for each judged pair the share of each answer",
    "splits/splits.tsv": "each pair's split and group",
    "not_swapped.tsv": "pairs whose premise and hypothesis were not exchanged, and why",
    "judgements/judgements.*": "every single judgement on the dataset, also on pairs that are not published, "
    "surplus ones (`counted` is false) and skips; Parquet, JSON lines and CSV",
    "judgements/annotators.tsv": "what is known of each annotator's reliability",
    "guidelines/": "every version of the instructions",
    "croissant.json": "the description in MLCommons' Croissant format",
    OTHERS_MEMBER: "pairs that most people, a researcher's decision, the file or an earlier release label "
    "otherwise, two-way",
    "CHANGELOG.md": "what is different from the releases before",
    "changes.tsv": "the same pair by pair, against the release before",
    "MANIFEST.json": "counts, the rule, versions, and the SHA-256 of every file",
    "README.md": "this card",
}


def card(release: Release, manifest: dict[str, Any], context: dict[str, Any], names: Sequence[str]) -> str:
    """The card as Markdown, of an archive with the files ``names``. The same of these give the same card."""
    counts = manifest["counts"]
    parts = [_front_matter(release, manifest), f"# {release.dataset.name}, release {release.number}"]
    if manifest["simulated"]:
        parts.append(
            "**Simulated data.** Judgements of this dataset were made by a program, not by people "
            f"({counts['simulated_annotators']} of {number_of(counts['annotators'], 'annotator')}). "
            "Nothing can be concluded from it about people."
        )
    if manifest["empty_because"]:
        parts.append(f"**This release is empty.** {manifest['empty_because']}")
    parts += [
        "Inference problems: does the hypothesis follow from the premise? Where a pair has a *direction*, "
        "the sentences differ in one place of that polarity (upward, downward or non-monotone).",
        "## Pairs",
        _rule(manifest),
        _label_table(counts["labels"], counts["pairs"]["total"]),
        _split_table(manifest),
        _splits_text(manifest),
        *_otherwise(counts["labelled_otherwise"]),
        *_phenomena(counts),
        "## Files",
        table(["file", "what"], [[f"`{name}`", what] for name, what in files_held(names)], numbers=0),
        "## Reading it",
        *loading(manifest),
        "## How it was collected",
        *collection(manifest, context),
        "## Licences and sources",
        sources(manifest),
        "## Known limits",
        limits(manifest),
    ]
    return "\n\n".join(parts) + "\n"


def files_held(names: Sequence[str]) -> list[tuple[str, str]]:
    """Of ``FILES``, those that an archive with these members has."""
    patterns = {
        shown: f"{shown}*" if shown.endswith("/") else shown.replace("{split}", "*") for shown in FILES
    }
    return [(shown, what) for shown, what in FILES.items() if fnmatch.filter(names, patterns[shown])]


def _front_matter(release: Release, manifest: dict[str, Any]) -> str:
    """YAML; every value is written as JSON, which is YAML that nothing inside a name can break."""
    licence = manifest["licence"]
    total = manifest["counts"]["pairs"]["total"]
    people = "machine-generated" if manifest["simulated"] else "crowdsourced"
    fields: dict[str, Any] = {
        "pretty_name": release.dataset.name,
        "license": licence_id(licence),
        **({"license_name": licence} if licence_id(licence) == "other" else {}),
        **({"license_link": licence_url(licence)} if licence_url(licence) else {}),
        "language": ["en"],
        "annotations_creators": [people] if manifest["counts"]["judgements"] else ["no-annotation"],
        "task_categories": ["text-classification"],
        "task_ids": ["natural-language-inference"],
        "size_categories": [size_category(total)],
        "tags": ["monotonicity", *(["simulated"] if manifest["simulated"] else [])],
    }
    fields["dataset_info"] = [features(release, manifest)]
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    lines.append("configs:")
    for place, (name, paths) in enumerate(configurations(manifest)):
        lines += [f"- config_name: {name}", *(["  default: true"] if place == 0 else []), "  data_files:"]
        for split, path in paths.items():
            lines += [f"  - split: {split}", f"    path: {path}"]
    return "\n".join(["---", *lines, "---"])


def size_category(pairs: int) -> str:
    """Hugging Face's size category.

    >>> size_category(5382), size_category(0)
    ('1K<n<10K', 'n<1K')
    """
    names = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M")
    return next((name for power, name in enumerate(names) if pairs < 10 ** (power + 3)), names[-1])


def table(header: list[str], rows: list[list[Any]], *, numbers: int) -> str:
    """A Markdown table, the last so many columns aligned to the right."""
    left = len(header) - numbers
    lines = [
        "| " + " | ".join(header) + " |",
        "|" + "|".join(["---"] * left + ["---:"] * numbers) + "|",
        *("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows),
    ]
    return "\n".join(lines)


def _label_table(labels: list[dict[str, Any]], total: int) -> str:
    rows = [[row["direction"] or "–", row["label"] or "no gold label", row["pairs"]] for row in labels]
    return table(["direction", "label", "pairs"], [*rows, ["all", "", total]], numbers=1)


def _split_table(manifest: dict[str, Any]) -> str:
    splits = manifest["splits"]
    rows = [[row["split"], row["label"] or "no gold label", row["pairs"]] for row in splits["labels"]]
    rows += [[name, "all", pairs] for name, pairs in splits["pairs"].items()]
    order = list(splits["pairs"])
    return table(["split", "label", "pairs"], sorted(rows, key=lambda row: order.index(row[0])), numbers=1)


def _splits_text(manifest: dict[str, Any]) -> str:
    splits = manifest["splits"]
    total = sum(splits["pairs"].values())
    shares = ", ".join(
        f"{name} {share} % ({100 * splits['pairs'].get(name, 0) / max(total, 1):.1f} % came out)"
        for name, share in splits["shares"].items()
    )
    return (
        f"The splits were asked as {shares}. They are drawn from seed {splits['seed']} over "
        f"{number_of(splits['groups'], 'group')}: pairs that share a premise, and a pair and its twin, are "
        "in one group, and a group is in one split as a whole. The largest group has "
        f"{splits['largest_group']} of {number_of(total, 'pair')}."
    )


def _otherwise(found: list[dict[str, Any]]) -> list[str]:
    """Who else labels these pairs, and how many of them otherwise."""
    if not found:
        return []
    listed = f" `{OTHERS_MEMBER}` lists them." if any(entry["differ"] for entry in found) else ""
    lines = "\n".join(f"- {in_words(entry)}" for entry in found)
    return [f"**Labelled otherwise.** Two-way, and under other rules:{listed}\n\n{lines}"]


def _phenomena(counts: dict[str, Any]) -> list[str]:
    parts = []
    if counts["tags"]:
        parts.append(table(["tag", "pairs"], [[name, n] for name, n in counts["tags"].items()], numbers=1))
    several = {n: pairs for n, pairs in counts["premises"].items() if n != "1"}
    text = []
    if several:
        text.append(
            "; ".join(f"{number_of(pairs, 'pair')} with {n} premises" for n, pairs in several.items()) + "."
        )
    if counts["mean_words"]:
        mean = counts["mean_words"]
        text.append(f"Mean length in words: premises {mean['premise']}, hypotheses {mean['hypothesis']}.")
    if text:
        parts.append(" ".join(text))
    return parts


def _rule(manifest: dict[str, Any]) -> str:
    options, counts = Options.of(manifest["rule"]), manifest["counts"]
    text = f"Of {number_of(counts['considered'], 'pair')}, {counts['with_enough_judgements']} had "
    text += f"{number_of(options.judgements, 'judgement')} or more. "
    text += _RULES[options.rule].format(matches=options.matches, posterior=options.posterior)
    text += _UNNATURAL.get(options.unnatural, "")
    if options.sure and options.rule in BY_CALCULUS:
        left = counts.get("left_out_as_the_calculus_is_not_sure", 0)
        text += (
            f" A label of the calculus counts only where its confidence is {options.sure:g} or more; "
            f"{number_of(left, 'pair')} had none for this alone."
        )
    if options.keep_unlabelled:
        text += " Pairs to which the rule gives no label are published without one."
    if options.swaps:
        text += (
            " Where the label turns over with them, premise and hypothesis were exchanged to make a twin "
            "with the other label (Yanaka et al. 2019, section 3.1.3)."
        )
    if options.swaps and options.unknown_twins:
        text += (
            " So they were where no source relates the two wordings, annotators had been asked for a more "
            "specific one, and most judges agreed with the calculus: `twin_by` in `facts`."
        )
    named = manifest["gold_rule"]
    return text + (f" The gold rule is *{named['name']}*, version {named['version']}." if named else "")


_RULES = {
    ALL_MATCH: "Labelled are those on which every judgement matches the label of the monotonicity calculus.",
    AT_LEAST: "Labelled are those of which so many judgements or more match the label of the monotonicity "
    "calculus: {matches}.",
    "majority": "The label is the one that more than half of the judgements gave; where there was none, the "
    "one that a researcher decided on.",
    ADJUDICATED: "The label is the one that a researcher decided on.",
    POSTERIOR: "The label is the one whose probability, given the answers and each annotator's estimated "
    "errors (Dawid and Skene 1979), is {posterior:g} or more.",
    MACE: "The label is the one whose probability, given the answers and each annotator's estimated "
    "competence and habits of guessing (MACE, Hovy et al. 2013), is {posterior:g} or more.",
    FROM_FILE: "The label is the one that came with the imported pair.",
}
_UNNATURAL = {
    ANY_UNNATURAL: " A pair that anybody called unnatural has no label.",
    MOST_UNNATURAL: " A pair that most called unnatural has no label.",
    "ignore": " Answers that a pair is unnatural were left out of account.",
}
