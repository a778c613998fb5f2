"""A corpus' page, a sentence's tree and reasons, and samples checked by hand."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.corpora import draft_services, selectors, services
from apps.corpora.models import Constituent, ParseCheck, Sentence
from apps.studies.access import within

pytestmark = pytest.mark.both


@pytest.fixture
def desk(study, rosa, client_of):
    """Rosa's browser: ``desk(name, *arguments, **query)`` is the page's text."""
    client = client_of(rosa)

    def get(name, *arguments, **query):
        response = client.get(reverse(name, args=[study.slug, *arguments]), query)
        assert response.status_code == 200
        return response.content.decode()

    get.client = client
    return get


# ---- Who sees them -------------------------------------------------------------------------------
def addresses(study, parsed):
    sentence = parsed.sentences.first()
    sample = services.parse_sample_draw(
        corpus=parsed,
        actor=study.created_by,
        size=2,
        seed=1,
        group=selectors.marking_groups(study=study)[0],
    )
    return [
        ("get", "corpora:list", []),
        ("get", "corpora:new", []),
        ("get", "corpora:corpus", [parsed.pk]),
        ("get", "corpora:draft", [parsed.drafts.get().pk]),
        ("get", "corpora:sentence", [sentence.pk]),
        ("get", "corpora:sample", [sample.pk]),
        ("post", "corpora:parse", [parsed.pk]),
        ("post", "corpora:sample_draw", [parsed.pk]),
        ("post", "corpora:check", [sample.checks.first().pk]),
        ("post", "corpora:draft_commit", [parsed.drafts.get().pk]),
        ("post", "corpora:draft_discard", [parsed.drafts.get().pk]),
        ("get", "blanks:list", []),
        ("get", "blanks:new", []),
        ("get", "blanks:stop_list", []),
    ]


def test_researchers_alone_reach_them_and_others_objects_are_404(study, parsed, rosa, ben, olaf, client_of):
    other = olaf.memberships.first().study
    for method, name, arguments in addresses(study, parsed):
        url = reverse(name, args=[study.slug, *arguments])
        assert getattr(client_of(rosa), method)(url).status_code in (200, 302), name
        assert getattr(client_of(ben), method)(url).status_code == 403, name
        assert getattr(client_of(olaf), method)(url).status_code == 404, name
        if arguments:
            smuggled = reverse(name, args=[other.slug, *arguments])
            assert getattr(client_of(olaf), method)(smuggled).status_code == 404, name


# ---- The corpus ----------------------------------------------------------------------------------
def test_the_kinds_are_counted_and_filtered(desk, parsed):
    page = desk("corpora:corpus", parsed.pk)
    assert "8: 5 declarative, 1 question, 1 imperative, 1 fragment" in page
    page = desk("corpora:corpus", parsed.pk, kind="question")
    assert (
        "page" in page and page.split("<table")[1].count('class="chip') == 10
    )  # the ten tokens of the one question


def test_sentences_are_searched_for(desk, parsed):
    page = desk("corpora:corpus", parsed.pk, q="GUEST")
    assert ">guest</bdi>" in page and ">student</bdi>" not in page
    assert "No sentence is like this" in desk("corpora:corpus", parsed.pk, q="giraffe")


def test_before_parsing_the_page_offers_it_and_while_parsing_shows_the_job(desk, corpus, ada):
    page = desk("corpora:corpus", corpus.pk)
    assert "Parse and polarise" in page and "8 not parsed" in page
    job = services.corpus_parse(corpus=corpus, actor=ada)
    page = desk("corpora:corpus", corpus.pk)
    assert f'id="job-{job.pk}"' in page and "Cancel" in page
    assert reverse("corpora:parse", args=[corpus.study.slug, corpus.pk]) not in page


def test_the_page_costs_few_queries(desk, parsed, django_assert_max_num_queries):
    with django_assert_max_num_queries(20):
        desk("corpora:corpus", parsed.pk)


# ---- The sentence --------------------------------------------------------------------------------
def constituent(text, within):
    return Constituent.objects.get(text=text, marking__parse__sentence__text__startswith=within)


def test_a_sentence_shows_its_tree_and_its_constituents(desk, parsed):
    sentence = Sentence.objects.get(text__startswith="No student")
    page = desk("corpora:sentence", sentence.pk)
    assert "<svg" in page and "style=" not in page and "<style" not in page
    assert '<bdi lang="en" translate="no">reads old books</bdi>' in page


def test_a_chosen_constituent_says_why(desk, parsed):
    chosen = constituent("small dog", "Every")
    sentence = chosen.marking.parse.sentence
    page = " ".join(desk("corpora:sentence", sentence.pk, c=chosen.pk).split())
    assert (
        '“<strong translate="no">Every</strong>” makes its first argument (the phrase it belongs to)' in page
    )
    assert '<bdi class="blank" translate="no">small dog</bdi>' in page


def test_a_nested_chain_is_multiplied_out(bring_in, ada, work, desk):
    corpus = draft_services.draft_commit(
        draft=bring_in("Tom never met every old friend.\n"), actor=ada
    ).corpus
    services.corpus_parse(corpus=corpus, actor=ada)
    work()
    chosen = constituent("old friend", "Tom never")
    assert chosen.polarity == "up" and chosen.operators == "|not|every|"
    page = desk("corpora:sentence", chosen.marking.parse.sentence_id, c=chosen.pk)
    assert "Together:" in page and "so far" in page


def test_a_constituent_of_another_sentence_is_a_404(study, parsed, rosa, client_of):
    chosen = constituent("small dog", "Every")
    other = Sentence.objects.get(text__startswith="No student")
    url = reverse("corpora:sentence", args=[study.slug, other.pk])
    for query in ({"c": chosen.pk}, {"m": chosen.marking_id}, {"c": "x"}):
        assert client_of(rosa).get(url, query).status_code == 404


def test_markings_under_two_conventions_stand_side_by_side(desk, parsed, ada, work):
    services.corpus_parse(corpus=parsed, actor=ada, convention="med")
    work()
    sentence = Sentence.objects.get(text__startswith="If a guest")
    page = desk("corpora:sentence", sentence.pk)
    latest, first = selectors.markings_with_parses(sentence)
    assert (latest.convention, first.convention) == ("med", "default")
    assert f'href="?m={latest.pk}" aria-current' in page and f'href="?m={first.pk}">' in page
    assert f'href="?m={first.pk}" aria-current' in desk("corpora:sentence", sentence.pk, m=first.pk)
    # A definite's noun is = by MED's Table 1 and ↑ by MED's labels; nothing else differs.
    assert (
        page.count('differs"><bdi translate="no">cook</bdi>')
        == page.count("differs from the chosen marking")
        == 1
    )


def test_markup_and_right_to_left_text_stay_text_in_their_place(bring_in, ada, work, desk):
    text = "<script>alert(1)</script>\nכל כלב של Tom רץ מהר בגן.\n"
    corpus = draft_services.draft_commit(draft=bring_in(text), actor=ada).corpus
    services.corpus_parse(corpus=corpus, actor=ada)
    work()
    for sentence in corpus.sentences.all():
        page = desk("corpora:sentence", sentence.pk)
        assert "<script>alert" not in page
        assert '<p class="sentence" dir="auto" lang="en" translate="no">' in page
    assert "<script>alert" not in desk("corpora:corpus", corpus.pk)


def test_a_constituents_arrow_stands_in_its_own_cell(desk, parsed):
    chosen = constituent("small dog", "Every")
    page = desk("corpora:sentence", chosen.marking.parse.sentence_id)
    cell = page.split('<bdi lang="en" translate="no">small dog</bdi></a>')[1].partition("</td>")[0]
    assert "downward" in cell and "NBAR, noun phrase without its determiner" in cell


# ---- Samples -------------------------------------------------------------------------------------
@pytest.fixture
def sample(study, parsed, rosa):
    def draw(seed=1, size=4):
        group = selectors.marking_groups(study=study)[0]
        return services.parse_sample_draw(corpus=parsed, actor=rosa, size=size, seed=seed, group=group)

    return draw


def drawn(sample):
    return list(sample.checks.values_list("marking", flat=True))


def test_the_same_seed_draws_the_same_parses(sample):
    assert drawn(sample(seed=7)) == drawn(sample(seed=7))
    assert len({tuple(drawn(sample(seed=seed))) for seed in range(6)}) > 1
    assert len(set(drawn(sample(size=8)))) == 8
    with pytest.raises(ValidationError, match="50 can't be drawn: there are 8 parses"):
        sample(size=50)


def test_the_share_right_is_of_those_checked_and_undefined_of_none(sample, rosa):
    checked = sample()
    assert selectors.score_of(checked).share is None
    for check, verdict in zip(checked.checks.all(), ["right", "right", "wrong"], strict=False):
        services.parse_check_record(check=check, actor=rosa, verdict=verdict, note="by hand")
    score = selectors.score_of(checked)
    assert (score.right, score.checked, score.left) == (2, 3, 1)
    assert score.share == pytest.approx(2 / 3)


def test_a_word_on_a_parse_is_given_and_taken_back_on_the_page(sample, desk, study):
    check = sample().checks.first()
    url = reverse("corpora:check", args=[study.slug, check.pk])
    answer = desk.client.post(url, {"verdict": "wrong", "note": "scope of every"})
    assert answer["Location"].endswith(f"#check-{check.position}")
    page = desk("corpora:sample", check.sample_id)
    assert "0.0 %" in page and "0 of 1 checked" in page and "scope of every" in page
    desk.client.post(url, {"verdict": ""})
    assert ParseCheck.objects.get(pk=check.pk).checked_by is None
    assert "<dt>Right</dt><dd>–" in desk("corpora:sample", check.sample_id)
    desk.client.post(url, {"verdict": "perhaps"})
    assert within(ParseCheck, study).exclude(verdict="").count() == 0


def test_each_constituent_of_the_tree_leads_to_its_reasons(study, parsed, rosa, client_of):
    sentence = parsed.sentences.first()
    marking = sentence.parses.get().markings.get()
    address = reverse("corpora:sentence", args=[study.slug, sentence.pk])
    page = client_of(rosa).get(address).content.decode()
    tree = page.split("<svg")[1].split("</svg>")[0]
    constituent = marking.constituents.filter(tokens__gt=1).first()
    link = f'<a href="?m={marking.pk}&amp;c={constituent.pk}#why" aria-label="'
    assert link in tree
    why = client_of(rosa).get(address, {"m": marking.pk, "c": constituent.pk})
    assert why.context["chosen"] == constituent
