"""What each operation makes of a sentence, and the label that the place gives."""

ENTAILED, NOT = "entailment", "non-entailment"


def test_a_hypernym_follows_upwards_and_not_downwards(changed):
    assert changed("substitute", "The dog barked.")["The animal barked."] == ENTAILED
    assert changed("substitute", "No dog barked loudly.")["No animal barked loudly."] == NOT


def test_a_hyponym_follows_downwards(changed):
    assert changed("substitute", "Every animal is hungry.")["Every dog is hungry."] == ENTAILED


def test_nothing_follows_at_a_non_monotone_place(changed):
    found = changed("substitute", "Exactly three dogs barked.")
    assert found["Exactly three animals barked."] == NOT


def test_number_and_article_are_kept(changed):
    assert "An animal that bites is dangerous." in changed("substitute", "A dog that bites is dangerous.")
    assert "Some dogs barked." in changed("substitute", "Some animals barked.")


def test_modifiers_are_dropped(changed):
    assert changed("shorten", "Tom saw a small dog in the park.")["Tom saw a dog in the park."] == ENTAILED
    assert changed("shorten", "A dog that bites is dangerous.") == {"A dog is dangerous.": ENTAILED}
    assert changed("shorten", "No dog barked loudly.") == {"No dog barked.": NOT}
    assert changed("shorten", "Mary slept in the garden.") == {"Mary slept.": ENTAILED}


def test_the_article_follows_a_dropped_adjective(changed):
    assert "Tom saw an apple." in changed("shorten", "Tom saw an old apple.")


def test_only_what_the_corpus_joined_to_a_word_is_added(changed):
    assert changed("extend", "Tom slept.") == {"Tom slept in the garden.": NOT}
    added = changed("extend", "The dog barked.")
    assert added["The small dog barked."] == NOT
    assert added["The dog that bites barked."] == NOT
    assert added["The dog barked loudly."] == NOT
    assert not [text for text in changed("extend", "The boy barked.") if "small" in text or "bites" in text]


def test_a_conjunct_goes_and_comes(changed):
    assert changed("conjunction", "Mary bought a book and a pen.")["Mary bought a book."] == ENTAILED
    assert changed("conjunction", "Tom laughed.")["Tom and Mary laughed."] == NOT


def test_an_alternative_goes_and_comes(changed):
    assert changed("disjunction", "Ann doesn't eat apples or pears.")["Ann doesn't eat apples."] == ENTAILED
    assert changed("disjunction", "Ann ate an apple.")["Ann ate an apple or a pear."] == ENTAILED
    assert changed("disjunction", "Tom laughed.")["Tom or Mary laughed."] == ENTAILED


def test_operators_are_never_touched(corpus):
    from natlog.generation.structure import Structure

    maker, markings = corpus
    for marking in markings.values():
        structure = Structure(marking)
        for change in maker.changes(structure):
            words = set(range(change.start, change.end)) & structure.operators
            assert {structure.word(index) for index in words} <= {"a", "an", "the", "or", "and"}
