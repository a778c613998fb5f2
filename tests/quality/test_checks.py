"""Checks of what was written: by its text at once, by the calculus in the background."""

import pytest
from django.core.exceptions import ValidationError

from apps.annotation import notices
from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.services import assignment_next, judgement_submit
from apps.frame.clock import database_now
from apps.jobs.models import Job
from apps.quality import checks, signal_rules
from apps.quality.forms import ChecksForm
from apps.quality.models import AnswerCheck, Flag
from apps.quality.settings import quality_of, quality_update

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def dogs(creation):
    """Only the blank of "No [dogs] bark at night." is open."""
    Item.objects.exclude(blank__text="dogs").update(is_complete=True, counted=3)
    return creation


@pytest.fixture
def write(dogs, participant):
    def send(user, *texts: str) -> Judgement:
        lease = assignment_next(campaign=dogs, participant=participant(user))
        return judgement_submit(assignment=lease, replacements=texts)

    return send


def flags(judgement) -> list[tuple[int, str]]:
    return list(judgement.flags.values_list("position", "code"))


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["small dogs", "wet dogs", "old dogs"], []),
        (["SMALL dogs!", "wet hounds", "old poodles"], [0]),
        (["brown pets", "small dog", "old dogs"], [1]),
        (["tall dogs", "hounds of mine", "hounds of mines"], [2]),
    ],
)
def test_near_duplicates_in_the_study_and_in_the_set(texts, found, dogs, write, ada, ben, cleo):
    if found != []:
        write(ben, "small dogs", "poodles", "dogs at home")
    quality_update(campaign=dogs, actor=ada, near_duplicates="flag")
    assert flags(write(cleo, *texts)) == [(position, "near-duplicate") for position in found]


def test_letters_of_another_script(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, other_script="flag")
    assert flags(write(ben, "small dogs", "маленькие dogs", "naïve dogs")) == [(1, "other-script")]


def test_refused_it_is_said_at_its_field_and_nothing_is_stored(dogs, write, ada, ben, cleo):
    write(ben, "small dogs", "poodles", "dogs at home")
    quality_update(campaign=dogs, actor=ada, near_duplicates="refuse")
    with pytest.raises(ValidationError) as refused:
        write(cleo, "wet dogs", "Small dogs", "old dogs")
    assert list(refused.value.message_dict) == ["replacements-1"]
    assert "nearly the same" in str(refused.value) and Judgement.objects.count() == 1


def test_warned_the_annotator_is_told_once_and_the_flag_is_kept(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, near_duplicates="warn")
    judgement = write(ben, "small dogs", "small dog", "old dogs")
    told = notices.after_sending([judgement])
    assert told == ["Answer 2: This is nearly the same as another of your answers here. You may change it."]
    assert notices.after_sending([judgement]) == []
    assert flags(judgement) == [(1, "near-duplicate")]


def test_a_revision_is_looked_at_anew(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, near_duplicates="warn")
    judgement = write(ben, "small dogs", "small dog", "old dogs")
    judgement_submit(assignment=judgement.assignment, replacements=["small dogs", "wet dogs", "old dogs"])
    assert flags(judgement) == []


def test_nothing_is_checked_unless_it_is_asked_for(write, ben, cleo):
    write(ben, "small dogs", "small dog", "old dogs")
    assert not Flag.objects.exists() and not Job.objects.filter(kind=checks.CHECK).exists()


def test_the_calculus_flags_in_the_background_what_is_not_more_specific(dogs, write, ada, ben, work):
    """One parse of the test: each code once, a failure of nobody, and a rule that uses the flags."""
    quality_update(campaign=dogs, actor=ada, checks_calculus=True)
    signal_rules.rule_create(
        campaign=dogs, actor=ada, signal="flagged", last=5, least=1, threshold=0.5, action="review"
    )
    judgement = write(ben, "small dogs", "animals", "poodles")
    assert Job.objects.filter(kind=checks.CHECK, state="queued").count() == 1
    assert not judgement.flags.exists()
    work()
    assert flags(judgement) == [(1, "more-general")]
    assert judgement.flags.get().source == "calculus" and "more general" in judgement.flags.get().message
    assert AnswerCheck.objects.get().revision == 1
    assert judgement.participant.quality_actions.get().kind == "review"
    assert checks.unchecked(dogs).count() == 0


def test_one_job_takes_all_that_waits(dogs, write, ada, ben, cleo):
    quality_update(campaign=dogs, actor=ada, checks_calculus=True)
    write(ben, "small dogs", "wet dogs", "old dogs")
    write(cleo, "red dogs", "big dogs", "sad dogs")
    assert Job.objects.filter(kind=checks.CHECK).count() == 1
    assert checks.unchecked(dogs).count() == 2


def test_what_was_revised_meanwhile_is_left_for_the_next_look(dogs, write, ada, ben):
    judgement = write(ben, "small dogs", "wet dogs", "old dogs")
    finding = checks.Finding(0, "synonym", "the same")
    checks.checks_store([(judgement.pk, 2, [finding], "")])
    assert not Flag.objects.exists() and not AnswerCheck.objects.exists()
    for _time in range(2):
        checks.checks_store([(judgement.pk, 1, [finding], "")])
    assert flags(judgement) == [(0, "synonym")] and AnswerCheck.objects.count() == 1


def test_a_synonym_and_a_more_general_word_are_flagged_at_once_without_a_parse(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, not_more_specific="flag")
    judgement = write(ben, "animals", "guide dogs", "dog")
    assert flags(judgement) == [(0, "more-general"), (2, "synonym")]
    assert {flag.source for flag in judgement.flags.all()} == {"text"}
    assert notices.after_sending([judgement]) == []


def test_a_more_general_word_is_refused_at_its_field(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, not_more_specific="refuse")
    with pytest.raises(ValidationError) as refused:
        write(ben, "small dogs", "animals", "old dogs")
    assert refused.value.message_dict == {
        "replacements-1": ["“animals” is more general than “dogs”, not more specific."]
    }
    assert not Judgement.objects.exists()


def test_spelling_is_told_and_never_refused(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, spelling="warn")
    judgement = write(ben, "smal dogs", "poodles", "Rover's dogs")
    assert notices.after_sending([judgement]) == [
        "Answer 1: Please look at the spelling: smal. You may change it."
    ]
    with pytest.raises(ValidationError) as wrong:
        quality_update(campaign=dogs, actor=ada, spelling="refuse")
    assert "spelling" in wrong.value.message_dict


def later(judgement, code="synonym", position=0) -> None:
    """What the job does when the calculus found something."""
    checks.checks_store([(judgement.pk, judgement.revision, [checks.Finding(position, code, "why")], "")])


def told_by(judgement) -> list[str]:
    # As of a new request: settings and person are looked up again.
    campaign = Campaign.objects.get(pk=judgement.item.campaign_id)
    return notices.found_later(campaign, judgement.participant)


def test_what_the_calculus_found_is_told_once_with_a_link_to_the_answer(dogs, write, ada, ben, cleo):
    quality_update(campaign=dogs, actor=ada, checks_calculus=True, tells_calculus=True)
    judgement, other = write(ben, "<b>dogs", "poodles", "old dogs"), write(cleo, "a", "b", "c")
    later(judgement)
    assert told_by(other) == []
    (text,) = told_by(judgement)
    address = f"/work/{dogs.pk}/{judgement.assignment_id}/"
    assert '<bdi translate="no">&lt;b&gt;dogs</bdi>' in text and f'href="{address}"' in text
    later(judgement)  # a job that stores its chunk twice
    assert told_by(judgement) == [] and judgement.flags.get().was_told


def test_it_is_told_after_the_next_answer_or_before_the_next_card(dogs, write, ada, ben, client):
    quality_update(campaign=dogs, actor=ada, checks_calculus=True, tells_calculus=True)
    judgement = write(ben, "small dogs", "poodles", "old dogs")
    later(judgement, "not-a-constituent", 1)
    client.force_login(ben)
    shown = client.get(f"/work/{dogs.pk}/", follow=True).content.decode()
    assert '<bdi translate="no">poodles</bdi>' in shown and "not one constituent" in shown
    assert "poodles" not in client.get(f"/work/{dogs.pk}/", follow=True).content.decode()


def test_flagged_only_nobody_is_told_and_neither_of_what_is_old(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, checks_calculus=True)
    judgement = write(ben, "small dogs", "poodles", "old dogs")
    later(judgement)
    assert told_by(judgement) == []
    quality_update(campaign=dogs, actor=ada, tells_calculus=True)
    judgement.flags.update(created_at=database_now() - 2 * notices.TOLD_WITHIN)
    assert told_by(judgement) == []


def test_what_the_list_flagged_and_the_calculus_confirms_is_one_flag(dogs, write, ada, ben):
    quality_update(campaign=dogs, actor=ada, not_more_specific="warn", checks_calculus=True)
    judgement = write(ben, "animals", "poodles", "old dogs")
    assert len(notices.after_sending([judgement])) == 1
    later(judgement, "more-general")
    flag = judgement.flags.get()
    assert (flag.source, flag.message, flag.was_told) == ("calculus", "why", True)


def test_only_what_is_checked_can_be_told(dogs, ada):
    with pytest.raises(ValidationError):
        quality_update(campaign=dogs, actor=ada, tells_calculus=True)


@pytest.mark.parametrize(
    ("chosen", "checked", "told"), [("off", False, False), ("flag", True, False), ("warn", True, True)]
)
def test_the_form_has_one_choice_for_the_calculus(chosen, checked, told, dogs, ada):
    off = dict.fromkeys(["near_duplicates", "other_script", "not_more_specific", "spelling"], "off")
    form = ChecksForm({**off, "calculus": chosen}, instance=quality_of(dogs))
    assert form.is_valid()
    quality = quality_update(campaign=dogs, actor=ada, **form.changes())
    assert (quality.checks_calculus, quality.tells_calculus) == (checked, told)
    assert ChecksForm(instance=quality).initial["calculus"] == chosen
