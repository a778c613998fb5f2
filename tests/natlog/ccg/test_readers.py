"""Reading derivations: C&C XML, Jigg XML, AUTO; and what happens when a file is broken."""

import pytest

from natlog.parsing.ccg import DerivationError, read_file, read_text
from natlog.tree import SentenceKind, to_dict, tree_from_dict

CANDC = r"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="candc.xml"?>
<candc>
<ccg>
 <rule type="rp" cat="S[dcl]">
  <rule type="ba" cat="S[dcl]">
   <rule type="fa" cat="NP[nb]">
    <lf start="0" span="1" word="No" lemma="no" pos="DT" cat="NP[nb]/N" />
    <lf start="1" span="1" word="dogs" lemma="dog" pos="NNS" cat="N" />
   </rule>
   <rule type="fa" cat="S[dcl]\NP">
    <lf start="2" span="1" word="chase" lemma="chase" pos="VBP" cat="(S[dcl]\NP)/NP" />
    <rule type="lex" cat="NP">
     <lf start="3" span="1" word="cats" lemma="cat" pos="NNS" cat="N" />
    </rule>
   </rule>
  </rule>
  <lf start="4" span="1" word="." lemma="." pos="." cat="." />
 </rule>
</ccg>
</candc>
"""

JIGG = r"""<?xml version='1.0' encoding='UTF-8'?>
<root><document><sentences><sentence>
<tokens>
 <token id="t0" surf="No" base="no" pos="DT" cat="NP[nb]/N"/>
 <token id="t1" surf="dogs" base="dog" pos="NNS" cat="N"/>
 <token id="t2" surf="chase" base="chase" pos="VBP" cat="(S[dcl]\NP)/NP"/>
 <token id="t3" surf="cats" base="cat" pos="NNS" cat="N"/>
 <token id="t4" surf="." base="." pos="." cat="."/>
</tokens>
<ccg root="p0" id="c0">
 <span id="p0" child="p1 p8" category="S[dcl=true]" rule="rp"/>
 <span id="p1" child="p2 p5" category="S[dcl=true]" rule="ba"/>
 <span id="p2" child="p3 p4" category="NP[nb=true]" rule="fa"/>
 <span id="p3" terminal="t0" category="NP[nb=true]/N"/>
 <span id="p4" terminal="t1" category="N"/>
 <span id="p5" child="p6 p7" category="S[dcl=true]\NP" rule="fa"/>
 <span id="p6" terminal="t2" category="(S[dcl=true]\NP)/NP"/>
 <span id="p7" child="p9" category="NP" rule="lex"/>
 <span id="p8" terminal="t4" category="."/>
 <span id="p9" terminal="t3" category="N"/>
</ccg>
</sentence></sentences></document></root>
"""

AUTO = (
    "ID=1, log probability=-0.05000000\n"
    r"(<T S[dcl] 0 2> (<T S[dcl] 0 2> "
    r"(<T NP[nb] 0 2> (<L NP[nb]/N DT DT No NP[nb]/N>) (<L N NNS NNS dogs N>) ) "
    r"(<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP VBP VBP chase (S[dcl]\NP)/NP>) "
    r"(<T NP 0 1> (<L N NNS NNS cats N>) ) ) ) (<L . . . . .>) )" + "\n"
)

EXTENDED = (
    "ID=1, log probability=-0.05000000\n"
    r"(<T S[dcl] rp 0 2> (<T S[dcl] ba 0 2> (<T NP[nb] fa 0 2> (<L NP[nb]/N No no DT O I-NP NP[nb]/N>) "
    r"(<L N dogs dog NNS O I-NP N>) ) (<T S[dcl]\NP fa 0 2> "
    r"(<L (S[dcl]\NP)/NP chase chase VBP O I-VP (S[dcl]\NP)/NP>) "
    r"(<T NP lex 0 1> (<L N cats cat NNS O I-NP N>) ) ) ) (<L . . . . O O .>) )" + "\n"
)

FORMATS = {"candc": CANDC, "jigg": JIGG, "auto": AUTO}


@pytest.mark.parametrize("format", FORMATS)
def test_the_three_formats_give_the_same_tree(format):
    (tree,) = read_text(FORMATS[format])
    assert tree.parser == format
    assert tree.text == "No dogs chase cats."
    assert [tree.text[token.start : token.end] for token in tree.tokens] == [
        "No",
        "dogs",
        "chase",
        "cats",
        ".",
    ]
    assert [token.category for token in tree.tokens] == ["NP[nb]/N", "N", r"(S[dcl]\NP)/NP", "N", "."]
    assert [(token.tag, token.pos) for token in tree.tokens] == [
        ("DT", "DET"),
        ("NNS", "NOUN"),
        ("VBP", "VERB"),
        ("NNS", "NOUN"),
        (".", "PUNCT"),
    ]
    assert [token.head for token in tree.tokens] == [1, 2, 2, 2, 2]
    spans = [(node.label, node.start, node.end) for node in tree.root.walk() if node.children]
    assert spans == [("S[dcl]", 0, 5), ("S[dcl]", 0, 4), ("NP[nb]", 0, 2), (r"S[dcl]\NP", 2, 4), ("NP", 3, 4)]
    assert tree.kind is SentenceKind.DECLARATIVE
    assert tree.confidence == 1.0


def test_a_tree_survives_storing():
    (tree,) = read_text(CANDC)
    assert tree_from_dict(to_dict(tree)) == tree


def test_files_with_lemmas_keep_them():
    for text in (CANDC, JIGG, EXTENDED):
        (tree,) = read_text(text)
        assert [token.lemma for token in tree.tokens] == ["no", "dog", "chase", "cat", "."]


def test_depccgs_c_and_c_layout_takes_the_best_of_several_derivations():
    ccg = CANDC[CANDC.index("<ccg>") : CANDC.index("</candc>")]
    two = ccg.replace("<ccg>", '<ccg sentence="1" id="1">') + ccg.replace(
        "<ccg>", '<ccg sentence="1" id="2">'
    )
    other = ccg.replace("<ccg>", '<ccg sentence="2" id="1">').replace('"No"', '"Some"')
    trees = read_text(f"<candc>{two}{other}</candc>")
    assert [tree.text for tree in trees] == ["No dogs chase cats.", "Some dogs chase cats."]


def test_jiggs_own_attribute_names_are_read():
    (tree,) = read_text(JIGG.replace("child=", "children=").replace(" category=", " symbol="))
    assert tree.root.label == "S[dcl]"


def test_auto_takes_the_best_of_several_derivations_and_reads_indented_ones():
    worse = AUTO.replace("No dogs", "Some dogs").replace("-0.05", "-7.5")
    indented = AUTO.replace("ID=1,", "ID=2,").replace(" (<T", "\n  (<T").replace(" ) )", " )\n )")
    trees = read_text(AUTO + worse + indented)
    assert [tree.text for tree in trees] == ["No dogs chase cats.", "No dogs chase cats."]


def test_auto_needs_no_id_lines():
    line = AUTO.split("\n")[1]
    assert len(read_text(f"{line}\n{line}\n\n{line}")) == 3


def test_ccgbank_header_and_brackets():
    header = "ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1\n"
    text = header + r"(<T NP 0 2> (<L LRB LRB LRB -LRB- LRB>) (<L NP NN NN 1\/2 NP>) )"
    (tree,) = read_text(text)
    assert tree.text == "(1/2"
    assert tree.kind is SentenceKind.FRAGMENT
    assert tree.confidence == 0.5


def test_without_tags_the_category_says_what_a_word_is():
    text = AUTO.replace("DT DT", "XX XX").replace("NNS NNS", "POS POS").replace("VBP VBP", "XX XX")
    (tree,) = read_text(text)
    assert [token.pos for token in tree.tokens] == ["DET", "NOUN", "VERB", "NOUN", "PUNCT"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a derivation"),
        ("Every dog barks.", "'Every dog barks.': not a derivation"),
        ("<html/>", "neither C&C"),
        ("<candc><ccg>", "line 1, XML: "),
        ("<candc></candc>", "no derivation in candc format"),
        ("<candc>\n<ccg></ccg></candc>", "line 2, <ccg>: no derivation (the parser failed)"),
        (CANDC.replace('word="dogs"', 'word=""'), "line 9, leaf 2: no word"),
        (CANDC.replace('cat="NP[nb]/N"', 'cat="NP[nb]//N"'), "line 8, leaf 'No': not a category"),
        (CANDC.replace('cat="NP[nb]">', ">"), "line 7, constituent: no category"),
        (
            CANDC.replace('<lf start="3"', '<leaf start="3"').replace("<lf ", "<lf "),
            "line 14, <leaf>: expected",
        ),
        (
            CANDC.replace("<candc>", '<!DOCTYPE c [<!ENTITY a "b">]><candc>'),
            "XML: refused: EntitiesForbidden",
        ),
        (JIGG.replace('id="p4"', 'id="x"'), "line 13, <span>: no span has the id 'p4'"),
        (JIGG.replace('child="p3 p4"', 'child="p1 p4"'), "spans don't form a tree"),
        (JIGG.replace('terminal="t1"', 'terminal="t9"'), "line 15, span p4: no token has the id 't9'"),
        (JIGG.replace('root="p0" ', ""), "<ccg>: no root attribute"),
        (JIGG.replace(' terminal="t1"', ""), "span p4: no part and no word"),
        ("ID=1\nID=2\n", "line 1, ID: no derivation"),
        (AUTO.replace(" ) ) )", " )"), "its bracket isn't closed"),
        (AUTO.replace("\n(<T", "\n(<T NP 0 1> ) (<T", 1), "line 2, constituent NP: no parts"),
        (AUTO.replace("(<L . . . . .>)", "(<L . . .>)"), "line 2, leaf 5, (<L . . .>): expected"),
        (AUTO.replace("(<L . . . . .>)", "."), "line 2, '.': expected"),
        (AUTO.rstrip() + " )\n", "line 2, ')': text after the end"),
        (AUTO.replace("<T S[dcl] 0 2>", "<T S[dcl] 0>", 1), "line 2, (<T S[dcl] 0>: expected"),
        ("(<T NP 0 1> " * 300, "more than 250 levels"),
    ],
)
def test_a_broken_file_is_named_with_the_place(text, message):
    with pytest.raises(DerivationError) as error:
        read_text(text, source="broken.txt")
    assert message in str(error.value)
    assert str(error.value).startswith("broken.txt")


def test_deep_xml_is_bounded():
    with pytest.raises(DerivationError, match="levels of nesting"):
        read_text("<candc><ccg>" + '<rule cat="N">' * 100_000)


def test_one_bad_sentence_can_be_left_out_and_reported():
    good = AUTO.split("\n")[1]
    problems: list[DerivationError] = []
    trees = read_text(f"{good}\n(<L N>)\n{good}", source="three.auto", on_error=problems.append)
    assert len(trees) == 2
    assert [(problem.source, problem.line) for problem in problems] == [("three.auto", 2)]


def test_a_file_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "latin.auto"
    path.write_bytes(b"(<L N NN NN caf\xe9 N>)")
    with pytest.raises(DerivationError, match=r"latin\.auto, byte 15: not UTF-8"):
        read_file(path)


@pytest.mark.parametrize("format", ["candc", "jigg"])
def test_every_real_file_is_read(shared_data, format):
    paths = sorted((shared_data / "ccg" / format).glob("*.xml"))
    assert len(paths) == 40
    trees = [tree for path in paths for tree in read_file(path)]
    assert {tree.parser for tree in trees} == {format}
    assert len(trees) == 99


def test_real_c_and_c_and_jigg_files_hold_the_same_derivations(shared_data):
    for path in sorted((shared_data / "ccg" / "candc").glob("*.xml")):
        jigg = read_file(shared_data / "ccg" / "jigg" / path.name)
        assert [tree.root for tree in read_file(path)] == [tree.root for tree in jigg]
