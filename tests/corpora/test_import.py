"""Bringing a file in: a draft that shows what would be stored, then one commit."""

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.corpora import draft_services, selectors
from apps.corpora.formats.readings import MAXIMUM_BYTES
from apps.corpora.formats.tables import Layout
from apps.corpora.models import Corpus, CorpusDraft, Sentence
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.both


# ---- Commit --------------------------------------------------------------------------------------
def test_a_preview_stores_nothing_and_a_commit_stores_what_it_showed(bring_in, ada):
    draft = bring_in("Dogs run.\nCats sleep.\nDogs run.\n")
    preview = selectors.preview_of(draft)
    assert (len(preview.new), len(preview.duplicates), len(preview.stored)) == (2, 1, 0)
    assert preview.duplicates[0].first == 1
    assert not Sentence.objects.exists() and not Corpus.objects.exists()
    done = draft_services.draft_commit(draft=draft, actor=ada)
    assert [s.text for s in done.corpus.sentences.all()] == ["Dogs run.", "Cats sleep."]
    assert (done.corpus.name, done.corpus.licence, done.corpus.source) == ("dogs", "CC0", "ourselves")
    assert AuditEvent.objects.get(action="corpus.imported").data["new"] == 2


def test_committing_twice_and_bringing_the_same_file_twice_change_nothing(bring_in, ada):
    draft = bring_in("Dogs run.\nCats sleep.\n")
    first = draft_services.draft_commit(draft=draft, actor=ada)
    again = draft_services.draft_commit(draft=draft, actor=ada)
    assert again.result == first.result
    same = draft_services.draft_commit(draft=bring_in("Dogs run.\nCats sleep.\n"), actor=ada)
    assert same.result["new"] == 0 and same.result["stored"] == 2
    assert Sentence.objects.count() == 2 and Corpus.objects.count() == 1


def test_a_longer_file_adds_only_what_is_new_after_what_is_there(bring_in, ada):
    draft_services.draft_commit(draft=bring_in("Dogs run.\n"), actor=ada)
    draft_services.draft_commit(draft=bring_in("Cats sleep.\nDogs run.\nBirds sing.\n"), actor=ada)
    stored = Sentence.objects.order_by("position").values_list("position", "text")
    assert list(stored) == [(1, "Dogs run."), (2, "Cats sleep."), (3, "Birds sing.")]


def test_composed_and_decomposed_letters_are_duplicates_and_the_original_is_kept(bring_in, ada):
    done = draft_services.draft_commit(draft=bring_in("Cafe\u0301s open.\nCaf\u00e9s open.\n"), actor=ada)
    assert done.result["duplicates"] == 1
    assert done.corpus.sentences.get().text == "Cafe\u0301s open."


def test_a_bad_row_stores_nothing_unless_bad_rows_are_skipped_and_listed(bring_in, ada):
    draft = bring_in("id,text\n1,Dogs run.\n2\n3,Cats sleep.\n", "dogs.csv")
    draft_services.draft_choose_column(draft=draft, actor=ada, layout=Layout(1))
    draft.refresh_from_db()
    with pytest.raises(ValidationError, match="Nothing was stored: 1 row is bad"):
        draft_services.draft_commit(draft=draft, actor=ada)
    assert not Corpus.objects.exists()
    done = draft_services.draft_commit(draft=draft, actor=ada, skip_bad=True)
    assert done.result["new"] == 2
    assert done.result["skipped_rows"] == [
        "row 2 (line 3), column “text”: Cells in this row: 1; in the first row: 2."
    ]


@pytest.mark.parametrize(
    ("content", "file_name"), [("", "no.txt"), ("\n \n\n", "no.txt"), ("", "no.csv"), ("text\n", "no.csv")]
)
def test_a_file_without_sentences_is_0_items_and_no_error(content, file_name, bring_in, ada):
    draft = bring_in(content, file_name)
    assert selectors.preview_of(draft).items == 0
    assert draft_services.draft_commit(draft=draft, actor=ada).result["new"] == 0
    assert not Corpus.objects.exists()


def test_3500_rows_are_stored(bring_in, ada):
    text = "\n".join(f"Dog number {n} runs." for n in range(3_500))
    assert draft_services.draft_commit(draft=bring_in(text), actor=ada).result["new"] == 3_500
    assert draft_services.draft_commit(draft=bring_in(text), actor=ada).result["stored"] == 3_500


# ---- The door ------------------------------------------------------------------------------------
def test_nul_characters_are_refused_with_their_lines(bring_in):
    with pytest.raises(ValidationError, match=r"NUL characters .* line 2"):
        bring_in(b"Dogs run.\nCats\x00sleep.\n")
    assert not CorpusDraft.objects.exists()


def test_a_file_over_the_limit_is_refused_with_the_limit(bring_in):
    with pytest.raises(ValidationError, match="at most 20 MB"):
        bring_in(b"x" * (MAXIMUM_BYTES + 1))


@pytest.mark.parametrize("missing", ["licence", "source"])
def test_licence_and_source_are_required(missing, bring_in):
    with pytest.raises(ValidationError, match="licence and a source"):
        bring_in("Dogs run.\n", **{missing: " "})


def test_a_corpus_takes_no_file_of_another_origin(bring_in, corpus):
    with pytest.raises(ValidationError, match="licence “CC0” and the source “ourselves”"):
        bring_in("Dogs run.\n", licence="CC BY 4.0")


def test_a_file_that_is_not_utf8_waits_for_its_encoding(bring_in, ada):
    draft = bring_in("Tom’s café is small.\n".encode("cp1252"))
    assert (draft.options["raw"], draft.options["encoding"]) == (True, "cp1252")
    with pytest.raises(ValidationError, match="Accept the encoding"):
        draft_services.draft_commit(draft=draft, actor=ada)
    accepted = draft_services.draft_accept_encoding(draft=draft, actor=ada, encoding="cp1252")
    assert draft_services.draft_commit(draft=accepted, actor=ada).corpus.sentences.get().text == (
        "Tom’s café is small."
    )


# ---- The pages -----------------------------------------------------------------------------------
@pytest.fixture
def upload(study, rosa, client_of):
    """What the upload page answers to a file."""
    client = client_of(rosa)

    def send(content: bytes, name: str = "dogs.txt", **fields):
        data = {"licence": "CC0", "source": "ourselves", "format": "", **fields}
        file = SimpleUploadedFile(name, content)
        return client.post(reverse("corpora:new", args=[study.slug]), data | {"file": file}, follow=True)

    send.client = client
    return send


def test_a_file_is_uploaded_looked_at_and_stored(upload, study):
    page = upload(b"Dogs run.\nCats sleep.\n")
    assert b"Nothing is stored yet" in page.content and b"2 items" in page.content
    draft = CorpusDraft.objects.get()
    page = upload.client.post(reverse("corpora:draft_commit", args=[study.slug, draft.pk]), follow=True)
    assert b"2 sentences stored" in page.content
    assert Sentence.objects.count() == 2


def test_pasted_sentences_come_in_the_same_way(study, rosa, client_of):
    fields = {"text": "Dogs run.\r\nCats sleep.", "name": "Pasted", "licence": "CC0", "source": "me"}
    page = client_of(rosa).post(reverse("corpora:new", args=[study.slug]), fields, follow=True)
    assert b"2 items" in page.content


def test_the_column_step_names_the_headers_found_also_padded_doubled_and_missing(upload, study):
    page = upload(b"\xef\xbb\xbfPremise ,Premise,,label\n Dogs run.,Cats sleep.,x,neutral\n", "pairs.csv")
    content = page.content.decode()
    assert '“<bdi translate="no">Premise </bdi>”' in content
    assert "1: Premise (written “Premise ”, with spaces)" in content
    assert "2: Premise (2)" in content
    assert "3: no header" in content
    assert not Sentence.objects.exists()
    url = reverse("corpora:draft_column", args=[study.slug, CorpusDraft.objects.get().pk])
    page = upload.client.post(url, {"column": "1", "id_column": "", "has_header": "on"}, follow=True)
    assert b"Cats sleep." in page.content and b"1 item" in page.content


def test_a_foreign_encoding_is_shown_read_and_asked_about(upload, study):
    page = upload("Tom’s café is small.\n".encode("cp1252"))
    content = page.content.decode()
    assert "not UTF-8" in content and "CP1252" in content and "Tom’s café is small." in content
    draft = CorpusDraft.objects.get()
    url = reverse("corpora:draft_encoding", args=[study.slug, draft.pk])
    page = upload.client.post(url, {"encoding": "cp1252"}, follow=True)
    assert "1 item" in page.content.decode()


def test_a_markup_in_text_and_name_is_shown_as_text(upload):
    page = upload(b"<script>alert(1)</script> runs.\n", "<b>dogs<b>.txt")
    assert b"<script>alert" not in page.content
    assert b"&lt;script&gt;alert(1)&lt;/script&gt; runs." in page.content
    assert b"<b>dogs" not in page.content


def test_an_empty_upload_says_0_items(upload):
    page = upload(b"")
    assert page.status_code == 200 and b"0 items" in page.content


def test_bad_rows_are_listed_and_the_commit_says_that_nothing_was_stored(upload, study):
    upload(b"text,label\nDogs run.,x\nCats sleep.\n", "dogs.csv")
    draft = CorpusDraft.objects.get()
    url = reverse("corpora:draft_column", args=[study.slug, draft.pk])
    page = upload.client.post(url, {"column": "0", "id_column": "", "has_header": "on"}, follow=True)
    assert b"Cells in this row: 1; in the first row: 2." in page.content
    commit = reverse("corpora:draft_commit", args=[study.slug, draft.pk])
    assert page.content.count(b"Store the 1 good sentence, skip the bad ones") == 1
    assert b"Nothing was stored: 1 row is bad" in upload.client.post(commit, follow=True).content
    page = upload.client.post(commit, {"skip_bad": "on"}, follow=True)
    assert b"row 2 (line 3)" in page.content and b"1 sentence stored" in page.content


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"1\tDogs\n", "no.conllu", b"There is no new sentence to store"),
        (b"Every small dog chased some cat in the garden.\n", "dogs.txt", b"is stored already"),
        (b"\n", "dogs.txt", b"0 items"),
    ],
)
def test_what_can_only_store_nothing_has_no_store_button(content, name, said, upload, corpus):
    page = upload(content, name).content
    assert said in page and b"/commit/" not in page


def test_the_preview_says_to_which_corpus_it_adds(upload, corpus):
    assert (
        'adds to “<bdi translate="no">dogs</bdi>” (8 sentences)' in upload(b"Fish swim.\n").content.decode()
    )
    assert "adds to" not in upload(b"Fish swim.\n", "fish.txt").content.decode()


def test_the_preview_says_that_a_conllu_files_own_analysis_is_not_used(upload):
    line = b"1\tRun\trun\tVERB\t_\t_\t0\troot\t_\t_\n"
    assert b"own analysis is not used" in upload(line, "run.conllu").content
    assert b"own analysis" not in upload(b"Dogs run.\n").content


def test_a_table_without_names_keeps_its_first_sentence(upload, study):
    page = upload(b"1,No dog barked.\n2,Cats sleep.\n", "dogs.csv").content.decode()
    assert "reads like a sentence" in page and "No dog barked." in page
    assert 'name="has_header" id="id_has_header" checked' not in page
    draft = CorpusDraft.objects.get()
    url = reverse("corpora:draft_column", args=[study.slug, draft.pk])
    kept = upload.client.post(url, {"column": "1", "id_column": "0"}, follow=True).content.decode()
    assert "2 items" in kept and "taken as names" not in kept
    lost = upload.client.post(url, {"column": "1", "id_column": "0", "has_header": "on"}, follow=True)
    assert (
        'row 1 is taken as names: “<bdi translate="no">1</bdi>”, “<bdi translate="no">No dog barked.</bdi>”'
        in lost.content.decode()
    )
    assert "Take it as a sentence" in lost.content.decode()


def test_a_table_of_one_row_without_names_is_one_sentence(upload):
    assert "Column with the sentences" in upload(b"1,No dog barked.\n", "dogs.csv").content.decode()


def test_the_drafts_that_the_list_shows_are_thrown_away_at_once(upload, study, olaf, client_of):
    for name in ("one.txt", "two.txt"):
        upload(b"Dogs run.\n", name)
    shown = list(CorpusDraft.objects.values_list("pk", flat=True))
    upload(b"Dogs run.\n", "since.txt")
    other = olaf.memberships.first().study
    client_of(olaf).post(reverse("corpora:drafts_discard", args=[other.slug]), {"draft": shown})
    assert CorpusDraft.objects.count() == 3
    url = reverse("corpora:drafts_discard", args=[study.slug])
    page = upload.client.post(url, {"draft": [*shown, "x"]}, follow=True).content
    assert b"2 files were thrown away" in page
    assert CorpusDraft.objects.get().file_name == "since.txt"


def test_a_draft_can_be_thrown_away(upload, study):
    upload(b"Dogs run.\n")
    draft = CorpusDraft.objects.get()
    upload.client.post(reverse("corpora:draft_discard", args=[study.slug, draft.pk]))
    assert not CorpusDraft.objects.exists()
