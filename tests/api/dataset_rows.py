"""One of everything that stands around pairs: files on their way in, edits, gold rules, webhooks."""

import zlib
from dataclasses import asdict

from django.utils import timezone

from apps.curation.models import BulkChange, BulkEdit
from apps.dashboard.models import Norm
from apps.datasets.models import Dataset
from apps.experiments.models import Experiment, OwnProtocol
from apps.experiments.protocols import protocols
from apps.generation.models import MachineBatch
from apps.generation.options import MachineOptions
from apps.imports.predictions.services import predictions_draft_create, predictions_preview
from apps.imports.services import draft_create, draft_preview
from apps.inference.models import LearningCurve, Training, TrainingEpoch, TrainingRun, TrainingSet
from apps.releases.models import GoldRule
from apps.reports.models import BalanceReport
from apps.testbeds.models import Testbed
from apps.webhooks.models import Delivery, Event, Webhook

PROTOCOL = protocols()["transitivity_random"]
FILE = b"premise\thypothesis\tlabel\nNo cats bark.\tNo old cats bark.\tentailment\n"


def add_dataset_work(study, number, blank, pair):
    draft = draft_create(
        study=study, actor=None, file_name=f"{number}.tsv", chunks=[FILE], name=f"new dataset {number}"
    )
    edit = BulkEdit.objects.create(
        dataset=pair.dataset, action="add", tag="odd", ticked=[pair.pk], matched=1, changed=1,
        finished_at=timezone.now(),
    )  # fmt: skip
    BulkChange.objects.create(edit=edit, pair=pair, source="hand")
    corpus = blank.sentence.corpus
    batch = MachineBatch.objects.create(
        dataset=pair.dataset,
        corpus=corpus,
        corpus_name=corpus.name,
        options=MachineOptions().stored(),
        last_sentence=blank.sentence_id,
        cells=[["shorten", "upward", "entailment", 1]],
    )
    return {
        "machine-batches": batch,
        **add_training(study, number),
        "testbeds": Testbed.objects.create(
            dataset=Dataset.objects.create(study=study, name=f"testbed {number}"), kind="systematicity",
            size=1, seed=1, engine_version="natlog",
        ),
        "experiments": Experiment.objects.create(
            study=study, name=f"experiment {number}", protocol="small", preset="smoke",
            spec={
                "name": f"experiment {number}", "protocol": dict(PROTOCOL.data), "text": PROTOCOL.text,
                "sha256": PROTOCOL.fingerprint, "roles": {}, "keeps": False,
                "sizes": {**asdict(PROTOCOL.presets["smoke"]), "networks": [], "options": {}}, "versions": {},
            },
        ),
        "protocols": OwnProtocol.objects.create(
            study=study, name=f"own_{number}", text=PROTOCOL.text, fingerprint=PROTOCOL.fingerprint,
        ),
        "reports": BalanceReport.objects.create(dataset=pair.dataset, labels="file"),
        "norms": Norm.objects.create(
            study=study, name=f"norm {number}", source="ourselves", numbers={"know": 1.5}, size=1
        ),
        "pair-drafts": draft_preview(draft=draft, actor=None),
        "prediction-drafts": predictions_preview(
            draft=predictions_draft_create(
                dataset=pair.dataset, actor=None, model_name="Elsewhere", file_name=f"said {number}.csv",
                chunks=[f"pair_id,label\n{pair.pk},entailment\n".encode()],
            ),
            actor=None,
        ),
        "pair-edits": edit,
        "gold-rules": GoldRule.objects.create(
            study=study, name=f"rule {number}", version=1, kind="mace",
            parameters={"judgements": 1, "posterior": 0.8, "unnatural": "most"},
        ),
    }  # fmt: skip


def add_training(study, number):
    spec = {"sizes": [50], "directions": ["upward"], "ratios": [], "ratio_size": None}
    curve = LearningCurve.objects.create(study=study, name=f"curve {number}", spec=spec)
    part = {"label": {"entailment": 1}, "direction": {"upward": 1}, "source": {"d": 1}}
    training_set = TrainingSet.objects.create(
        study=study,
        name=f"curve {number}, 50 upward",
        curve=curve,
        rows=zlib.compress(b""),
        spec={
            "sources": [{"source": "dataset:1", "name": "d", "count": 1, "share": None, "upward": 1.0}],
            "labels": "two-way",
            "seed": 1,
        },
        counts={"train": part},
        overlap=[],
        fingerprint="0" * 64,
    )
    training = Training.objects.create(
        study=study,
        name=f"training {number}",
        training_set=training_set,
        network="esim",
        options={"epochs": 1, "dropouts": [], "sizes": {"hidden": 5}},
    )
    TrainingEpoch.objects.create(
        training=training, run=0, number=1, loss=0.5, train_accuracy=0.5, validation_accuracy=0.5, seconds=1
    )
    TrainingRun.objects.create(
        training=training,
        run=0,
        seed=1,
        best_epoch=1,
        parameters=1,
        seconds=1,
        scores={"d": {"all": [1, 2], "upward": [1, 2]}},
    )
    return {"training-sets": training_set, "trainings": training, "learning-curves": curve}  # fmt: skip


def add_webhook(study, number):
    webhook = Webhook.objects.create(
        study=study,
        address=f"https://lab.example.org/{number}",
        events=["release.ready"],
        secret="whsec_c2VjcmV0",
        server="https://polarlab.example.org",
    )
    event = Event.objects.create(study=study, type="webhook.test", at=timezone.now(), is_dealt=True)
    delivery = Delivery.objects.create(webhook=webhook, event=event, next_at=timezone.now())
    return {"webhooks": webhook, "webhook-deliveries": delivery}
