"""The demo study: every step of the work on sentences written for it, with simulated annotators.

All of it goes through the services that pages call, in one transaction: either the whole study is
there or nothing. ``manage.py load_demo`` is the way in.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.management import call_command
from django.db import transaction

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Judgement
from apps.campaigns.services import campaign_create, campaign_set_state
from apps.corpora.blank_selectors import BlankFilters
from apps.corpora.blank_services import blank_set_create, stop_expression_add
from apps.corpora.draft_services import draft_commit, draft_create
from apps.corpora.formats.readings import Format
from apps.corpora.models import BlankSet, Constituent, PolarityMarking, Sentence
from apps.corpora.selectors import MarkingGroup, marking_groups
from apps.corpora.services import corpus_parse, parse_sample_draw
from apps.datasets.models import Dataset, Pair
from apps.datasets.services import dataset_create
from apps.demo.annotators import judge_all, write_all
from apps.demo.sentences import DemoSentence, demo_sentences
from apps.inference.services import model_register_majority, model_register_overlap, run_start
from apps.jobs.models import Job
from apps.jobs.runner import run
from apps.people.services import invitation_accept, invitation_create
from apps.releases.gold_rules import Options
from apps.releases.services import release_create
from apps.studies.access import within
from apps.studies.models import Participant, Role, Study
from apps.studies.services import participant_simulate, study_create

STUDY_NAME = "Demo study"
LICENCE = "CC0 1.0"
SOURCE = "written for Polarlab"
SEED = 20190801
FIRST, SECOND = "First round", "Second round"
LEARNT = "Learnt on the first round"
# Of every three sentences with a blank, two are in the first round.
ROUNDS = (FIRST, FIRST, SECOND)
# What the simulated annotators do of the second round; the rest is left to whoever tries the demo.
SECOND_ROUND_WRITTEN = 12
SECOND_ROUND_JUDGED = 40


class DemoError(Exception):
    """A step of the demo that did not work, with the reason."""


@dataclass(frozen=True)
class Demo:
    """The study and the three people to try it as; they have no passwords, only sign-in links."""

    study: Study
    annotator: User
    researcher: User
    admin: User


def demo_find() -> Demo | None:
    """The demo that is there already, or None."""
    people = [User.objects.filter(email=_email(role)).first() for role in Role.values]
    annotator, researcher, admin = people
    if annotator is None or researcher is None or admin is None:
        return None
    study = Study.objects.filter(name=STUDY_NAME, created_by=admin).first()
    return Demo(study, annotator, researcher, admin) if study else None


@transaction.atomic
def demo_create() -> Demo:
    """Make the whole demo: about 17 s of one core, most of it parsing and judging."""
    demo = _people()
    simulated = [
        participant_simulate(study=demo.study, actor=demo.admin, pseudonym=f"simulated-{number}")
        for number in range(1, 7)
    ]
    group = _corpus(demo)
    first = _writing(demo, group, FIRST, simulated[:3])
    _judging(demo, first, simulated)
    _models_and_release(demo, first)
    second = _writing(demo, group, SECOND, simulated[3:4], most=SECOND_ROUND_WRITTEN)
    _judging(demo, second, simulated[:3], most=SECOND_ROUND_JUDGED)
    return demo


def counts_of(study: Study) -> dict[str, int]:
    """What is there, for the command's last line."""
    return {
        "sentences": within(Sentence, study).count(),
        "pairs": within(Pair, study).count(),
        "judgements": within(Judgement, study).count(),
        "of them simulated": within(Judgement, study).filter(participant__simulated=True).count(),
    }


# ---- The steps --------------------------------------------------------------------------------
def _email(role: str) -> str:
    return f"{role}@polarlab.example"


def _people() -> Demo:
    """Three people, each let into the study by an invitation as anybody is."""
    people = {}
    for role in Role.values:
        user = User.objects.filter(email=_email(role)).first()
        people[role] = user or User.objects.create_user(
            _email(role), None, name=f"Demo {role}", may_create_studies=role != "annotator"
        )
    admin = people[Role.ADMIN]
    study = study_create(
        actor=admin,
        name=STUDY_NAME,
        description="Sentences written for Polarlab; the annotators whose answers you see are simulated.",
    )
    for user, roles in (
        (people[Role.RESEARCHER], (Role.RESEARCHER,)),
        (people[Role.ANNOTATOR], (Role.ANNOTATOR,)),
    ):
        for role in roles:
            _invitation, token = invitation_create(actor=admin, study=study, role=role, email=user.email)
            invitation_accept(token=token, user=user)
    return Demo(study, people[Role.ANNOTATOR], people[Role.RESEARCHER], admin)


def _corpus(demo: Demo) -> MarkingGroup:
    """Sentences in, parsed and polarised; a sample drawn to be checked by hand; two stop expressions."""
    draft = draft_create(
        study=demo.study,
        actor=demo.researcher,
        file_name="demo_sentences.txt",
        data="\n".join(sentence.text for sentence in demo_sentences()).encode(),
        name="Operators of English",
        licence=LICENCE,
        source=SOURCE,
        format=Format.LINES,
    )
    corpus = draft_commit(draft=draft, actor=demo.researcher).corpus
    assert corpus is not None, "a committed draft has a corpus"
    corpus_parse(corpus=corpus, actor=demo.researcher)
    _run_jobs(demo.study)
    (group,) = marking_groups(study=demo.study)
    parse_sample_draw(corpus=corpus, actor=demo.researcher, size=20, seed=SEED, group=group)
    for expression in ("every one", "no time"):
        stop_expression_add(
            study=demo.study, actor=demo.researcher, expression=expression, origin="MED, section 3.1.1"
        )
    return group


def _writing(
    demo: Demo, group: MarkingGroup, name: str, writers: Sequence[Participant], most: int | None = None
) -> Dataset:
    """A creation campaign and the dataset it fills; closed when it is done, open when work is left."""
    dataset = dataset_create(
        study=demo.study,
        actor=demo.researcher,
        name=name,
        licence=LICENCE,
        source=f"{SOURCE}, hypotheses by simulated annotators",
        simulated=True,
    )
    campaign = campaign_create(
        study=demo.study,
        actor=demo.researcher,
        name=f"{name}: writing",
        dataset=dataset,
        blank_set=_blank_set(demo, group, name),
        # Each blank has the phrases of one writer; in the second round there is a place for another.
        target=1 if most is None else 2,
        minimum_seconds=10,
        seed=SEED,
        simulated=True,
    )
    campaign_set_state(campaign=campaign, actor=demo.researcher, state=Campaign.State.OPEN)
    write_all(campaign, writers, most)
    if most is None:
        campaign_set_state(campaign=campaign, actor=demo.researcher, state=Campaign.State.CLOSED)
    return dataset


def _blank_set(demo: Demo, group: MarkingGroup, name: str) -> BlankSet:
    wanted = {
        sentence.text: sentence
        for index, sentence in enumerate(item for item in demo_sentences() if item.blank)
        if ROUNDS[index % len(ROUNDS)] == name
    }
    return blank_set_create(
        study=demo.study,
        actor=demo.researcher,
        name=name,
        filters=BlankFilters(group=group.key, operator=""),
        only=_constituents(demo.study, group, wanted),
    )


def _constituents(study: Study, group: MarkingGroup, wanted: dict[str, DemoSentence]) -> set[int]:
    """The keys of the constituents that the sentences' blanks are."""
    # In two steps: PostgreSQL joins badly what it has no statistics of, as in the transaction that made it.
    markings = group.of(within(PolarityMarking, study), "")
    sentences = dict(markings.values_list("pk", "parse__sentence__text"))
    rows = Constituent.objects.filter(marking__in=list(sentences)).values_list("pk", "marking_id", "text")
    texts = ((pk, sentences[marking], text) for pk, marking, text in rows)
    return {pk for pk, sentence, text in texts if sentence in wanted and wanted[sentence].blank == text}


def _judging(
    demo: Demo, dataset: Dataset, judges: Sequence[Participant], most: int | None = None
) -> Campaign:
    """A validation campaign over the dataset, with the calculus' labels; closed when it is done."""
    campaign = campaign_create(
        study=demo.study,
        actor=demo.researcher,
        name=f"{dataset.name}: judging",
        dataset=dataset,
        seed=SEED,
        simulated=True,
    )
    _run_jobs(demo.study)
    campaign_set_state(campaign=campaign, actor=demo.researcher, state=Campaign.State.OPEN)
    judge_all(campaign, judges, most)
    if most is None:
        campaign_set_state(campaign=campaign, actor=demo.researcher, state=Campaign.State.CLOSED)
    return campaign


def _models_and_release(demo: Demo, dataset: Dataset) -> None:
    """Three models over the dataset, and a release under the default rule."""
    study, actor = demo.study, demo.researcher
    # By its name: the training belongs to the workers, which no app imports.
    call_command("train_model", study.slug, LEARNT, dataset=dataset.name, stdout=io.StringIO())
    models = [
        model_register_majority(study=study, actor=actor, name="Majority class", dataset=dataset),
        model_register_overlap(study=study, actor=actor, name="Word overlap", threshold=0.85),
        study.models.get(name=LEARNT),
    ]
    for model in models:
        run_start(model=model, dataset=dataset, actor=actor)
    _run_jobs(study)
    release_create(dataset=dataset, actor=actor, options=Options())
    _run_jobs(study)


def _run_jobs(study: Study) -> None:
    """Do the study's queued jobs here and now, as a worker would."""
    for job in study.jobs.filter(state=Job.State.QUEUED).order_by("pk"):
        run(job.pk)
        job.refresh_from_db()
        if job.state != Job.State.DONE or job.failed:
            first = job.failures.first()
            raise DemoError(f"{job.title}: {job.error or (first and str(first)) or job.state}")
