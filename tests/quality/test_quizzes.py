"""Test questions: the quiz, their place among the others, trust, and forgiving."""

import pytest
from django.db.models import Q

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import campaign_update, judgement_submit, judgements_submit, work_next
from apps.campaigns.services.values import Sent
from apps.comparison.judges import judges_of
from apps.comparison.pairs import compared
from apps.datasets.models import Pair
from apps.quality import actions, quizzes
from apps.quality.models import QualityAction, TestAnswer
from apps.quality.questions import question_correct, question_set_state
from apps.quality.settings import quality_of, quality_update
from apps.quality.trust import Trust, trust_of
from apps.releases.judgements import items_of

pytestmark = pytest.mark.django_db


def over_collected() -> list[Item]:
    """Items with more counted answers than they want, or a count that isn't that of their answers."""
    return [
        item
        for item in Item.objects.all()
        if item.counted > item.wanted or item.counted != item.judgements.filter(counted=True).count()
    ]


# ---- The quiz ----------------------------------------------------------------------------------


def test_the_quiz_comes_first_and_is_passed_with_three_wrong(with_tests, annotator, ben):
    with_tests(12, quiz_size=10, quiz_wrong=3)
    at_work = annotator(ben)
    given = [*at_work.answer(3, right=False), *at_work.answer(7)]
    assert all(judgement.item.is_test for judgement in given)
    assert TestAnswer.objects.filter(in_quiz=True).count() == 10
    assert not at_work.answer()[0].item.is_test


def test_the_fourth_wrong_answer_ends_it(with_tests, annotator, ben):
    with_tests(12, quiz_size=10, quiz_wrong=3)
    at_work = annotator(ben)
    at_work.answer(2)
    at_work.answer(4, right=False)
    assert at_work.ask().reason == "quiz-failed"
    assert "did not pass the quiz" in at_work.ask().text


def test_without_work_nobody_is_quizzed(with_tests, judging, annotator, ben):
    with_tests(10, quiz_size=10)
    judging.items.filter(is_test=False).update(is_complete=True, counted=2)
    assert annotator(ben).ask().reason == "all-done"


def test_fewer_questions_than_the_quiz_wants_make_a_shorter_quiz(with_tests, annotator, ben):
    with_tests(4, quiz_size=10, quiz_wrong=3)
    at_work = annotator(ben)
    assert all(judgement.item.is_test for judgement in at_work.answer(4))
    assert not at_work.answer()[0].item.is_test


def test_leaving_a_question_open_does_not_make_the_quiz_shorter(with_tests, annotator, pass_time, ben):
    with_tests(4, quiz_size=4)
    at_work = annotator(ben)
    first = pass_time(at_work.ask(), hours=2)
    assert at_work.ask() == first
    assert all(judgement.item.is_test for judgement in at_work.answer(4))


def test_somebody_can_be_let_in_without_it(with_tests, judging, annotator, ada, ben):
    with_tests(10, quiz_size=10, quiz_wrong=3)
    at_work = annotator(ben)
    at_work.answer(4, right=False)
    waiver = actions.action_take(
        campaign=judging, participant=at_work.participant, kind="waive-quiz", actor=ada
    )
    assert not at_work.answer()[0].item.is_test
    actions.action_undo(action=waiver, actor=ada)
    assert at_work.ask().reason == "quiz-failed"


# ---- Among the others --------------------------------------------------------------------------


@pytest.mark.both
def test_each_is_shown_once_to_a_person_and_one_in_four(with_tests, annotator, ben, cleo):
    with_tests(10, test_share=25)
    for user in (ben, cleo):
        items, end = annotator(user).work()
        tests = [item.pk for item in items if item.is_test]
        assert len(tests) == len(set(tests)) and len({item.pk for item in items}) == len(items)
        assert [sum(item.is_test for item in items[start : start + 4]) for start in (0, 4, 8)] == [1, 1, 1]
        assert sum(not item.is_test for item in items) == 12 and end.reason in ("yours-done", "all-done")


def test_two_people_meet_them_at_other_places(with_tests, annotator, ben, cleo, dan):
    with_tests(10, test_share=20)
    places = set()
    for user in (ben, cleo):
        items, _end = annotator(user).work()
        places.add(tuple(item.is_test for item in items))
    assert len(places) == 2


def test_nothing_on_the_page_tells_them_apart(with_tests, judging, annotator, ben, client_of):
    import re

    from django.urls import reverse

    with_tests(10, test_share=50)
    client = client_of(ben)
    shapes: dict[bool, set[str]] = {True: set(), False: set()}
    for _turn in range(8):
        page = client.get(reverse("work:campaign", args=[judging.pk]), follow=True).content.decode()
        lease = Assignment.objects.get(state="leased")
        page = re.sub(r'<p class="sentence".*?</p>|csrfmiddlewaretoken" value="\w+"', "", page, flags=re.S)
        page = re.sub(r'<details class="instructions".*?</details>', "", page, flags=re.S)
        shapes[lease.item.is_test].add(re.sub(r"\d+", "0", page))
        judgement_submit(assignment=lease, answer="entailment")
    assert shapes[True] and shapes[True] & shapes[False]


def test_a_page_of_questions_holds_its_share(with_tests, judging, annotator, ben):
    with_tests(10, test_share=25)
    Campaign.objects.filter(pk=judging.pk).update(page_size=4)
    leases = work_next(campaign=judging, participant=annotator(ben).participant)
    assert [lease.item.is_test for lease in leases].count(True) == 1
    judgements_submit(campaign=judging.pk, sent={lease: Sent(answer="entailment") for lease in leases})
    assert TestAnswer.objects.count() == 1


def test_a_page_of_the_quiz_holds_the_quiz_alone(with_tests, judging, annotator, ben):
    with_tests(10, quiz_size=6, test_share=25)
    Campaign.objects.filter(pk=judging.pk).update(page_size=4)
    person = annotator(ben).participant
    for size in (4, 2):
        leases = work_next(campaign=judging, participant=person)
        assert [lease.item.is_test for lease in leases] == [True] * size
        judgements_submit(campaign=judging.pk, sent={lease: Sent(answer="entailment") for lease in leases})
    assert TestAnswer.objects.filter(in_quiz=True).count() == 6


def test_the_first_answer_counts_for_trust_however_it_is_revised(with_tests, judging, annotator, ben):
    with_tests(4, quiz_size=4)
    at_work = annotator(ben)
    wrong = at_work.answer(right=False)[0]
    judgement_submit(assignment=wrong.assignment, answer="entailment")
    assert trust_of(judging, at_work.participant) == Trust(0, 1)


# ---- They are no judgements of the data --------------------------------------------------------


def test_their_answers_count_nowhere(with_tests, judging, annotator, ada, ben, client_of):
    from django.urls import reverse

    from apps.campaigns.selectors import annotators_of, progress_counts
    from apps.dashboard.selectors import campaign_progress
    from apps.datasets.models import Dataset
    from apps.datasets.selectors import datasets_of
    from apps.studies.rooms import steps_of

    with_tests(6, quiz_size=6)
    annotator(ben).answer(7)
    tests = Judgement.objects.filter(item__is_test=True)
    assert tests.count() == 6 and not tests.filter(counted=True).exists()
    assert not Pair.objects.filter(dataset=judging.dataset, items__is_test=True).exists()
    assert (
        sum(row.judgements for row in compared(judging.dataset.pairs.all(), judges_of(judging.dataset))) == 1
    )
    hidden = Dataset.objects.get(kind="tests")
    assert hidden not in datasets_of(judging.study)
    assert sum(row.judgements for row in compared(hidden.pairs.all(), judges_of(hidden))) == 0
    progress = progress_counts([judging])[judging.pk]
    assert (progress.items, progress.judgements, progress.surplus) == (12, 1, 0)
    assert annotators_of(judging)[0][0].judgements == 1
    assert campaign_progress([judging])[0].items == 12
    assert {step.title: step.count for step in steps_of(judging.study)}["Pairs"] == 1
    assert not items_of(judging.dataset).filter(is_test=True).exists()
    api = client_of(ada)
    assert len(api.get("/api/v1/judgements/").json()["results"]) == 1
    assert len(api.get("/api/v1/pairs/").json()["results"]) == 12
    assert len(api.get("/api/v1/datasets/").json()["results"]) == 1
    assert (
        reverse("curation:dataset", args=[judging.study.slug, hidden.pk])
        not in api.get(reverse("datasets:list", args=[judging.study.slug])).content.decode()
    )


def test_they_are_paid_like_any_other_answer(with_tests, judging, annotator, ben):
    """Pay counts judgements (apps/panels/selectors/pay.py); an answer to a test question is one."""
    with_tests(3, quiz_size=3)
    annotator(ben).answer(3, right=False)
    assert Judgement.objects.filter(item__campaign=judging).count() == 3


def test_a_new_target_leaves_them_alone(with_tests, judging, annotator, ada, ben):
    with_tests(3, quiz_size=3)
    names = ("name", "target", "replacements", "minimum_seconds", "lease_minutes", "is_pilot")
    campaign_update(campaign=judging, actor=ada, **{n: getattr(judging, n) for n in names} | {"target": 5})
    assert set(Item.objects.filter(is_test=True).values_list("is_complete", "counted")) == {(True, 0)}
    annotator(ben).answer(4)
    assert over_collected() == []


@pytest.mark.both
def test_any_number_of_people_may_be_at_one_at_once(with_tests, annotator, pass_time, ben, cleo, dan):
    from apps.campaigns.services import lease_keep

    with_tests(1, quiz_size=1)
    leases = [annotator(user).ask() for user in (ben, cleo, dan)]
    assert len({lease.item_id for lease in leases}) == 1
    assert lease_keep(assignment=pass_time(leases[0], hours=3))


# ---- Trust and pauses --------------------------------------------------------------------------


def test_below_the_threshold_somebody_is_paused_politely(with_tests, trust_rule, annotator, ben):
    with_tests(10, quiz_size=6, quiz_wrong=5)
    at_work = annotator(ben)
    at_work.answer(2)
    at_work.answer(2, right=False)
    found = at_work.ask()
    assert found.reason == "paused-for-you" and "paid" in found.text
    action = QualityAction.objects.get()
    assert (action.kind, action.signal, action.value, action.answers) == ("pause", "trust", 0.5, 4)
    assert at_work.participant.blocked_at is None


def test_who_is_paused_sees_what_was_expected_and_why(
    with_tests, trust_rule, judging, annotator, ben, client_of
):
    from django.urls import reverse

    with_tests(10, quiz_size=6, quiz_wrong=5)
    annotator(ben).answer(4, right=False)
    page = client_of(ben).get(reverse("work:campaign", args=[judging.pk])).content.decode()
    assert "A pause" in page and "4 answers were not the expected ones" in page
    assert page.count("Old cats are cats.") == 4 and "Yes, it must be true" in page


def test_a_paused_persons_places_go_back(
    with_tests, trust_rule, judging, annotator, ada, ben, django_capture_on_commit_callbacks
):
    with_tests(4)
    at_work = annotator(ben)
    lease = at_work.ask()
    with django_capture_on_commit_callbacks(execute=True):
        actions.action_take(campaign=judging, participant=at_work.participant, kind="pause", actor=ada)
    lease.refresh_from_db()
    assert lease.state == Assignment.State.RELEASED
    assert judgement_submit(assignment=lease, answer="entailment").counted  # in hand: kept, and there is room


def test_let_back_by_hand_nobody_is_paused_for_the_same_answers(
    with_tests, trust_rule, judging, annotator, ada, ben
):
    with_tests(10, quiz_size=10, quiz_wrong=9)
    at_work = annotator(ben)
    at_work.answer(4, right=False)
    assert actions.pauses_end(campaign=judging, participant=at_work.participant, actor=ada) == 1
    at_work.answer(3, right=False)
    assert isinstance(at_work.ask(), Assignment)
    at_work.answer(1, right=False)
    assert at_work.ask().reason == "paused-for-you"


# ---- Forgiving ---------------------------------------------------------------------------------


def test_forgiving_a_bad_question_lets_people_back(with_tests, trust_rule, annotator, ada, ben):
    made = with_tests(4, quiz_size=4, quiz_wrong=3)
    at_work = annotator(ben)
    at_work.answer(2)
    at_work.answer(2, right=False)
    assert at_work.ask().reason == "paused-for-you"
    wrong = TestAnswer.objects.exclude(answer="entailment").first().question
    undone = question_set_state(question=wrong, actor=ada, state="forgiven")
    action = QualityAction.objects.get()
    assert undone == [action.pk] and action.undone_why == "forgiven"
    assert isinstance(at_work.ask(), Assignment)
    assert trust_of(trust_rule.campaign, at_work.participant) == Trust(2, 3)
    assert made[0].campaign == trust_rule.campaign


def test_forgiving_ends_a_failed_quiz_and_asks_no_question_more(with_tests, judging, annotator, ada, ben):
    with_tests(12, quiz_size=10, quiz_wrong=3)
    at_work = annotator(ben)
    at_work.answer(6)
    at_work.answer(4, right=False)
    assert at_work.ask().reason == "quiz-failed"
    wrong = TestAnswer.objects.exclude(answer="entailment").first().question
    question_set_state(question=wrong, actor=ada, state="forgiven")
    assert not at_work.ask().item.is_test
    quiz = quizzes.quiz_of(quality_of(judging), at_work.participant)
    assert (quiz.answered, quiz.wrong, quiz.is_failed, quiz.is_running) == (10, 3, False, False)


def test_a_wrong_expected_answer_is_put_right_for_everybody(with_tests, judging, annotator, ada, ben, cleo):
    with_tests(4, quiz_size=4, quiz_wrong=0)
    annotator(ben).answer(1, right=False)
    question = TestAnswer.objects.get().question
    question_correct(question=question, actor=ada, expected="non-entailment", explanation="")
    assert trust_of(judging, annotator(ben).participant) == Trust(1, 1)
    assert isinstance(annotator(ben).ask(), Assignment)


def test_a_forgiven_pause_that_others_keep_up_stays(with_tests, trust_rule, annotator, ada, ben):
    with_tests(8, quiz_size=8, quiz_wrong=7)
    at_work = annotator(ben)
    at_work.answer(4, right=False)
    wrong = TestAnswer.objects.first().question
    assert question_set_state(question=wrong, actor=ada, state="retired") == []
    assert at_work.ask().reason == "paused-for-you"


@pytest.mark.both
def test_after_forgiving_nothing_is_over_collected(
    with_tests, judging, annotator, ada, ben, cleo, dan, rosa, work
):
    """A person's answers are asked again, others fill some of the places, then the question is forgiven:
    only the answers for which there is still room count again."""
    from apps.quality import signal_rules

    with_tests(4)
    signal_rules.rule_create(
        campaign=judging, actor=ada, signal="trust", last=20, least=4, threshold=0.6, action="requeue"
    )
    first = annotator(ben)
    first.answer(8)
    annotator(cleo).answer(8)
    assert Judgement.objects.filter(counted=True).count() == 16
    quality_update(campaign=judging, actor=ada, quiz_size=4, quiz_wrong=3)
    first.answer(2)
    first.answer(2, right=False)
    action = QualityAction.objects.get()
    assert action.kind == "requeue" and work() >= 1
    action.refresh_from_db()
    assert len(action.judgements) == 8
    assert not Judgement.objects.filter(participant=first.participant, counted=True).exists()
    assert over_collected() == []
    quality_update(campaign=judging, actor=ada, quiz_size=0)
    of_first = Item.objects.filter(judgements__in=action.judgements)
    while not of_first.filter(counted=2).exists():  # which pairs Dan is dealt differs from run to run
        annotator(dan).answer()
    held = annotator(rosa).ask()  # a live lease keeps its place, too
    full = of_first.filter(Q(counted=2) | Q(pk=held.item_id, counted=1)).count()
    wrong = TestAnswer.objects.exclude(answer="entailment").first().question
    assert question_set_state(question=wrong, actor=ada, state="forgiven") == [action.pk]
    assert over_collected() == []
    again = Judgement.objects.filter(pk__in=action.judgements, counted=True).count()
    assert again == 8 - full and 1 <= full <= 2
    judgement_submit(assignment=held, answer="entailment")
    for user in (dan, rosa, cleo):
        annotator(user).work()
    assert over_collected() == []
    assert not Item.objects.filter(is_test=False, counted__lt=2).exists()
