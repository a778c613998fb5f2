"""Blanks: polarised constituents that annotators can make more specific, filtered, counted, picked."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.corpora import blank_services, draft_services, services
from apps.corpora.blank_selectors import BlankFilters, candidates, draw
from apps.corpora.models import Blank, BlankSet, Constituent, Sentence, StopExpression
from apps.corpora.pilots import skip_rates
from apps.corpora.selectors import marking_groups
from apps.corpora.stop_lists import StopList

pytestmark = pytest.mark.both

PHRASES = ("NP", "NBAR", "VP", "PP", "AP", "ADVP")


def texts(study, **filters):
    return [item.text for item in candidates(study=study, filters=BlankFilters(**filters))]


# ---- What can be one -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sentence", "can", "cannot"),
    [
        (
            "Every small dog chased some cat in the garden.",
            ["small dog", "small", "some cat", "cat"],
            ["Every small dog", "Every small dog chased some cat in the garden", "Every"],
        ),
        ("No student reads old books.", ["reads old books", "old books"], ["No student", "No", "."]),
        ("Tom does not live in a big house.", ["live in a big house", "a big house"], ["does not", "not"]),
        ("Nobody in the village owns a car.", ["owns a car"], ["Nobody"]),
        ("There was a custom-made suit in the shop.", ["suit"], ["was", "custom", "made"]),
        ("She is here and he will do it.", [], ["She", "he", "it", "is", "here"]),
    ],
)
def test_a_blank_holds_content_of_one_sign_and_is_no_operator(sentence, can, cannot, bring_in, ada, work):
    corpus = draft_services.draft_commit(draft=bring_in(sentence), actor=ada).corpus
    services.corpus_parse(corpus=corpus, actor=ada)
    work()
    rewritable = set(Constituent.objects.filter(rewritable=True).values_list("text", flat=True))
    assert set(can) <= rewritable
    assert not set(cannot) & rewritable


def test_by_default_a_blank_is_an_operators_argument_in_a_statement_of_more_than_five_tokens(study, parsed):
    found = candidates(study=study, filters=BlankFilters())
    assert {item.sentence_text.split()[0] for item in found} == {"Every", "No", "If", "Tom"}
    assert all(item.operator for item in found)


@pytest.mark.parametrize("kind", ["Did every", "Put the", "The quiet garden"])
def test_questions_imperatives_and_fragments_are_kept_out(kind, study, parsed):
    everything = BlankFilters(operator="", sentence_minimum=1)
    found = candidates(study=study, filters=everything)
    assert not [item for item in found if item.sentence_text.startswith(kind)]
    # What looks like a fragment may be one by a wrong parse.
    wide = candidates(study=study, filters=replace(everything, declarative=False, doubtful=True))
    assert [item for item in wide if item.sentence_text.startswith(kind)]


def test_a_text_with_a_question_in_it_is_kept_out(study, bring_in, ada, work):
    text = '"How old is the small girl?" "She is twelve years old."'
    services.corpus_parse(
        corpus=draft_services.draft_commit(draft=bring_in(text), actor=ada).corpus, actor=ada
    )
    work()
    assert texts(study, operator="", sentence_minimum=1) == []


def test_short_sentences_are_kept_out_by_their_tokens(study, parsed):
    assert "barked" not in texts(study, operator="")
    assert "barked" in texts(study, operator="", sentence_minimum=4)


# ---- Filters -------------------------------------------------------------------------------------
def test_direction_operator_category_and_length_filter(study, parsed):
    assert "small dog" in texts(study, direction="down")
    assert "small dog" not in texts(study, direction="up")
    assert "reads old books" in texts(study, operator="no")
    assert "small dog" not in texts(study, operator="no")
    assert "reads old books" not in texts(study, operator="no", categories=("NP", "NBAR"))
    lengths = {len(text.split()) for text in texts(study, minimum=2, maximum=3)}
    assert lengths == {2, 3}


def test_one_convention_at_a_time_is_looked_at(study, parsed, ada, work):
    before = texts(study)
    services.corpus_parse(corpus=parsed, actor=ada, convention="med")
    work()
    assert len(texts(study)) < 2 * len(before)
    assert texts(study, group="no|such|group|here") == []


@pytest.mark.parametrize(
    ("entry", "text", "before", "held"),
    [
        ("every one", "every one", "", True),
        ("every one", "Every  ONE", "", True),
        ("no time", "time", "There is no ", True),
        ("no time", "time", "There is ", False),
        ("no time", "time", "Tom sang nano ", False),
        ("one", "someone", "", False),
        ("time", "no time", "", False),
    ],
)
def test_the_stop_list_holds_whole_expressions_without_regard_to_case(entry, text, before, held):
    assert StopList(frozenset({entry})).holds(text, before) is held


def test_what_is_on_the_stop_list_is_left_out_unless_it_is_switched_off(study, parsed, ada):
    blank_services.stop_expression_add(study=study, actor=ada, expression="Small  Dog")
    assert "small dog" not in texts(study)
    assert "small dog" in texts(study, stop_list=False)


# ---- Sets ----------------------------------------------------------------------------------------
@pytest.fixture
def pick(study, ada, parsed):
    def make(name="A set", maximum=None, seed=1, **filters):
        return blank_services.blank_set_create(
            study=study,
            actor=ada,
            name=name,
            filters=BlankFilters(categories=PHRASES, **filters),
            maximum=maximum,
            seed=seed,
        )

    return make


def spans(blank_set):
    return list(blank_set.blanks.values_list("sentence", "start", "end"))


def test_a_set_holds_what_passes_with_its_span_sign_and_reason(pick, study):
    blank_set = pick(direction="down")
    assert len(spans(blank_set)) == len(texts(study, direction="down", categories=PHRASES))
    blank = blank_set.blanks.get(text="reads old books")
    assert blank.sentence.text[blank.start : blank.end] == blank.text
    assert (blank.polarity, blank.operator, blank.convention) == ("down", "no", "default")
    assert blank.why[0]["surface"] == "No"
    assert BlankFilters.from_json(blank_set.filters).direction == "down"


def test_the_same_seed_draws_the_same_blanks(pick):
    first, same = pick("1", 5, 3), pick("2", 5, 3)
    assert spans(first) == spans(same) and len(spans(first)) == 5
    assert any(spans(pick(f"s{seed}", 5, seed)) != spans(first) for seed in range(4, 9))


def test_at_most_one_blank_a_sentence(pick):
    sentences = [sentence for sentence, _start, _end in spans(pick(one_per_sentence=True))]
    assert len(sentences) == len(set(sentences)) == 4


def test_one_a_sentence_comes_before_the_maximum(study, parsed):
    found = candidates(study=study, filters=BlankFilters())
    assert len({item.sentence for item in draw(found, maximum=4, seed=1, one_per_sentence=True)}) == 4


def test_a_name_is_taken_once_and_an_empty_set_is_refused(pick):
    pick("Twice")
    with pytest.raises(ValidationError, match="There is a set of this name"):
        pick("Twice")
    with pytest.raises(ValidationError, match="No constituent passes"):
        pick("Empty", minimum=40)
    assert BlankSet.objects.count() == 1


def test_blanks_outlive_a_later_marking(pick, study):
    blank_set = pick()
    before = spans(blank_set)
    Constituent.objects.all().delete()
    assert spans(blank_set) == before
    assert Blank.objects.filter(constituent=None).count() == len(before)


# ---- Pilots --------------------------------------------------------------------------------------
def test_a_pilot_is_a_draw_of_its_set(pick, ada):
    whole = pick()
    pilot = blank_services.pilot_create(blank_set=whole, actor=ada, size=4, seed=2)
    assert pilot.pilot_of == whole and pilot.name == "A set, pilot 1"
    assert len(spans(pilot)) == 4 and set(spans(pilot)) <= set(spans(whole))
    assert blank_services.pilot_create(blank_set=whole, actor=ada, size=4, seed=2).name == "A set, pilot 2"


def test_a_pilot_larger_than_its_set_is_refused(pick, ada, study, desk):
    few = pick(maximum=3)
    with pytest.raises(ValidationError, match=r"A pilot of 50 can't be drawn: the set has 3 blanks\."):
        blank_services.pilot_create(blank_set=few, actor=ada, size=50)
    assert not few.pilots.exists()
    assert (
        'name="size" value="3"' in desk.get(reverse("blanks:set", args=[study.slug, few.pk])).content.decode()
    )


@pytest.fixture
def answered(pick, study, ada):
    """A pilot whose blanks were answered: ``answered({"small dog": "sg."})`` has three answers for it,
    one a skip (too general), one a skip for another reason, one that is no skip."""
    from django.utils import timezone

    from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Judgement
    from apps.datasets.models import Dataset
    from apps.studies.models import Participant

    def make(answers: dict[str, str]) -> BlankSet:
        pilot = pick("Pilot")
        campaign = Campaign.objects.create(
            study=study,
            name="Pilot",
            task="creation",
            blank_set=pilot,
            dataset=Dataset.objects.create(study=study, name="Pilot"),
        )
        guideline = Guideline.objects.create(campaign=campaign, version=1, body="Rewrite.")
        now = timezone.now()
        for position, (text, words) in enumerate(answers.items()):
            blank = pilot.blanks.filter(text=text).first()
            item = Item.objects.create(campaign=campaign, blank=blank, position=position)
            for number, word in enumerate(words):
                who, _made = Participant.objects.get_or_create(study=study, pseudonym=f"a{number}")
                assignment = Assignment.objects.create(
                    item=item, participant=who, leased_at=now, shown_at=now, expires_at=now
                )
                Judgement.objects.create(
                    assignment=assignment,
                    item=item,
                    participant=who,
                    guideline=guideline,
                    seconds=9,
                    submitted_at=now,
                    skip_reason={"g": "too-general", "s": "unclear", ".": ""}[word],
                )
        return pilot

    return make


def test_the_skip_rate_of_an_expression_proposes_it(answered):
    pilot = answered({"small dog": "gs.", "reads old books": "g..", "old books": "ss.", "cat": "..."})
    rates = {rate.expression: rate for rate in skip_rates(pilot)}
    assert set(rates) == {"small dog", "reads old books", "old books"}
    assert rates["small dog"].share == pytest.approx(2 / 3)
    assert [text for text, rate in rates.items() if rate.is_proposed] == ["small dog"]


def test_a_proposal_is_accepted_with_one_click_and_remembers_where_it_came_from(
    answered, study, rosa, client_of
):
    pilot = answered({"small dog": "gg.", "old books": "ggg", "arrives late": "g.."})
    client, page = client_of(rosa), reverse("blanks:set", args=[study.slug, pilot.pk])
    assert client.get(page).content.count(b"Accept the proposal") == 2
    url = reverse("blanks:proposals", args=[study.slug, pilot.pk])
    client.post(url, {"expression": "small dog"})
    entry = StopExpression.objects.get()
    assert (entry.expression, entry.origin) == ("small dog", "Pilot: 2 of 3 skipped")
    client.post(url)
    assert set(StopExpression.objects.values_list("expression", flat=True)) == {"small dog", "old books"}
    client.post(url, {"expression": "never skipped"})
    assert StopExpression.objects.count() == 2


# ---- Out of the pool -----------------------------------------------------------------------------
def test_a_sentence_that_is_put_aside_gives_no_new_blank_until_it_is_taken_back(study, parsed, rosa, pick):
    before, kept = texts(study), spans(pick())
    sentence = candidates(study=study, filters=BlankFilters())[0].sentence
    services.sentence_put_aside(sentence=Sentence.objects.get(pk=sentence), actor=rosa)
    assert sentence not in {item.sentence for item in candidates(study=study, filters=BlankFilters())}
    assert spans(BlankSet.objects.get()) == kept
    services.sentence_put_aside(sentence=Sentence.objects.get(pk=sentence), actor=rosa, aside=False)
    assert texts(study) == before


@pytest.fixture
def marked(study, parsed):
    return marking_groups(study=study)[0]


def test_a_parse_that_is_called_wrong_puts_its_sentence_aside(study, parsed, rosa, marked):
    sample = services.parse_sample_draw(corpus=parsed, actor=rosa, size=2, seed=1, group=marked)
    first, second = sample.checks.order_by("position")
    services.parse_check_record(check=first, actor=rosa, verdict="wrong")
    services.parse_check_record(check=second, actor=rosa, verdict="right")
    aside = Sentence.objects.exclude(put_aside_at=None)
    assert [sentence.pk for sentence in aside] == [first.marking.parse.sentence_id]
    services.parse_check_record(check=first, actor=rosa, verdict="right")
    assert not aside.all().exists()


def test_what_was_put_aside_by_hand_stays_so_when_a_check_calls_it_right(study, parsed, rosa, marked):
    sample = services.parse_sample_draw(corpus=parsed, actor=rosa, size=1, seed=1, group=marked)
    (check,) = sample.checks.all()
    services.sentence_put_aside(sentence=check.marking.parse.sentence, actor=rosa)
    services.parse_check_record(check=check, actor=rosa, verdict="right")
    assert Sentence.objects.exclude(put_aside_at=None).count() == 1


def test_a_sentence_put_aside_after_its_set_was_made_goes_to_no_new_campaign(study, pick, rosa):
    from apps.campaigns.services import campaign_begin

    blank_set = pick()
    aside = blank_set.blanks.order_by("pk").first().sentence
    services.sentence_put_aside(sentence=aside, actor=rosa)
    campaign = campaign_begin(study=study, actor=rosa, name="W", blank_set=blank_set, new_dataset="P")
    left = blank_set.blanks.exclude(sentence=aside).count()
    assert campaign.items.count() == left < blank_set.blanks.count()
    assert blank_services.pilot_create(blank_set=blank_set, actor=rosa, size=left).blanks.count() == left


def test_a_sets_page_says_its_quotas_and_asks_for_them_again(study, pick, ada, desk):
    blank_set = blank_services.blank_set_create(
        study=study,
        actor=ada,
        name="Q",
        filters=BlankFilters(operator=""),
        maximum=4,
        quotas={"up": 3, "flat": 0},
    )
    page = desk.get(reverse("blanks:set", args=[study.slug, blank_set.pk]))
    assert "at most 4" in page.content.decode() and "at most 3" in page.content.decode()
    asked = desk.get(reverse("blanks:new", args=[study.slug]) + "?" + page.context["again"]).context["pick"]
    assert [asked[name].value() for name in ("maximum_blanks", "quota_up", "quota_flat")] == ["4", "3", "0"]


def test_a_bad_blank_is_taken_out_of_its_set_on_its_page(study, pick, desk):
    blank_set = pick()
    bad, *others = blank_set.blanks.order_by("pk")
    page = desk.post(reverse("blanks:take_out", args=[study.slug, bad.pk]), {"page": "1"}, follow=True)
    assert "is taken out" in page.content.decode()
    assert list(blank_set.blanks.order_by("pk")) == others


def test_a_blank_leaves_a_campaign_that_nobody_has_begun_and_stays_where_somebody_has(study, pick, ada, ben):
    from apps.campaigns.models import Item
    from apps.campaigns.services import campaign_begin, campaign_set_state, work_next
    from apps.studies.services import participant_for

    blank_set = pick(maximum=2)
    campaign = campaign_begin(
        study=study, actor=ada, name="Writing", blank_set=blank_set, new_dataset="Pairs"
    )
    campaign_set_state(campaign=campaign, actor=ada, state="open")
    (lease,) = work_next(campaign=campaign, participant=participant_for(study, ben))
    held = lease.item
    with pytest.raises(ValidationError, match="Somebody has begun on it in “Writing”, so it stays"):
        blank_services.blank_take_out(blank=held.blank, actor=ada)
    (other,) = campaign.items.exclude(pk=held.pk)
    blank_services.blank_take_out(blank=other.blank, actor=ada)
    assert list(Item.objects.all()) == [held]
    assert blank_set.blanks.count() == 1


# ---- The pages -----------------------------------------------------------------------------------
@pytest.fixture
def desk(study, rosa, client_of):
    """Rosa's browser."""
    return client_of(rosa)


def test_the_filter_page_counts_samples_and_picks_what_it_shows(study, parsed, desk):
    url = reverse("blanks:new", args=[study.slug])
    page = desk.get(url).content.decode()
    assert '<bdi class="blank" ' in page and "blank begins" in page
    assert 'name="declarative" id="id_declarative" checked' in page
    shown = desk.get(url, {"minimum": 1, "sentence_minimum": 6, "operator": "no"}).content.decode()
    assert 'name="declarative" id="id_declarative" checked' not in shown
    hidden = {"minimum": 1, "sentence_minimum": 6, "operator": "no", "declarative": "on"}
    answer = desk.post(url, hidden | {"name": "Picked", "maximum_blanks": 2, "seed": 1}, follow=True)
    assert b"Picked" in answer.content
    picked = BlankSet.objects.get()
    assert picked.blanks.count() == 2
    assert all("|no|" in blank.constituent.operators for blank in picked.blanks.all())


def test_what_is_on_the_form_is_what_is_made_whether_it_was_counted_or_not(study, parsed, desk):
    url = reverse("blanks:new", args=[study.slug])
    counted_first = {"minimum": 1, "sentence_minimum": 6, "direction": "up"}
    assert desk.get(url, counted_first).context["numbers"].directions["down"] == 0
    desk.post(url, counted_first | {"direction": "down", "name": "Changed since", "seed": 1})
    made = BlankSet.objects.get().blanks
    assert set(made.values_list("polarity", flat=True)) == {"down"}


def test_counting_keeps_what_was_typed_about_the_set(study, parsed, desk):
    url = reverse("blanks:new", args=[study.slug])
    typed = {"minimum": 2, "sentence_minimum": 6, "direction": "down", "name": "Mine", "maximum_blanks": 7}
    page = desk.post(url, typed | {"quota_up": 0, "seed": 3, "count": "yes"}, follow=True)
    assert not BlankSet.objects.exists()
    assert set(page.context["numbers"].directions) == {"up", "down", "flat"}
    form, pick = page.context["form"], page.context["pick"]
    assert (form["direction"].value(), form["minimum"].value()) == ("down", "2")
    assert [pick[name].value() for name in ("name", "maximum_blanks", "quota_up", "seed")] == [
        "Mine",
        "7",
        "0",
        "3",
    ]


def test_a_quota_limits_a_direction_and_none_leaves_it_out(study, parsed, desk):
    url = reverse("blanks:new", args=[study.slug])
    filters = {"minimum": 1, "sentence_minimum": 1, "operator": ""}
    desk.post(url, filters | {"name": "Two down", "quota_up": 0, "quota_down": 2, "quota_flat": 1, "seed": 1})
    made = list(BlankSet.objects.get().blanks.values_list("polarity", flat=True))
    assert (made.count("up"), made.count("down"), made.count("flat")) == (0, 2, min(1, made.count("flat")))
    assert BlankSet.objects.get().filters["quotas"] == {"up": 0, "down": 2, "flat": 1}


def test_operators_can_be_left_out(study, parsed):
    everything = candidates(study=study, filters=BlankFilters())
    assert any("|no|" in c.operators for c in Constituent.objects.filter(pk__in=[i.pk for i in everything]))
    left = candidates(study=study, filters=BlankFilters(without=("no",)))
    chains = Constituent.objects.filter(pk__in=[item.pk for item in left]).values_list("operators", flat=True)
    assert chains and not [chain for chain in chains if "|no|" in chain]


def test_every_category_is_named_in_words(study, parsed, desk):
    page = desk.get(reverse("blanks:new", args=[study.slug])).content.decode()
    assert "NBAR, noun phrase without its determiner (" in page
    offered = desk.get(reverse("blanks:new", args=[study.slug])).context["form"].fields["categories"].choices
    assert [title for name, title in offered if not title.startswith(f"{name}, ")] == []


def test_the_same_filters_can_be_asked_for_again(study, pick, desk):
    blank_set = pick(direction="down", minimum=2, stop_list=False)
    page = desk.get(reverse("blanks:set", args=[study.slug, blank_set.pk]))
    query = page.context["again"]
    form = desk.get(reverse("blanks:new", args=[study.slug]) + "?" + query).context["form"]
    assert form.filters() == BlankFilters.from_json(blank_set.filters)


@pytest.mark.parametrize("bad", [{"minimum": "x"}, {"minimum": 3, "maximum": 2}, {"operator": "nonsense"}])
def test_bad_filters_are_said_and_count_nothing(bad, study, parsed, desk):
    query = {"minimum": 1, "sentence_minimum": 6} | bad
    page = desk.get(reverse("blanks:new", args=[study.slug]), query)
    assert page.status_code == 200 and b"errorlist" in page.content and "numbers" not in page.context


def test_the_stop_list_page_adds_and_removes(study, desk):
    url = reverse("blanks:stop_list", args=[study.slug])
    for expression in ("No time", "no  TIME", "<b>every one</b>"):
        desk.post(url, {"expression": expression})
    assert StopExpression.objects.count() == 2
    assert b"<b>every" not in desk.get(url).content
    entry = StopExpression.objects.get(expression="no time")
    desk.post(reverse("blanks:stop_remove", args=[study.slug, entry.pk]))
    assert not StopExpression.objects.filter(pk=entry.pk).exists()


def test_sets_of_another_study_are_404(study, pick, olaf, client_of):
    blank_set = pick()
    other = olaf.memberships.first().study
    for name in ("blanks:set", "blanks:pilot", "blanks:proposals"):
        url = reverse(name, args=[other.slug, blank_set.pk])
        method = client_of(olaf).get if name == "blanks:set" else client_of(olaf).post
        assert method(url).status_code == 404


def test_a_pilot_is_drawn_on_the_sets_page(study, pick, desk):
    blank_set = pick()
    page = desk.post(
        reverse("blanks:pilot", args=[study.slug, blank_set.pk]), {"size": 3, "seed": 1}, follow=True
    )
    assert b"pilot 1" in page.content
    assert blank_set.pilots.get().blanks.count() == 3


def test_each_operator_counts_what_its_filter_finds(study, parsed):
    """However often it stands above a constituent: under two negations there is one constituent."""
    from apps.corpora.blank_selectors import choices_of, constituents_of

    Constituent.objects.filter(operators__contains="|no|").update(operators="|no|no|")
    (group, *_others) = marking_groups(study=study)
    counts = dict(choices_of(study, group).operators)
    assert counts["no"]
    for operator, count in counts.items():
        found = constituents_of(study, group).filter(operators__contains=f"|{operator}|")
        assert found.count() == count


def test_a_blank_that_is_taken_out_twice_is_said_to_be_out_already(study, pick, desk, ada):
    blank_set = pick()
    blank = blank_set.blanks.first()
    take_out = reverse("blanks:take_out", args=[study.slug, blank.pk])
    desk.post(take_out)
    again = desk.post(take_out, follow=True)
    assert again.status_code == 200 and "is out of the set already" in again.content.decode()
    assert again.redirect_chain[-1][0] == reverse("blanks:set", args=[study.slug, blank_set.pk])
    assert desk.post(reverse("blanks:take_out", args=[study.slug, 999_999])).status_code == 404
    with pytest.raises(ValidationError, match="out of the set already"):
        blank_services.blank_take_out(blank=blank, actor=ada)
