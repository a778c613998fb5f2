"""The learnt classifier: what it sees, how it is trained and stored, and what it reports."""

import json

import pytest
from django.core.management import CommandError, call_command

from apps.inference import learnt_files
from apps.inference.learnt_files import LearntFileError, weights_load, weights_save
from apps.inference.models import Model
from workers import training
from workers.runtimes import runtime_for
from workers.runtimes.features import NAMES, features_of, overlap
from workers.runtimes.overlap import Overlap

HEADER = "sentence1\tsentence2\tgold_label"


def tsv(tmp_path, rows, header=HEADER, name="pairs.tsv"):
    path = tmp_path / name
    path.write_text("\n".join([header, *("\t".join(row) for row in rows)]) + "\n", encoding="utf-8")
    return path


def easy(count):
    """Pairs that overlap tells apart: half keep the words, half share none."""
    alike = [
        (f"The dog number {n} runs", f"The dog number {n} runs", "entailment") for n in range(1, count, 2)
    ]
    unlike = [(f"The dog number {n} runs", "Cats sleep", "neutral") for n in range(0, count, 2)]
    return [row for rows in zip(unlike, alike, strict=True) for row in rows]


@pytest.mark.parametrize(
    ("premise", "hypothesis", "feature", "value"),
    [
        ("A dog runs.", "A black dog runs.", "words inserted over hypothesis length", 1 / 4),
        ("A black dog runs.", "A dog runs.", "words deleted over premise length", 1 / 4),
        ("A dog runs.", "A cat runs.", "words substituted over hypothesis length", 1 / 3),
        ("A dog runs.", "No dog runs.", "only one of the two negated", 1),
        ("No dog runs.", "No black dog runs.", "inserted, both negated", 1 / 4),
        ("It isn't here.", "It is here.", "premise negated", 1),
        ("Dogs chase cats.", "Cats chase dogs.", "the same words in another order", 1),
        ("A dog runs.", "A dog runs.", "the same words in another order", 0),
        ("", "", "premise length", 0),
    ],
)
def test_features(premise, hypothesis, feature, value):
    assert features_of(premise, hypothesis)[NAMES.index(feature)] == pytest.approx(value)


def test_every_feature_is_a_finite_number_whatever_the_text():
    for pair in [("", ""), ("!?", "…"), ("犬が走る。", "كلب"), ("a " * 500, "b")]:
        assert len(features_of(*pair)) == len(NAMES)
        assert all(-1000 < value < 1000 for value in features_of(*pair))
    assert overlap("A dog.", "") == 0.0


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.85, 1.0])
def test_word_overlap_says_what_it_holds_for_the_more_probable(threshold):
    words = ["a", "dog", "ran", "over", "the", "wide", "green", "field", "today"]
    said = [
        Overlap(threshold).predict([(" ".join(words[:kept]), " ".join(words))])[0]
        for kept in range(len(words) + 1)
    ]
    likely = [output.scores["entailment"] for output in said]
    assert likely == sorted(likely) and likely[0] >= 0 and likely[-1] == 1.0
    for output in said:
        assert sum(output.scores.values()) == pytest.approx(1)
        assert output.scores[output.label] == max(output.scores.values())


def test_a_file_with_parts_is_trained_on_one_and_reported_on_the_other(tmp_path):
    rows = [(*row, "TRAIN") for row in easy(20)] + [
        ("A b", "c d", "neutral", "TEST"),
        ("A b", "a b", "entailment", "TEST"),
    ]
    material = training.material_from_file(tsv(tmp_path, rows, f"{HEADER}\tSemEval_set"))
    assert (material.split, len(material.train), len(material.test)) == ("TRAIN/TEST", 20, 2)
    assert training.train(material).two_way == 1.0


def test_json_lines_have_parts_too(tmp_path):
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"sentence1": a, "sentence2": b, "gold_label": c, "split": "test" if n > 15 else "train"}
        for n, (a, b, c) in enumerate(easy(20))
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    material = training.material_from_file(path)
    assert (len(material.train), len(material.test)) == (16, 4)


def test_without_parts_one_in_five_is_held_out_and_twins_stay_together(tmp_path):
    rows = [row for a, b, label in easy(100) for row in ((a, b, label), (b, a, label))]
    material = training.material_from_file(tsv(tmp_path, rows))
    assert 0.1 < len(material.test) / 200 < 0.3
    sides = [{frozenset((e.premise, e.hypothesis)) for e in part} for part in (material.train, material.test)]
    assert not sides[0] & sides[1]


def test_training_twice_gives_the_same_file(tmp_path):
    material = training.material_from_file(tsv(tmp_path, easy(60)))
    assert weights_save(training.train(material).weights) == weights_save(training.train(material).weights)


def test_the_stored_weights_say_what_scikit_learn_says(tmp_path):
    """Prediction needs no library; it must not differ from the library's."""
    import random

    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    draw = random.Random(1)
    words = "the a dog cat no not runs sleeps black big some every".split()  # noqa: SIM905

    def sentence():
        return " ".join(draw.choices(words, k=draw.randint(3, 8)))

    rows = [
        (sentence(), sentence(), draw.choice(["entailment", "neutral", "contradiction"])) for _ in range(150)
    ]
    material = training.material_from_file(tsv(tmp_path, rows))
    matrix = [features_of(e.premise, e.hypothesis) for e in material.train]
    scaler = StandardScaler().fit(matrix)
    model = LogisticRegression(max_iter=2000).fit(scaler.transform(matrix), [e.label for e in material.train])
    probabilities = model.predict_proba(
        scaler.transform([features_of(e.premise, e.hypothesis) for e in material.test])
    )
    learnt = training.Learnt(training.train(material).weights)
    outputs = learnt.predict([(e.premise, e.hypothesis) for e in material.test])
    for output, row in zip(outputs, probabilities, strict=True):
        assert list(output.scores) == list(model.classes_)
        assert list(output.scores.values()) == pytest.approx(row.tolist(), abs=1e-4)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("A b", "a b", "entailment")] * 9, "at least one other label"),
        ([(f"A {n}", "b", "neutral") for n in range(30)], "entailment and at least"),
        ([("A b", "", "neutral")], "line 2: sentence2"),
        ([("A b", "c", "perhaps")], "line 2: label 'perhaps'"),
    ],
)
def test_material_that_teaches_nothing_is_an_error_in_words(tmp_path, rows, reason):
    with pytest.raises(training.TrainingError, match=reason):
        training.train(training.material_from_file(tsv(tmp_path, rows)))


def test_the_command_registers_the_model_and_tells_its_figures(study, tmp_path, capsys):
    call_command("train_model", study.slug, "words", str(tsv(tmp_path, easy(60))))
    told = capsys.readouterr().out
    model = Model.objects.get(study=study, name="words")
    assert "two-way" in told and "most frequent label" in told
    assert model.fingerprint in told
    assert model.config["labels"] == ["entailment", "neutral"]
    output = runtime_for(model).predict([("A dog runs", "A dog runs")])[0]
    assert output.label == "entailment"


def test_the_command_learns_from_a_dataset_of_the_study(study, make_dataset):
    rows = [(a, b, "upward", label.replace("neutral", "non-entailment"), "") for a, b, label in easy(40)]
    make_dataset("gold", rows=[*dict.fromkeys(rows)])
    call_command("train_model", study.slug, "words", dataset="gold")
    assert Model.objects.get(name="words").config["training"]["source"] == "gold"


@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        (["nowhere", "m", "f.tsv"], {}, "no study"),
        (["dogs-and-cats", "m"], {}, "either a FILE or"),
        (["dogs-and-cats", "m", "f.tsv"], {"dataset": "d"}, "either a FILE or"),
        (["dogs-and-cats", "m", "no-such-file.tsv"], {}, "no-such-file.tsv"),
        (["dogs-and-cats", "m"], {"dataset": "none"}, "no dataset"),
    ],
)
def test_the_command_says_what_is_wrong(study, arguments, options, reason):
    with pytest.raises(CommandError, match=reason):
        call_command("train_model", *arguments, **options)


@pytest.fixture
def fingerprint(tmp_path):
    return weights_save(training.train(training.material_from_file(tsv(tmp_path, easy(60)))).weights)


def stored(fingerprint):
    return learnt_files.models_dir() / f"learnt-{fingerprint}.json"


def test_a_changed_file_is_refused(fingerprint):
    path = stored(fingerprint)
    path.write_text(path.read_text().replace("entailment", "neutral"))
    with pytest.raises(LearntFileError, match="changed after training"):
        weights_load(fingerprint)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "0" * 63, "G" * 64])
def test_a_name_that_is_no_fingerprint_opens_nothing(name):
    with pytest.raises(LearntFileError, match="malformed"):
        weights_load(name)


@pytest.mark.parametrize(
    "change",
    [
        {"scales": [0.0] * len(NAMES)},
        {"intercepts": [1.0]},
        {"coefficients": [[1.0], [2.0]]},
        {"format": "another"},
        {"labels": None},
    ],
)
def test_a_malformed_file_is_refused_even_under_its_right_name(fingerprint, change):
    import hashlib

    data = {**json.loads(stored(fingerprint).read_text()), **change}
    content = json.dumps(data).encode()
    forged = hashlib.sha256(content).hexdigest()
    stored(forged).write_bytes(content)
    with pytest.raises(LearntFileError):
        weights_load(forged)


def test_on_sick_it_beats_the_most_frequent_label(shared_data):
    """Trained on SICK's TRAIN part, measured on its TEST part."""
    trained = training.train(training.material_from_file(shared_data / "sick_corrected.csv"))
    assert (trained.weights.training["pairs"], trained.weights.training["tested on"]) == (4439, 4906)
    assert trained.two_way >= 0.80 > trained.baselines[0]
    assert trained.full >= 0.76 > trained.baselines[1]
