"""Who is refused: correcting a slip, trying the quiz again, being let in; and who reads of it, and what."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Assignment
from apps.quality import actions
from apps.quality.eligibility import declaration_correct, declaration_record
from apps.quality.models import Declaration, QualityAction, Refusal, TestAnswer
from apps.quality.questions import question_set_state
from apps.quality.reliability import people_of
from apps.quality.settings import allow_list_set, quality_update
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def english(judging, ada):
    """The campaign, for native speakers of English."""
    quality_update(campaign=judging, actor=ada, languages=["en"])
    return judging


@pytest.fixture
def home(client_of):
    """What somebody reads on *My work*."""
    return lambda user: client_of(user).get(reverse("work:home")).content.decode()


# ---- A slip ------------------------------------------------------------------------------------


def test_a_slip_is_corrected_on_the_page_that_refuses(english, ben, client_of, annotator):
    client = client_of(ben)
    client.post(reverse("work:about_you", args=[english.pk]), {"language": "fr"})
    refused = client.get(reverse("work:campaign", args=[english.pk])).content.decode()
    correct = reverse("work:correct", args=[english.pk])
    assert correct in refused and "put it right once" in refused
    form = client.get(correct).content.decode()
    assert "see what you said before" in form
    client.post(correct, {"language": "en"})
    assert isinstance(annotator(ben).ask(), Assignment)
    said = Declaration.objects.get()
    assert (said.language, said.before, said.corrected_at is not None) == ("en", {"language": "fr"}, True)
    event = AuditEvent.objects.get(action="declaration.corrected")
    assert event.data == {"changed": ["language"]}


def test_a_second_correction_is_refused_and_changes_nothing(english, ben, client_of, annotator):
    person = annotator(ben).participant
    declaration_record(participant=person, language="fr")
    declaration_correct(participant=person, language="es")
    assert annotator(ben).ask().remedy == ""
    with pytest.raises(ValidationError, match="corrected this before"):
        declaration_correct(participant=person, language="en")
    answer = client_of(ben).post(reverse("work:correct", args=[english.pk]), {"language": "en"})
    assert answer.headers["Location"] == reverse("work:campaign", args=[english.pk])
    assert Declaration.objects.get().language == "es"


def test_the_same_answer_again_uses_the_correction_not_up(english, ben, annotator):
    person = annotator(ben).participant
    declaration_record(participant=person, language="fr")
    declaration_correct(participant=person, language="fr")
    assert annotator(ben).ask().remedy == "correct"


def test_who_was_not_refused_has_nothing_to_correct(english, ben, annotator, client_of):
    declaration_record(participant=annotator(ben).participant, language="en")
    client_of(ben).post(reverse("work:correct", args=[english.pk]), {"language": "fr"})
    assert Declaration.objects.get().language == "en"


def test_the_panels_numbers_are_not_the_persons_to_correct(judging, ada, ben, annotator):
    quality_update(campaign=judging, actor=ada, approved_tasks=500, numbers_from="declared")
    person = annotator(ben).participant
    declaration_record(participant=person, approved_tasks=3, from_panel=True)
    assert annotator(ben).ask().remedy == ""
    with pytest.raises(ValidationError, match="the panel's"):
        declaration_correct(participant=person, approved_tasks=900)


# ---- The quiz ----------------------------------------------------------------------------------


def test_let_in_without_the_quiz_is_not_undone_by_the_next_test_question(
    with_tests, judging, trust_rule, annotator, ada, ben
):
    with_tests(10, quiz_size=4, quiz_wrong=3, test_share=50)
    at_work = annotator(ben)
    at_work.answer(4, right=False)
    assert at_work.ask().reason == "paused-for-you"
    actions.action_take(campaign=judging, participant=at_work.participant, kind="waive-quiz", actor=ada)
    at_work.answer(8)
    assert TestAnswer.objects.filter(in_quiz=False).exists()
    assert isinstance(at_work.ask(), Assignment)
    assert not QualityAction.objects.filter(kind="pause", undone_at=None).exists()


def test_a_rule_speaks_again_for_what_comes_after_somebody_was_let_in(
    with_tests, judging, trust_rule, annotator, ada, ben
):
    with_tests(10, quiz_size=4, quiz_wrong=3, test_share=50)
    at_work = annotator(ben)
    at_work.answer(4, right=False)
    actions.action_take(campaign=judging, participant=at_work.participant, kind="waive-quiz", actor=ada)
    while isinstance(at_work.ask(), Assignment):
        at_work.answer(1, right=False)
    assert at_work.ask().reason == "paused-for-you"


def test_the_quiz_is_tried_again_with_other_questions(with_tests, judging, annotator, ben, client_of):
    with_tests(8, quiz_size=4, quiz_wrong=0, quiz_tries=2)
    at_work = annotator(ben)
    first = [judgement.item_id for judgement in at_work.answer(1, right=False)]
    client = client_of(ben)
    page = client.get(reverse("work:campaign", args=[judging.pk])).content.decode()
    again = reverse("work:quiz_again", args=[judging.pk])
    assert again in page and "with other questions" in page
    for _click in range(2):
        client.post(again)
    assert QualityAction.objects.filter(kind="retry-quiz").count() == 1
    second = [judgement.item_id for judgement in at_work.answer(4)]
    assert not set(first) & set(second)
    assert list(TestAnswer.objects.order_by("pk").values_list("quiz_try", flat=True)) == [1, 2, 2, 2, 2]
    assert not at_work.answer()[0].item.is_test


def test_after_the_last_try_there_is_none(with_tests, judging, annotator, ben):
    with_tests(9, quiz_size=3, quiz_wrong=0, quiz_tries=2)
    at_work = annotator(ben)
    at_work.answer(1, right=False)
    assert actions.quiz_begin_again(campaign=judging, participant=at_work.participant)
    at_work.answer(1, right=False)
    assert (at_work.ask().reason, at_work.ask().remedy) == ("quiz-failed", "")
    assert not actions.quiz_begin_again(campaign=judging, participant=at_work.participant)
    assert at_work.ask().reason == "quiz-failed"


def test_without_enough_new_questions_there_is_no_second_try(with_tests, judging, annotator, ada, ben):
    with_tests(5, quiz_size=4, quiz_wrong=1, quiz_tries=2)
    at_work = annotator(ben)
    at_work.answer(2, right=False)
    assert at_work.ask().remedy == ""
    with pytest.raises(ValidationError, match="too few test questions"):
        actions.action_take(campaign=judging, participant=at_work.participant, kind="retry-quiz", actor=ada)


def test_who_passed_the_first_try_by_forgiving_stays_in_whatever_the_second_one_says(
    with_tests, judging, annotator, ada, ben
):
    with_tests(8, quiz_size=2, quiz_wrong=0, quiz_tries=2)
    at_work = annotator(ben)
    at_work.answer(1)
    bad = at_work.answer(1, right=False)[0].item.test_question
    actions.quiz_begin_again(campaign=judging, participant=at_work.participant)
    at_work.answer(1, right=False)
    assert at_work.ask().reason == "quiz-failed"
    question_set_state(question=bad, actor=ada, state="forgiven")
    assert not at_work.ask().item.is_test


def test_a_first_try_that_failed_pauses_nobody_who_passes_the_second(
    with_tests, judging, trust_rule, annotator, ben
):
    with_tests(12, quiz_size=4, quiz_wrong=3, quiz_tries=2, test_share=50)
    at_work = annotator(ben)
    at_work.answer(4, right=False)
    assert at_work.ask().remedy == "retry"
    actions.quiz_begin_again(campaign=judging, participant=at_work.participant)
    at_work.answer(8)
    assert isinstance(at_work.ask(), Assignment)


# ---- My work -----------------------------------------------------------------------------------


def test_my_work_counts_nothing_for_whoever_is_refused(english, ben, cleo, annotator, home):
    assert "12 left" in home(ben)
    declaration_record(participant=annotator(ben).participant, language="fr")
    page = home(ben)
    assert "12 left" not in page and "Not begun" not in page
    assert "native speakers of: English" in page and english.name in page
    assert "12 left" in home(cleo)


def test_my_work_drops_a_campaign_whose_quiz_was_failed(with_tests, judging, annotator, ben, cleo, home):
    with_tests(4, quiz_size=3, quiz_wrong=0)
    annotator(ben).answer(1, right=False)
    assert judging.name not in home(ben)
    assert judging.name in home(cleo)


def test_my_work_keeps_it_while_the_quiz_may_be_tried_again(with_tests, judging, annotator, ben, home):
    with_tests(8, quiz_size=3, quiz_wrong=0, quiz_tries=2)
    annotator(ben).answer(1, right=False)
    page = home(ben)
    assert judging.name in page and "left" not in page and "You may try it again" in page


def test_my_work_is_silent_on_what_was_given_to_others(judging, ada, ben, cleo, home):
    """Also for somebody who never worked in the study."""
    quality_update(campaign=judging, actor=ada, uses_allow_list=True)
    allow_list_set(campaign=judging, actor=ada, names=["cleo@example.org"])
    assert judging.name not in home(ben)
    assert judging.name in home(cleo)


def test_my_work_counts_nothing_for_whoever_is_paused_or_blocked(judging, ada, ben, annotator, home):
    person = annotator(ben).participant
    actions.action_take(campaign=judging, participant=person, kind="pause", actor=ada)
    assert "12 left" not in home(ben) and "paused" in home(ben)
    actions.pauses_end(campaign=judging, participant=person, actor=ada)
    assert "12 left" in home(ben)
    actions.participant_block(participant=person, actor=ada, past="keep")
    assert "12 left" not in home(ben)


# ---- People ------------------------------------------------------------------------------------


def standings(campaign):
    return {
        (one.participant.pseudonym, standing.refusal.by, standing.said, standing.holds)
        for one in people_of(campaign)[0]
        for standing in one.refusals
    }


def test_people_lists_whoever_was_refused_by_what(english, ada, ben, cleo, dan, annotator, client_of):
    at_work = {user: annotator(user) for user in (ben, cleo, dan)}
    declaration_record(participant=at_work[ben].participant, language="fr")
    declaration_record(participant=at_work[cleo].participant, language="en")
    for _time in range(2):
        at_work[ben].ask()
    at_work[cleo].ask()
    at_work[dan].ask()  # who is only to be asked first
    name = at_work[ben].participant.pseudonym
    assert standings(english) == {(name, "language", "français".capitalize(), True)}
    page = client_of(ada).get(reverse("quality:people", args=[english.study.slug, english.pk]))
    assert name in page.content.decode() and "native language" in page.content.decode()
    assert AuditEvent.objects.filter(action="work.refused").count() == 1


def test_a_refused_person_has_a_page_on_which_they_are_asked_again(english, ada, ben, annotator, client_of):
    at_work = annotator(ben)
    declaration_record(participant=at_work.participant, language="fr")
    at_work.ask()
    slug, person = english.study.slug, at_work.participant.pk
    page = client_of(ada).get(reverse("quality:person", args=[slug, english.pk, person]))
    assert "Ask again" in page.content.decode() and "Not let in" in page.content.decode()
    client_of(ada).post(reverse("quality:forget", args=[slug, english.pk, person]))
    assert at_work.ask().reason == "declare"


def test_whoever_was_let_in_since_is_said_to_be(with_tests, judging, ada, ben, annotator):
    with_tests(4, quiz_size=3, quiz_wrong=0)
    at_work = annotator(ben)
    at_work.answer(1, right=False)
    at_work.ask()
    name = at_work.participant.pseudonym
    assert standings(judging) == {(name, "quiz", "", True)}
    actions.action_take(campaign=judging, participant=at_work.participant, kind="waive-quiz", actor=ada)
    assert standings(judging) == {(name, "quiz", "", False)}


def test_the_list_of_people_costs_the_same_for_many(
    english, annotator, ben, cleo, dan, django_assert_max_num_queries
):
    for user in (ben, cleo, dan):
        declaration_record(participant=annotator(user).participant, language="fr")
        annotator(user).ask()
    assert Refusal.objects.count() == 3
    with django_assert_max_num_queries(14):
        people_of(english)
