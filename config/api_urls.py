"""The API's addresses, each app's own under ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.utils import extend_schema
from rest_framework.routers import SimpleRouter

from apps.api.docs import docs, docs_of, not_found
from apps.api.studies import StudyViewSet
from apps.api.trail import EventViewSet
from apps.campaigns.api import CampaignViewSet as CampaignsOwn
from apps.campaigns.api import ItemViewSet, JudgementViewSet
from apps.corpora.api import CheckViewSet, CorpusViewSet, SampleViewSet, SentenceViewSet
from apps.corpora.blank_api import BlankSetViewSet, BlankViewSet, StopExpressionViewSet
from apps.corpora.draft_api import DraftViewSet
from apps.curation.adjudication_api import WithAdjudication
from apps.curation.api import DatasetViewSet, PairViewSet
from apps.curation.bulk_edit_api import PairEditViewSet
from apps.dashboard.agreement_api import AgreementView
from apps.dashboard.api import ComparisonView, CompositionView
from apps.dashboard.artifacts_api import ArtifactsView
from apps.dashboard.breakdown_api import BreakdownView, SoftLabelsView
from apps.dashboard.changes_api import SidesView
from apps.dashboard.model_api import ContrastsView, HardPairsView
from apps.dashboard.norm_api import NormAgainstView, NormViewSet
from apps.dashboard.report_api import StudyReportPdfView, StudyReportView
from apps.experiments.api import ExperimentViewSet
from apps.experiments.protocol_api import OwnProtocolViewSet
from apps.generation.api import MachineBatchViewSet
from apps.imports.api import PairDraftViewSet
from apps.imports.predictions.api import PredictionDraftViewSet
from apps.inference.api import ModelViewSet, PredictionViewSet, RunViewSet
from apps.inference.training_api import LearningCurveViewSet, TrainingSetViewSet, TrainingViewSet
from apps.jobs.api import JobViewSet
from apps.panels.api import BonusViewSet, PanelViewSet, PayoutViewSet, VisitViewSet
from apps.people.api import InvitationViewSet, MemberViewSet
from apps.quality.api import FlagViewSet, RuleViewSet, TestAnswerViewSet, TestQuestionViewSet
from apps.quality.campaign_api import WithQuality
from apps.quality.people_api import ActionViewSet, AnnotatorViewSet
from apps.releases.api import GoldRuleViewSet, ReleaseViewSet
from apps.reports.api import ReportViewSet
from apps.testbeds.api import TestbedViewSet
from apps.webhooks.api import DeliveryViewSet, WebhookViewSet


@extend_schema(tags=["campaigns"])
class CampaignViewSet(WithQuality, WithAdjudication, CampaignsOwn):
    """Campaigns and how far they are."""


router = SimpleRouter()
for name, viewset, basename in (
    ("studies", StudyViewSet, "study"),
    ("members", MemberViewSet, "member"),
    ("invitations", InvitationViewSet, "invitation"),
    ("events", EventViewSet, "event"),
    ("corpus-drafts", DraftViewSet, "corpus-draft"),
    ("corpora", CorpusViewSet, "corpus"),
    ("sentences", SentenceViewSet, "sentence"),
    ("parse-samples", SampleViewSet, "parse-sample"),
    ("parse-checks", CheckViewSet, "parse-check"),
    ("blank-sets", BlankSetViewSet, "blank-set"),
    ("blanks", BlankViewSet, "blank"),
    ("stop-expressions", StopExpressionViewSet, "stop-expression"),
    ("campaigns", CampaignViewSet, "campaign"),
    ("items", ItemViewSet, "item"),
    ("judgements", JudgementViewSet, "judgement"),
    ("test-questions", TestQuestionViewSet, "test-question"),
    ("test-answers", TestAnswerViewSet, "test-answer"),
    ("quality-rules", RuleViewSet, "quality-rule"),
    ("quality-actions", ActionViewSet, "quality-action"),
    ("flags", FlagViewSet, "flag"),
    ("annotators", AnnotatorViewSet, "annotator"),
    ("panels", PanelViewSet, "panel"),
    ("visits", VisitViewSet, "visit"),
    ("bonuses", BonusViewSet, "bonus"),
    ("payouts", PayoutViewSet, "payout"),
    ("datasets", DatasetViewSet, "dataset"),
    ("pairs", PairViewSet, "pair"),
    ("models", ModelViewSet, "model"),
    ("runs", RunViewSet, "run"),
    ("predictions", PredictionViewSet, "prediction"),
    ("training-sets", TrainingSetViewSet, "training-set"),
    ("trainings", TrainingViewSet, "training"),
    ("learning-curves", LearningCurveViewSet, "learning-curve"),
    ("releases", ReleaseViewSet, "release"),
    ("jobs", JobViewSet, "job"),
    ("webhooks", WebhookViewSet, "webhook"),
    ("webhook-deliveries", DeliveryViewSet, "webhook-delivery"),
    ("pair-drafts", PairDraftViewSet, "pair-draft"),
    ("prediction-drafts", PredictionDraftViewSet, "prediction-draft"),
    ("pair-edits", PairEditViewSet, "pair-edit"),
    ("gold-rules", GoldRuleViewSet, "gold-rule"),
    ("machine-batches", MachineBatchViewSet, "machine-batch"),
    ("testbeds", TestbedViewSet, "testbed"),
    ("experiments", ExperimentViewSet, "experiment"),
    ("protocols", OwnProtocolViewSet, "protocol"),
    ("reports", ReportViewSet, "report"),
    ("norms", NormViewSet, "norm"),
):
    router.register(name, viewset, basename)

urlpatterns: list[URLPattern | URLResolver] = [
    path("docs/", docs, name="api_docs"),
    path("docs/<slug:tag>/", docs_of, name="api_docs_of"),
    re_path(
        r"^datasets/(?P<id>[0-9]{1,18})/composition/$", CompositionView.as_view(), name="api_composition"
    ),
    path("studies/<slug:slug>/report/", StudyReportView.as_view(), name="api_study_report"),
    path("studies/<slug:slug>/report.pdf", StudyReportPdfView.as_view(), name="api_study_report_pdf"),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/comparison/$", ComparisonView.as_view(), name="api_comparison"),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/contrasts/$", ContrastsView.as_view(), name="api_contrasts"),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/agreement/$", AgreementView.as_view(), name="api_agreement"),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/breakdown/$", BreakdownView.as_view(), name="api_breakdown"),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/soft-labels/$", SoftLabelsView.as_view(), name="api_soft_labels"),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/artifacts/$", ArtifactsView.as_view(), name="api_artifacts"),
    re_path(
        r"^datasets/(?P<id>[0-9]{1,18})/norms/(?P<norm>[0-9]{1,18})/$",
        NormAgainstView.as_view(),
        name="api_norm_against",
    ),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/sides/$", SidesView.as_view(), name="api_sides"),
    re_path(r"^datasets/(?P<id>[0-9]{1,18})/hard-pairs/$", HardPairsView.as_view(), name="api_hard_pairs"),
    path("", include((router.urls, "api"))),
    re_path("", not_found),
]
