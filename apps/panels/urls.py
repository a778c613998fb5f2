from django.urls import path

from apps.panels import views as views

app_name = "panels"
urlpatterns = [
    path("", views.panel_page, name="panel"),
    path("settings/", views.panel_settings, name="settings"),
    path("consent/", views.consent, name="consent"),
    path("ledger/", views.ledger, name="ledger"),
    path("ledger/bonus/<int:participant_pk>/", views.bonus, name="bonus"),
    path("ledger/payouts/", views.payout_new, name="payout_new"),
    path("ledger/payouts/<int:number>/paid/", views.payout_paid, name="payout_paid"),
    path("ledger/payouts/<int:number>/cancel/", views.payout_cancel, name="payout_cancel"),
    path("ledger/payouts/<int:number>.csv", views.payout_csv, name="payout_csv"),
]
