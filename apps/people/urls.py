from django.contrib.auth.views import LogoutView
from django.urls import path

from apps.people import views

app_name = "people"
urlpatterns = [
    path("sign-in/", views.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("link/<str:token>/", views.link, name="link"),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
    path("password/forgotten/", views.password_forgotten, name="password_forgotten"),
    path("password/<str:token>/", views.password_reset, name="password_reset"),
    path("language/", views.language, name="language"),
    path("profile/", views.profile, name="profile"),
    path("profile/password/", views.password, name="password"),
    path("profile/leave/<slug:slug>/", views.leave, name="leave"),
    path("profile/preferences/", views.preferences, name="preferences"),
    path("profile/tokens/<int:pk>/revoke/", views.token_revoke, name="token_revoke"),
]
