"""``manage.py import_corpus`` does what the upload pages do, and says clearly why where it does not."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.corpora.models import Constituent, Corpus, CorpusDraft, Parse, Sentence


@pytest.fixture
def command(study, tmp_path):
    """Run the command on a file of this content; returns what it printed."""

    def run(content: str | bytes, name: str = "dogs.txt", *options: str) -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        out = StringIO()
        call_command("import_corpus", study.slug, str(path), *options, stdout=out, stderr=out)
        return out.getvalue()

    return run


def test_sentences_are_stored_and_counted(command):
    printed = command("Dogs run.\nCats sleep.\nDogs run.\n", "dogs.txt", "--licence", "CC0", "--source", "me")
    assert "3 items: 2 new, 1 duplicates in the file, 0 already stored" in printed
    corpus = Corpus.objects.get()
    assert (corpus.name, corpus.licence, corpus.source) == ("dogs", "CC0", "me")


def test_the_same_file_twice_leaves_the_same_rows(command):
    command("Dogs run.\nCats sleep.\n")
    assert "0 new, 0 duplicates in the file, 2 already stored" in command("Dogs run.\nCats sleep.\n")
    assert Sentence.objects.count() == 2


@pytest.mark.parametrize("column", ["premise", "2"])
def test_a_column_is_named_by_header_or_number(column, command):
    command("id,premise\n1,Dogs run.\n", "dogs.csv", "--column", column)
    assert Sentence.objects.get().text == "Dogs run."


@pytest.mark.parametrize(
    ("content", "name", "options", "said"),
    [
        ("id,Premise \n1,Dogs run.\n", "d.csv", ["--column", "Premise"], "number: 2."),
        ("id,text\n1,Dogs run.\n", "d.csv", [], "The headers found: 1 “id”, 2 “text”"),
        ("id,text\n1,Dogs run.\n2\n", "d.csv", ["--column", "text"], "row 2 (line 3), column “text”"),
        (b"Caf\xe9s open.\n", "d.txt", [], "add --encoding cp1252"),
        (b"Dogs\x00run.\n", "d.txt", [], "NUL"),
    ],
)
def test_bad_input_is_refused_with_the_reason_and_nothing_is_left(content, name, options, said, command):
    with pytest.raises(CommandError) as refusal:
        command(content, name, *options)
    assert said in str(refusal.value)
    assert not Sentence.objects.exists() and not CorpusDraft.objects.exists()


def test_bad_rows_are_skipped_when_asked_and_listed(command):
    printed = command("id,text\n1,Dogs run.\n2\n", "d.csv", "--column", "text", "--skip-bad")
    assert "skipped: row 2 (line 3)" in printed and "1 new" in printed


def test_a_first_row_that_reads_like_a_sentence_is_said_to_be_taken_as_names(command):
    content = "1,No dog barked.\n2,Cats sleep.\n"
    assert "Row 1 is taken as names: “1”, “No dog barked.”" in command(content, "d.csv", "--column", "2")
    assert "taken as names" not in command(content, "e.csv", "--column", "2", "--no-header")
    assert Corpus.objects.get(name="e").sentences.count() == 2


@pytest.mark.parametrize("content", ["", "\n\n", "text\n"])
def test_a_file_without_sentences_is_0_items(content, command):
    assert "0 items" in command(content, "d.csv")


def test_an_unknown_study_or_file_is_an_error(study, tmp_path):
    with pytest.raises(CommandError, match="There is no study “nowhere”"):
        call_command("import_corpus", "nowhere", str(tmp_path / "no.txt"))
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_corpus", study.slug, str(tmp_path / "no.txt"))


def test_the_whole_of_the_parallel_meaning_bank_is_parsed_and_kept_apart_by_kind(command, shared_data):
    content = (shared_data / "pmb_sentences.txt").read_bytes()
    printed = command(content, "pmb.txt", "--parse", "--licence", "open data", "--source", "PMB")
    assert "5763 items: 5763 new" in printed
    assert "Parsed: 5763 sentences, 0 failed" in printed
    assert Parse.objects.count() == 5_763
    questions = Parse.objects.filter(sentence__text__endswith="?")
    assert questions.filter(kind="question").count() == questions.count()
    assert Constituent.objects.filter(rewritable=True).count() > 10_000
