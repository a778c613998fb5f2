from django.urls import path

from apps.annotation import views
from apps.annotation.about_views import about_you, correct, quiz_again

app_name = "work"
urlpatterns = [
    path("", views.home, name="home"),
    path("<int:pk>/", views.next_card, name="campaign"),
    path("<int:pk>/begin/", views.begin, name="begin"),
    path("<int:pk>/about-you/", about_you, name="about_you"),
    path("<int:pk>/about-you/correct/", correct, name="correct"),
    path("<int:pk>/quiz/again/", quiz_again, name="quiz_again"),
    path("<int:pk>/page/<uuid:page>/", views.page, name="page"),
    path("<int:pk>/page/<uuid:page>/keep/", views.page_keep, name="page_keep"),
    path("<int:pk>/<int:assignment_pk>/", views.card, name="card"),
    path("<int:pk>/<int:assignment_pk>/keep/", views.keep, name="keep"),
    path("<int:pk>/<int:assignment_pk>/reply/", views.reply, name="reply"),
]
