"""The API's addresses, each app's own under ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from rest_framework.routers import SimpleRouter

from apps.api.docs import docs, not_found
from apps.campaigns.api import CampaignViewSet, JudgementViewSet
from apps.corpora.api import BlankSetViewSet, BlankViewSet, CorpusViewSet, SentenceViewSet
from apps.datasets.api import DatasetViewSet, PairViewSet, ReleaseViewSet
from apps.datasets.importing.api import PairDraftViewSet
from apps.inference.api import ModelViewSet, PredictionViewSet, RunViewSet
from apps.jobs.api import JobViewSet
from apps.studies.api import StudyViewSet
from apps.webhooks.api import DeliveryViewSet, WebhookViewSet

router = SimpleRouter()
for name, viewset, basename in (
    ("studies", StudyViewSet, "study"),
    ("corpora", CorpusViewSet, "corpus"),
    ("sentences", SentenceViewSet, "sentence"),
    ("blank-sets", BlankSetViewSet, "blank-set"),
    ("blanks", BlankViewSet, "blank"),
    ("campaigns", CampaignViewSet, "campaign"),
    ("judgements", JudgementViewSet, "judgement"),
    ("datasets", DatasetViewSet, "dataset"),
    ("pairs", PairViewSet, "pair"),
    ("models", ModelViewSet, "model"),
    ("runs", RunViewSet, "run"),
    ("predictions", PredictionViewSet, "prediction"),
    ("releases", ReleaseViewSet, "release"),
    ("jobs", JobViewSet, "job"),
    ("webhooks", WebhookViewSet, "webhook"),
    ("webhook-deliveries", DeliveryViewSet, "webhook-delivery"),
    ("pair-drafts", PairDraftViewSet, "pair-draft"),
):
    router.register(name, viewset, basename)

urlpatterns: list[URLPattern | URLResolver] = [
    path("docs/", docs, name="api_docs"),
    path("", include((router.urls, "api"))),
    re_path("", not_found),
]
