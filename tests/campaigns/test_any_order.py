"""Work in any order: leases, answers, expiry, requeues, forgiving, other targets, all at random.

After every step the doctor must find nothing, and a second, simpler account of what must be true, kept
beside the program in plain dictionaries, must agree: which answers there are and what they say, what is
owed for them, what trust is, and that no grant went beyond the target in force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import (
    campaign_create,
    campaign_set_state,
    campaign_update,
    items_add_new_pairs,
    judgement_submit,
    leases_expire,
    leases_keep,
    leases_release,
    work_next,
)
from apps.campaigns.targets import wanted
from apps.datasets.services import pair_get_or_create
from apps.frame.clock import database_now
from apps.jobs.models import Job
from apps.jobs.runner import run
from apps.panels.models import PayoutSet
from apps.panels.platforms import Arrival
from apps.panels.selectors import consent_of, owed_prices, sets_sent
from apps.panels.services import panel_create, payout_cancel, payout_create, visit_consent, visit_open
from apps.quality import actions, questions, signal_rules
from apps.quality import settings as configuring
from apps.quality.models import QualityAction, TestQuestion
from apps.quality.trust import trust_of
from apps.studies import invariants as structure
from apps.studies import soundness
from apps.studies.models import Participant
from apps.studies.services import participant_for

pytestmark = [pytest.mark.both, pytest.mark.django_db]

WHO = st.integers(0, 3)
ANY = st.integers(0, 1_000)  # which one of those there are, by the remainder
LABELS = ("entailment", "non-entailment", "unnatural")
# A label, the first of two phrases, whether to skip: what an annotator may say, whatever is asked.
Value = tuple[str, int, bool]
VALUE = st.tuples(st.sampled_from(LABELS), st.integers(0, 2), st.sampled_from([False, False, True]))
PHRASES = ("small dogs", "old dogs", "dogs with hats", "dogs of mine")


class AnyOrder(RuleBasedStateMachine):
    """Three people from a panel and a member work in two campaigns: one writes the pairs, one judges them."""

    stage: dict[str, Any]  # set by the test

    def __init__(self) -> None:
        super().__init__()
        self.around = transaction.atomic()
        self.around.__enter__()
        self.people: list[int] = self.stage["people"]
        self.judging, self.writing = self.stage["judging"], self.stage["writing"]
        self.target = {self.judging: 3, self.writing: 3}
        self.maximum: int | None = None
        self.price = 5
        self.counts: dict[int, int] = {}  # by item: how many answers counted after the last step
        self.sent: dict[int, tuple[Any, ...]] = {}  # by assignment: what was sent last
        self.revision: dict[int, int] = {}
        self.owed: dict[int, int] = {}  # by assignment: the price when it was sent
        self.first: dict[tuple[int, int], str] = {}  # by question and person: the first answer

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.around.__exit__(None, None, None)

    # ---- Work ----------------------------------------------------------------------------------

    @initialize(values=st.lists(st.tuples(WHO, st.booleans(), VALUE), min_size=4, max_size=8))
    def begin(self, values: list[tuple[int, bool, Value]]) -> None:
        """There is something to be upset: everybody has worked a little already."""
        for who, judges, value in values:
            self.work(who, judges, [value])  # and holds the next one

    @rule(who=WHO, judges=st.booleans(), values=st.lists(VALUE, max_size=2))
    def work(self, who: int, judges: bool, values: list[Value]) -> None:
        """Take a card and answer it, as often as there are values; then take one more and hold it."""
        for value in [*values, None]:
            before = self._live()
            found = work_next(campaign=self._campaign(judges), participant=self._person(who))
            if not isinstance(found, list):
                return
            self._granted(lease for lease in found if lease.pk not in before)
            assert {lease.participant_id for lease in found} == {self.people[who]}
            assert not {lease.pk for lease in found} & self.sent.keys()
            if value:
                self._send(found[0], _answer_to(found[0], *value))

    @rule(which=ANY, value=VALUE)
    def answer(self, which: int, value: Value) -> None:
        """Send something for any assignment without an answer, whatever became of its lease."""
        if lease := self._one(Assignment.objects.exclude(pk__in=self.sent), which):
            self._send(lease, _answer_to(lease, *value))

    @rule(which=ANY)
    def repeat(self, which: int) -> None:
        """The same once more: a double click, a retry after a lost connection."""
        if lease := self._one(Assignment.objects.filter(pk__in=self.sent), which):
            assert judgement_submit(assignment=lease, **dict(self.sent[lease.pk])).assignment_id == lease.pk

    @rule(which=ANY, value=VALUE)
    def change(self, which: int, value: Value) -> None:
        """Something else for an answered assignment."""
        if lease := self._one(Assignment.objects.filter(pk__in=self.sent), which):
            self._send(lease, _answer_to(lease, *value))

    def _send(self, lease: Assignment, value: dict[str, Any]) -> None:
        said = tuple(sorted(value.items()))
        try:
            with transaction.atomic():
                judgement = judgement_submit(assignment=lease, **value)
        except ValidationError:
            return  # refused, with words: nothing may have changed, which the invariants see
        new = lease.pk not in self.sent
        if new or self.sent[lease.pk] != said:
            self.revision[lease.pk] = self.revision.get(lease.pk, 0) + 1
        self.sent[lease.pk] = said
        if new and judgement.participant.panel and lease.item.campaign_id == self.judging:
            self.owed[lease.pk] = self.price
        if new and lease.item.is_test:
            self.first[lease.item_id, lease.participant_id] = judgement.answer

    # ---- Time ----------------------------------------------------------------------------------

    @rule(which=ANY, sweep=st.booleans())
    def run_out(self, which: int, sweep: bool) -> None:
        if lease := self._one(Assignment.objects.filter(state="leased"), which):
            past = timedelta(hours=2)
            Assignment.objects.filter(pk=lease.pk).update(
                leased_at=lease.leased_at - past,
                shown_at=lease.shown_at - past,
                expires_at=lease.expires_at - past,
            )
        if sweep:
            leases_expire()

    @rule(which=ANY)
    def keep(self, which: int) -> None:
        """Typing, or coming back to a card: a lease that ran out is granted again where there is room."""
        if lease := self._one(Assignment.objects.exclude(pk__in=self.sent), which):
            before = self._live()
            kept = leases_keep(assignments=[lease])
            assert (lease.pk in before) <= (lease.pk in kept)
            self._granted([lease] if lease.pk in kept and lease.pk not in before else [])

    @rule(who=WHO)
    def give_back(self, who: int) -> None:
        leases_release(participant=self._person(who))

    # ---- What researchers do meanwhile ---------------------------------------------------------

    @rule(
        judges=st.booleans(),
        wants=st.sampled_from([0, 0, 1, 2, 3, 4]),
        more=st.sampled_from([None, 0, 1, 2]),
        values=st.lists(VALUE, max_size=4),
    )
    def retarget(self, judges: bool, wants: int, more: int | None, values: list[Value]) -> None:
        """Another target (0: no more than there is); people who are at work then send what they hold."""
        campaign = self._campaign(judges)
        held = Assignment.objects.filter(pk__in=self._live(), item__campaign=campaign, item__is_test=False)
        wants = wants or max([1, *(len(self._answers(lease.item)) for lease in held)])
        maximum = wants + more if judges and more is not None else None
        campaign_update(campaign=campaign, actor=self.stage["ada"], target=wants, maximum=maximum)
        self.target[campaign.pk] = wants
        if judges:
            self.maximum = maximum
        for lease, value in zip(held.order_by("pk"), values, strict=False):
            self._send(lease, _answer_to(lease, *value))

    @rule(cents=st.integers(1, 9), skips=st.booleans())
    def change_terms(self, cents: int, skips: bool) -> None:
        campaign = self._campaign(True)
        campaign_update(campaign=campaign, actor=self.stage["ada"], price=cents, skips_count=skips)
        self.price = cents

    @rule(judges=st.booleans(), which=ANY)
    def open_or_close(self, judges: bool, which: int) -> None:
        campaign = self._campaign(judges)
        state = "open" if campaign.state != "open" else ("open", "open", "paused", "closed")[which % 4]
        campaign_set_state(campaign=campaign, actor=None, state=state)

    @rule()
    def add_pairs(self) -> None:
        """What was written so far is to be judged too."""
        items_add_new_pairs(campaign=self._campaign(True), actor=None)

    @rule(who=WHO, judges=st.booleans(), at_once=st.booleans())
    def requeue(self, who: int, judges: bool, at_once: bool) -> None:
        actions.action_take(campaign=self._campaign(judges), participant=self._person(who), kind="requeue")
        if at_once:
            self.do_jobs()

    @rule(which=ANY)
    def undo(self, which: int) -> None:
        if action := self._one(QualityAction.objects.filter(undone_at=None), which):
            before = self._counts()
            actions.action_undo(action=action, actor=self.stage["ada"])
            self._within_target(pk for pk, n in self._counts().items() if n > before.get(pk, 0))

    @rule(which=ANY, state=st.sampled_from(["forgiven", "forgiven", "active", "retired"]))
    def forgive(self, which: int, state: str) -> None:
        question = self._one(TestQuestion.objects.all(), which)
        questions.question_set_state(question=question, actor=self.stage["ada"], state=state)

    @rule(past=st.sampled_from(["keep", "requeue"]))
    def block_or_unblock(self, past: str) -> None:
        person = self._person(3)
        if person.blocked_at:
            actions.participant_unblock(participant=person, actor=self.stage["ada"])
        else:
            actions.participant_block(participant=person, actor=self.stage["ada"], past=past)

    @rule(takes_apart=st.booleans())
    def pay(self, takes_apart: bool) -> None:
        payout = payout_create(panel=self.stage["panel"], actor=self.stage["ada"])
        if payout and takes_apart:
            payout_cancel(payout=payout, actor=self.stage["ada"])

    @rule()
    def do_jobs(self) -> None:
        for job in Job.objects.filter(state="queued", kind="campaigns.requeue").order_by("pk"):
            run(job.pk)
            job.refresh_from_db()
            assert job.state == "done", job.error

    # ---- What must be true ---------------------------------------------------------------------

    @invariant()
    def commit(self) -> None:
        """What waits for the end of the transaction happens between two steps."""
        waiting, connection.run_on_commit = connection.run_on_commit, []
        for _savepoints, act, *_robust in waiting:
            act()

    @invariant()
    def the_doctor_finds_nothing(self) -> None:
        checks = [check for check in soundness.checks() if check is not structure.constraints]
        assert [str(fault) for check in checks for fault in check(None) if not fault.is_note] == []

    @invariant()
    def no_more_begin_to_count_than_are_wanted(self) -> None:
        """A lower target leaves more behind; after it, not one more may count."""
        before, self.counts = self.counts, self._counts()
        for pk, count in self.counts.items():
            if count > before.get(pk, 0):
                assert count <= self._wanted(Item.objects.get(pk=pk))

    @invariant()
    def no_answer_is_lost_or_doubled(self) -> None:
        rows = Judgement.objects.values_list("assignment_id", "revision")
        assert dict(rows) == self.revision and len(rows) == len(self.sent)
        for judgement in Judgement.objects.prefetch_related("replacements"):
            assert _said_by(judgement) == dict(self.sent[judgement.assignment_id])

    @invariant()
    def pay_equals_answers(self) -> None:
        panel = self.stage["panel"]
        assert dict(sets_sent(panel).values_list("assignment", "cents")) == self.owed
        paid = PayoutSet.objects.filter(payout__panel=panel).values_list("cents", flat=True)
        assert sum(paid) + sum(cents for _pk, cents in owed_prices(panel)) == sum(self.owed.values())

    @invariant()
    def trust_is_that_of_the_first_answers(self) -> None:
        now = {q.item_id: q for q in TestQuestion.objects.exclude(state="forgiven")}
        for pk in self.people:
            given = [
                (now[item], said) for (item, who), said in self.first.items() if who == pk and item in now
            ]
            right = sum(question.expected == said for question, said in given)
            trust = trust_of(self._campaign(True), Participant(pk=pk))
            assert (trust.right, trust.shown) == (right, len(given))

    def _granted(self, leases: Iterable[Assignment]) -> None:
        self._within_target(lease.item_id for lease in leases if not lease.item.is_test)

    def _within_target(self, items: Iterable[int]) -> None:
        """These have no more answers and leases than the target in force."""
        now = database_now()
        for item in Item.objects.filter(pk__in=list(items)):
            live = [a for a in item.assignments.all() if a.state == "leased" and a.expires_at > now]
            assert len(self._answers(item)) + len(live) <= self._wanted(item)

    def _wanted(self, item: Item) -> int:
        maximum = self.maximum if item.campaign_id == self.judging else None
        return wanted(self._answers(item), self.target[item.campaign_id], maximum)

    @staticmethod
    def _answers(item: Item) -> list[str]:
        return [judgement.answer for judgement in item.judgements.order_by("pk") if judgement.counted]

    @staticmethod
    def _counts() -> dict[int, int]:
        return dict(Counter(Judgement.objects.filter(counted=True).values_list("item", flat=True)))

    def _live(self) -> set[int]:
        now = database_now()
        return {a.pk for a in Assignment.objects.filter(state="leased") if a.expires_at > now}

    def _campaign(self, judges: bool) -> Campaign:
        return Campaign.objects.select_related("study").get(pk=self.judging if judges else self.writing)

    def _person(self, who: int) -> Participant:
        return Participant.objects.get(pk=self.people[who])

    @staticmethod
    def _one(rows: Any, which: int) -> Any:
        found = list(rows.order_by("pk"))
        return found[which % len(found)] if found else None


def _answer_to(lease: Assignment, label: str, first: int, skip: bool) -> dict[str, Any]:
    if lease.item.blank_id is None:
        return {"answer": label}
    if skip:
        return {"skip_reason": "unclear"}
    return {"replacements": (PHRASES * 2)[first : first + 2]}


def _said_by(judgement: Judgement) -> dict[str, Any]:
    if judgement.skip_reason:
        return {"skip_reason": judgement.skip_reason}
    texts = tuple(made.text for made in judgement.replacements.all())
    return {"replacements": texts} if texts else {"answer": judgement.answer}


@pytest.fixture
def stage(study, ada, ben, blank_set, dataset) -> dict[str, Any]:
    """Two blanks to write for, four pairs to judge, three test questions, and people who come for money."""
    for premise, hypothesis in [
        ("Some dogs bark.", "Some old dogs bark."),
        ("Few dogs bark.", "Few old dogs bark."),
        ("All dogs bark.", "All old dogs bark."),
        ("No dogs bark at night.", "No small dogs bark at night."),  # as a writer may write it too
    ]:
        pair_get_or_create(
            dataset=dataset, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
        )
    blank_set.blanks.exclude(text__in=["dogs", "birds"]).delete()
    writing = campaign_create(
        study=study,
        actor=ada,
        name="Write",
        dataset=dataset,
        blank_set=blank_set,
        seed=1,
        target=3,
        replacements=2,
    )
    judging = campaign_create(
        study=study, actor=ada, name="Judge", dataset=dataset, seed=1, target=3, price=5
    )
    for number in range(3):
        draft = questions.Draft((f"Every cat of {number}.",), f"Every old cat of {number}.", LABELS[0], "")
        questions.question_create(campaign=judging, actor=ada, draft=draft)
    configuring.quality_update(campaign=judging, actor=ada, test_share=50)
    for action in ("pause", "requeue"):
        signal_rules.rule_create(
            campaign=judging, actor=ada, signal="trust", last=4, least=2, threshold=0.6, action=action
        )
    for campaign in (writing, judging):
        campaign_set_state(campaign=campaign, actor=ada, state="open")
    panel = panel_create(campaign=judging, actor=ada, kind="prolific", consent="Agree?")
    people = []
    for number in range(3):
        visit = visit_open(panel=panel, arrival=Arrival(f"p{number}", f"s{number}", "study", ""))
        people.append(visit_consent(visit=visit, consent=consent_of(panel)).participant_id)
    Job.objects.all().delete()  # the calculus' labels, for which a test would load the parser
    return {
        "ada": ada,
        "panel": panel,
        "people": [*people, participant_for(study, ben).pk],
        "judging": judging.pk,
        "writing": writing.pk,
    }


def test_everything_holds_in_any_order(stage, on_postgresql):
    machine = type("Staged", (AnyOrder,), {"stage": stage})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=5 if on_postgresql else 12,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
