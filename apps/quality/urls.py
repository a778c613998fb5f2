from django.urls import path

from apps.quality import people_views, question_views, rule_views, views

app_name = "quality"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("eligibility/", views.eligibility_page, name="eligibility"),
    path("checks/", views.checks_page, name="checks"),
    path("checks/start/", views.checks_start, name="checks_start"),
    path("tests/", question_views.tests_page, name="tests"),
    path("tests/settings/", question_views.tests_settings, name="tests_settings"),
    path("tests/import/", question_views.tests_import, name="tests_import"),
    path("tests/<int:question_pk>/", question_views.test_page, name="test"),
    path("tests/<int:question_pk>/state/", question_views.test_state, name="test_state"),
    path("rules/", rule_views.rules_page, name="rules"),
    path("rules/<int:rule_pk>/active/", rule_views.rule_active, name="rule_active"),
    path("actions/", rule_views.actions_page, name="actions"),
    path("actions/<int:action_pk>/undo/", rule_views.action_undo, name="action_undo"),
    path("people/", people_views.people, name="people"),
    path("people/estimate/", people_views.estimate, name="estimate"),
    path("people/<int:participant_pk>/", people_views.person, name="person"),
    path("people/<int:participant_pk>/act/", people_views.act, name="act"),
    path("people/<int:participant_pk>/block/", people_views.block, name="block"),
    path("people/<int:participant_pk>/unblock/", people_views.unblock, name="unblock"),
    path("people/<int:participant_pk>/forget/", people_views.forget_declaration, name="forget"),
]
