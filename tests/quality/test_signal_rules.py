"""Rules: what each signal reads, what each action does, that all of it is logged and can be undone."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.annotation import notices
from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import assignment_next, judgement_submit
from apps.quality import actions, signal_rules, signals
from apps.quality.actions import participant_block, participant_unblock
from apps.quality.models import QualityAction, Rule
from apps.studies.models import AuditEvent
from tests.quality.test_quizzes import over_collected

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def rule(judging, ada):
    def make(signal, threshold, action="pause", *, last=10, least=3, campaign=judging) -> Rule:
        return signal_rules.rule_create(
            campaign=campaign,
            actor=ada,
            signal=signal,
            last=last,
            least=least,
            threshold=threshold,
            action=action,
        )

    return make


def value(rule, person):
    reading = signals.read(rule, person)
    return reading and (round(reading.value, 3), reading.answers)


# ---- Signals -----------------------------------------------------------------------------------


def test_speed_is_the_median_of_the_seconds(rule, annotator, ben):
    at_work = annotator(ben)
    for seconds, given in zip((2, 9, 30), at_work.answer(3), strict=True):
        Judgement.objects.filter(pk=given.pk).update(seconds=seconds)
    assert value(rule("speed", 5), at_work.participant) == (9, 3)


def test_below_its_least_number_of_answers_a_signal_is_silent(rule, annotator, ben):
    at_work = annotator(ben)
    at_work.answer(2)
    assert value(rule("speed", 5), at_work.participant) is None


def test_agreement_is_with_the_majority_of_the_others(rule, judging, annotator, ben, cleo, dan):
    Campaign.objects.filter(pk=judging.pk).update(target=3)
    Item.objects.update(wanted=3)
    for user in (cleo, dan):
        annotator(user).work()
    at_work = annotator(ben)
    at_work.answer(3)
    at_work.answer(1, answer="unnatural")
    assert value(rule("agreement", 0.5), at_work.participant) == (0.75, 4)


def test_without_two_others_there_is_nothing_to_agree_with(rule, annotator, ben, cleo):
    annotator(cleo).work()
    at_work = annotator(ben)
    at_work.answer(4)
    assert value(rule("agreement", 0.5), at_work.participant) is None


def test_a_row_of_same_answers_is_counted_from_the_last_one(rule, annotator, ben):
    at_work = annotator(ben)
    at_work.answer(2)
    at_work.answer(1, answer="unnatural")
    at_work.answer(4)
    assert value(rule("same", 9), at_work.participant) == (4, 7)


def test_skips_are_a_share(rule, creation, participant, ben):
    person = participant(ben)
    for number in range(4):
        lease = assignment_next(campaign=creation, participant=person)
        if number % 2:
            judgement_submit(assignment=lease, skip_reason="unclear")
        else:
            noun = lease.item.blank.text
            judgement_submit(assignment=lease, replacements=[f"{a} {noun}" for a in ("old", "red", "big")])
    assert value(rule("skips", 0.9, campaign=creation), person) == (0.5, 4)


def test_copied_phrases_are_those_written_in_an_earlier_set(rule, creation, participant, ben):
    person = participant(ben)
    for texts in (["a cow", "a hen", "a pig"], ["A  Cow", "a cat", "a dog"], ["a fox", "an owl", "a bee"]):
        judgement_submit(
            assignment=assignment_next(campaign=creation, participant=person), replacements=texts
        )
    assert value(rule("copied", 0.9, campaign=creation), person) == (0.333, 3)


# ---- Rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"signal": "copied"}, "signal"),
        ({"signal": "nonsense"}, "signal"),
        ({"least": 11}, "least"),
        ({"threshold": 1.5}, "threshold"),
        ({"signal": "same", "threshold": 1}, "threshold"),
        ({"signal": "same", "threshold": 11}, "threshold"),
        ({"action": "dismiss"}, "action"),
        ({"last": 0, "least": 0}, "last"),
    ],
)
def test_a_rule_that_says_nothing_is_refused_at_its_field(changes, field, judging, ada):
    values = {"signal": "trust", "last": 10, "least": 5, "threshold": 0.7, "action": "pause"} | changes
    with pytest.raises(ValidationError) as refused:
        signal_rules.rule_create(campaign=judging, actor=ada, **values)
    assert field in refused.value.message_dict and not Rule.objects.exists()


def test_a_warning_is_shown_once_and_needs_new_answers_to_come_again(rule, annotator, ben):
    rule("same", 3, "warn", least=3)
    at_work = annotator(ben)
    first = at_work.answer(3)
    assert notices.after_sending(first[-1:])[0].startswith("You gave the same answer many times")
    assert notices.after_sending(first[-1:]) == []
    at_work.answer(2)
    assert QualityAction.objects.count() == 1
    at_work.answer(1)
    assert QualityAction.objects.count() == 2


def test_a_pause_by_rule_comes_with_the_answer_and_is_one(rule, annotator, ben):
    rule("same", 3)
    at_work = annotator(ben)
    at_work.answer(3)
    assert at_work.ask().reason == "paused-for-you"
    assert signal_rules.evaluate(at_work.campaign, at_work.participant) == []
    assert QualityAction.objects.count() == 1


def test_a_rule_out_of_force_does_nothing(rule, annotator, ada, ben):
    signal_rules.rule_set_active(rule=rule("same", 3), actor=ada, active=False)
    annotator(ben).answer(5)
    assert not QualityAction.objects.exists()


def test_review_lasts_until_somebody_has_looked(rule, annotator, ada, ben):
    rule("same", 3, "review")
    annotator(ben).answer(3)
    action = QualityAction.objects.get()
    actions.action_undo(action=action, actor=ada, why="done")
    action.refresh_from_db()
    assert (action.undone_why, action.undone_by) == ("done", ada)


@pytest.mark.parametrize("kind", ["warn", "pause", "review", "requeue"])
def test_every_action_is_logged_and_undone_once(kind, judging, annotator, ada, ben, work):
    at_work = annotator(ben)
    at_work.answer(2)
    action = actions.action_take(
        campaign=judging, participant=at_work.participant, kind=kind, actor=ada, note="look here"
    )
    work()
    actions.action_undo(action=action, actor=ada)
    actions.action_undo(action=action, actor=ada)
    events = AuditEvent.objects.filter(participant=at_work.participant, action__startswith=f"quality.{kind}")
    assert sorted(events.values_list("action", flat=True)) == sorted(
        [f"quality.{kind}", f"quality.{kind}.undone"] + (["quality.requeued"] if kind == "requeue" else [])
    )
    assert isinstance(at_work.ask(), Assignment)


def test_a_requeue_keeps_the_answers_and_opens_their_items(judging, annotator, ada, ben, cleo, work):
    first, second = annotator(ben), annotator(cleo)
    first.answer(4)
    action = actions.action_take(campaign=judging, participant=first.participant, kind="requeue", actor=ada)
    assert work() == 1
    action.refresh_from_db()
    kept = Judgement.objects.filter(participant=first.participant)
    assert kept.count() == 4 and not kept.filter(counted=True).exists()
    assert actions.work_requeue(action=action) == 0
    assert len(QualityAction.objects.get().judgements) == 4
    second.work()
    assert actions.action_undo(action=action, actor=ada) == 4
    assert over_collected() == []


def test_undoing_a_requeue_takes_no_place_that_others_took(judging, annotator, ada, ben, cleo, dan, work):
    first = annotator(ben)
    first.work()
    action = actions.action_take(campaign=judging, participant=first.participant, kind="requeue", actor=ada)
    work()
    annotator(cleo).work()
    annotator(dan).work()
    assert not Item.objects.filter(is_complete=False).exists()
    assert actions.action_undo(action=action, actor=ada) == 0
    assert over_collected() == []
    assert Judgement.objects.filter(participant=first.participant, counted=False).count() == 12


@pytest.mark.parametrize("kind", ["warn", "pause", "review", "requeue", "block"])
def test_no_action_touches_what_is_owed(kind, judging, annotator, ada, ben, work):
    """The ledger of a panel: three sets sent, three prices owed, whatever is done to their writer."""
    from apps.panels.models import Visit
    from apps.panels.selectors import owed_prices
    from apps.panels.services import panel_create
    from apps.quality.settings import quality_update

    Campaign.objects.filter(pk=judging.pk).update(price=5)
    judging.refresh_from_db()
    panel = panel_create(campaign=judging, actor=ada, kind="prolific", consent="Stop at any time.")
    quality_update(campaign=judging, actor=ada, members_work=True)
    at_work = annotator(ben)
    Visit.objects.create(
        panel=panel, participant=at_work.participant, session_id="s", arrived_at=timezone.now()
    )
    at_work.answer(3)
    before = owed_prices(panel)
    assert before
    if kind == "block":
        participant_block(participant=at_work.participant, actor=ada, past="requeue")
    else:
        actions.action_take(campaign=judging, participant=at_work.participant, kind=kind, actor=ada)
    work()
    assert owed_prices(panel) == before


# ---- Blocking ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("past", "counted"), [("keep", 3), ("requeue", 0)])
def test_a_blocked_persons_live_work_goes_back_once_and_the_past_is_the_admins_choice(
    past, counted, annotator, ada, ben, cleo
):
    at_work = annotator(ben)
    given = at_work.answer(3)
    lease = at_work.ask()
    gone = participant_block(participant=at_work.participant, actor=ada, past=past)
    assert gone == 3 - counted
    assert participant_block(participant=at_work.participant, actor=ada, past="requeue") == 0
    lease.refresh_from_db()
    assert lease.state == Assignment.State.RELEASED
    assert AuditEvent.objects.filter(action="leases.released").count() == 1
    assert Judgement.objects.filter(pk__in=[j.pk for j in given], counted=True).count() == counted
    assert at_work.ask().reason == "blocked"
    assert not judgement_submit(assignment=lease, answer="entailment").counted
    annotator(cleo).work()
    assert over_collected() == []


def test_blocking_needs_the_choice(annotator, ada, ben):
    with pytest.raises(ValidationError):
        participant_block(participant=annotator(ben).participant, actor=ada, past="")
    assert annotator(ben).participant.blocked_at is None


def test_unblocked_they_work_again_and_the_requeue_can_be_undone(annotator, ada, ben):
    at_work = annotator(ben)
    at_work.answer(3)
    participant_block(participant=at_work.participant, actor=ada, past="requeue")
    action = QualityAction.objects.get()
    participant_unblock(participant=at_work.participant, actor=ada)
    assert actions.action_undo(action=action, actor=ada) == 3
    assert isinstance(at_work.ask(), Assignment)
