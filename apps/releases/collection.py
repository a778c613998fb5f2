"""The card's chapters on how a release's data came about: people, sources, and what to beware of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from apps.releases.gold_rules import ALL_MATCH, AT_LEAST
from measures.agreement import TENTATIVE

_TASKS = {
    "creation": "rewriting a marked part of a sentence to make it more specific",
    "validation": "saying whether the hypothesis follows",
    "likert": "rating on a scale of five points how far the hypothesis follows",
}
_CHECKS = {
    "near-duplicate": "nearly the same as written before",
    "other-script": "letters of another script",
    "not-more-specific": "one word for a synonym or a more general one",
    "spelling": "spelling",
    "calculus": "what the calculus found afterwards",
}
_RESPONSES = {"flag": "flagged", "warn": "flagged and told to the annotator", "refuse": "refused"}


def number_of(n: int, noun: str) -> str:
    """A number with its noun.

    >>> number_of(1, "judgement"), number_of(14, "judgement")
    ('1 judgement', '14 judgements')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


_n = number_of


def collection(manifest: dict[str, Any], context: dict[str, Any]) -> list[str]:
    """Instructions, number and pay of workers, quality rules, agreement: a paragraph each."""
    counts = manifest["counts"]
    if not counts["judgements"]:
        return [
            "Nobody has judged the pairs of this release here; labels came with them or from a researcher."
        ]
    parts = [
        f"{_n(counts['judgements'], 'judgement')} by {_n(counts['annotators'], 'annotator')}, "
        "under pseudonyms made for this release alone. Times are the server's, in UTC; `seconds` is from "
        "showing to sending. Annotators' free-text notes are not published."
    ]
    parts.append(_read(manifest["campaigns"]))
    parts += [_campaign(campaign, counts) for campaign in manifest["campaigns"]]
    parts.append(f"**Agreement.** {agreement(counts['agreement'])}")
    latest: dict[str, tuple[str, str]] = {}
    for name, campaign, text in context["guidelines"]:
        latest[campaign] = (name, text)
    for campaign, (name, text) in latest.items():
        quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
        parts.append(f"**Instructions** of *{campaign}*, the last version (`guidelines/{name}`):\n\n{quoted}")
    return parts


def _read(campaigns: list[dict[str, Any]]) -> str:
    """Whose answers made the labels, and whose are published beside them alone."""
    judging = [campaign for campaign in campaigns if campaign["task"] != "creation"]
    read = _named(campaign for campaign in judging if campaign["is_read"])
    text = (
        f"**Whose answers.** Gold labels, `answers`, soft labels and the agreement on labels are made of the "
        f"answers in {read or 'no campaign'}. Each person counts once a pair, by their latest answer."
    )
    if left := _named(campaign for campaign in judging if not campaign["is_read"]):
        text += f" Not read for them, though among the judgements: {left}."
    return text


def _named(campaigns: Iterable[dict[str, Any]]) -> str:
    return ", ".join(f"*{campaign['name']}*" for campaign in campaigns)


def _campaign(campaign: dict[str, Any], counts: dict[str, Any]) -> str:
    given = counts["campaigns"].get(campaign["name"], {"judgements": 0, "annotators": 0})
    text = (
        f"**Campaign *{campaign['name']}***: {_TASKS[campaign['task']]}; "
        f"{_n(given['judgements'], 'judgement')} by {_n(given['annotators'], 'annotator')}, "
        f"{campaign['annotators_an_item']} for each item"
    )
    if campaign["annotators_an_item_at_most"] > campaign["annotators_an_item"]:
        text += f", up to {campaign['annotators_an_item_at_most']} where they disagreed"
    text += f"; instructions in {_n(len(campaign['guideline_versions']), 'version')}."
    if campaign["minimum_seconds"]:
        text += f" Answers sent within less than {_n(campaign['minimum_seconds'], 'second')} were refused."
    if campaign["model_in_the_loop"]:
        text += " Annotators were shown a model's predictions on what they wrote."
    if campaign["is_pilot"]:
        text += " A pilot."
    if campaign["simulated"]:
        text += " Simulated."
    return f"{text} {_pay(campaign['pay'])} {_quality(campaign['quality'])}"


def _pay(pay: dict[str, Any] | None) -> str:
    if pay is None:
        return "No pay was stated."
    prices = ", ".join(
        f"{entry['price']:.2f} {pay['currency']}" + (f" for {entry['sets']} of them" if entry["sets"] else "")
        for entry in pay["prices"]
    )
    where = f" through the panel {pay['panel']}" if pay["panel"] else ""
    return f"Pay for a set or question{where}: {prices}."


def _quality(quality: dict[str, Any] | None) -> str:
    if quality is None:
        return "No condition was set for taking part, and no quality rule."
    said = []
    standing = quality.get("standing", {})
    if quality.get("languages"):
        said.append(f"native language one of {', '.join(quality['languages'])} ({standing['asked']})")
    if quality.get("countries"):
        said.append(f"country one of {', '.join(quality['countries'])} ({standing['asked']})")
    if quality.get("approved_tasks_at_least") is not None:
        least = _n(quality["approved_tasks_at_least"], "approved task")
        said.append(f"{least} or more ({standing['numbers']})")
    if quality.get("approval_rate_at_least") is not None:
        least = f"{quality['approval_rate_at_least']} %"
        said.append(f"an approval rate of {least} or more ({standing['numbers']})")
    if quality.get("quiz_questions"):
        said.append(
            f"a quiz of {_n(quality['quiz_questions'], 'question')}, "
            f"{quality['quiz_wrong_at_most']} wrong at most ({standing['quiz']})"
        )
    if share := quality.get("test_questions_in_percent"):
        said.append(
            f"{_n(quality['test_questions'], 'test question')} among the others, {share} % of what is shown "
            f"({standing['test_questions']})"
        )
    said += [
        f"written phrases, {_CHECKS[name]}: {_RESPONSES[response]}"
        for name, response in quality.get("checks", {}).items()
        if response != "off"
    ]
    said += [
        f"rule: {rule['signal']} over the last {_n(rule['over_the_last'], 'answer')} past "
        f"{rule['threshold']:g}, then {rule['then']}"
        for rule in quality["rules"]
    ]
    if not said:
        return "No condition was set for taking part."
    return (
        f"Conditions and quality rules, as set when this release was made: {'; '.join(said)}. *Enforced*: "
        "nobody was let in who did not meet it, by what they said or did here; *declared by the panel*: the "
        "panel says that it filters by it, and nothing was checked here; *merely recorded*: nobody was held "
        "to it."
    )


def agreement(found: dict[str, Any]) -> str:
    """The coefficients in words; an undefined one says why, and so does a low one where most are equal."""
    said = [_coefficient(found)]
    if found.get("ac1") is not None:
        said.append(f"Gwet's AC1 beside it: {found['ac1']:.2f}.")
    if found.get("is_skewed"):
        said.append(
            "Most answers are equal and alpha is low all the same, since nearly all are one label: chance "
            "alone would make them equal. AC1 expects less of chance where one label prevails."
        )
    if halved := found.get("on_halved_answers_of"):
        names = ", ".join(f"*{name}*" for name in halved)
        said.append(
            f"Answers of {names} are on a scale of five points and were halved for this: 4 and 5 are "
            "entailment, 1 to 3 are not."
        )
    if points := found.get("points"):
        said.append(f"Over the points as they were given: {_coefficient(points)}")
    return " ".join(said)


def _coefficient(found: dict[str, Any]) -> str:
    if found["value"] is None:
        equal = (
            "" if found["equal_answers"] is None else f", {100 * found['equal_answers']:.1f} % equal answers"
        )
        return f"{found['coefficient']}: undefined ({found['reason']}){equal}."
    return (
        f"{found['coefficient']}: {found['value']:.2f} over {_n(found['items'], 'pair')} with two answers or "
        f"more; {100 * found['equal_answers']:.1f} % of the pairs of answers to one of them are equal."
    )


def sources(manifest: dict[str, Any]) -> str:
    lines = [
        f"- Licence: {manifest['licence'] or 'not stated'}",
        f"- Source, to be cited: {manifest['source'] or 'not stated'}",
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
    lines.append(
        "- The method: Yanaka et al. (2019), *Can Neural Networks Understand Monotonicity Reasoning?*, "
        "BlackboxNLP"
    )
    return "\n".join(lines)


def limits(manifest: dict[str, Any]) -> str:
    """What follows from how this release was made; each line holds for this very release."""
    counts, options = manifest["counts"], manifest["rule"]
    lines = ["The sentences are English; nothing here says how the labels carry over to other languages."]
    if manifest["simulated"]:
        lines.append("The judgements are simulated.")
    if options["rule"] in (ALL_MATCH, AT_LEAST):
        lines.append(
            "Pairs on which people and the calculus disagree are left out: what is hard for the calculus is "
            "rarer here than in language."
        )
    left = counts["considered"] - sum(
        n for origin, n in counts["pairs"].items() if origin not in ("total", "swap")
    )
    if left:
        lines.append(f"Of {_n(counts['considered'], 'pair')}, {left} had to be left out by the rule above.")
    if outdated := counts.get("of_these_on_answers_that_changed"):
        lines.append(
            f"Researchers decided on {_n(counts['decided_by_a_researcher'], 'pair')}; answers that such "
            f"a decision rests on changed afterwards, and it was not taken again: {outdated}."
        )
    if manifest["calculus"]:
        lines.append(
            "Calculus labels and tags come from an automatic parse and may be wrong; `calculus.confidence` "
            "(from 0 to 1; `calculus_confidence` in CSV) says how sure it was."
        )
    if assumed := counts.get("calculus_labels_on_the_assumption"):
        lines.append(
            f"Of the calculus labels, {assumed} rest on an assumption (`calculus.assumed`): no source knows "
            "how the words compare, and the new one is taken to be more specific, as MED's annotators were "
            "asked to write (Yanaka et al. 2019, section 3.1.2)."
        )
    if not_known := counts.get("calculus_labels_of_which_that_is_not_known"):
        lines.append(f"Of {_n(not_known, 'calculus label')} it is not known whether they rest on it.")
    if counts["without_calculus_label"]:
        lines.append(f"Without a calculus label: {_n(counts['without_calculus_label'], 'pair')}.")
    if corrected := counts.get("corrected_by_hand"):
        lines.append(
            f"Direction or tags were corrected by hand in {_n(corrected, 'pair')}; what the calculus said is "
            "in `facts`, under `correction`."
        )
    if counts["pairs"].get("swap"):
        lines.append("Nobody judged the swapped twins; their labels follow from their originals'.")
    if counts["pairs"].get("machine"):
        lines.append(f"Made by a program: {_n(counts['pairs']['machine'], 'pair')}.")
    found = counts["agreement"]
    if found["value"] is not None and found["value"] < TENTATIVE:
        lines.append(f"Annotators agree little (alpha {found['value']:.2f}).")
    if not counts["judgements"]:
        lines.append("No judgement of the pairs was collected here.")
    elif found["value"] is None:
        lines.append(f"Agreement is undefined: {found['reason']}.")
    lines.append("How well a model does that sees the hypotheses alone was not measured for this release.")
    return "\n".join(f"- {line}" for line in lines)
