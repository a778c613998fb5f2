from django.urls import path

from apps.corpora import draft_views, views

app_name = "corpora"
urlpatterns = [
    path("", views.corpus_list, name="list"),
    path("new/", draft_views.draft_new, name="new"),
    path("drafts/discard/", draft_views.drafts_discard, name="drafts_discard"),
    path("drafts/<int:pk>/", draft_views.draft_page, name="draft"),
    path("drafts/<int:pk>/encoding/", draft_views.draft_encoding, name="draft_encoding"),
    path("drafts/<int:pk>/column/", draft_views.draft_column, name="draft_column"),
    path("drafts/<int:pk>/commit/", draft_views.draft_commit, name="draft_commit"),
    path("drafts/<int:pk>/discard/", draft_views.draft_discard, name="draft_discard"),
    path("<int:pk>/", views.corpus_page, name="corpus"),
    path("<int:pk>/parse/", views.corpus_parse, name="parse"),
    path("<int:pk>/sample/", views.sample_draw, name="sample_draw"),
    path("sentences/<int:pk>/", views.sentence_page, name="sentence"),
    path("sentences/<int:pk>/aside/", views.sentence_aside, name="aside"),
    path("samples/<int:pk>/", views.sample_page, name="sample"),
    path("checks/<int:pk>/", views.check_record, name="check"),
]
