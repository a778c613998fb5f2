from django.urls import path

from apps.experiments import views

app_name = "experiments"
urlpatterns = [
    path("", views.experiment_list, name="list"),
    path("new/<slug:protocol>/", views.experiment_new, name="new"),
    path("protocols/", views.protocol_new, name="protocol_new"),
    path("new/<slug:protocol>/file/", views.protocol_file, name="file"),
    path("protocols/<int:pk>/remove/", views.own_remove, name="own_remove"),
    path("<int:pk>/", views.experiment_page, name="experiment"),
    path("<int:pk>/card/", views.experiment_card, name="card"),
    path("<int:pk>/protocol/", views.experiment_protocol, name="protocol"),
    path("<int:pk>/cancel/", views.experiment_cancel, name="cancel"),
    path("<int:pk>/go-on/", views.experiment_go_on, name="go_on"),
    path("<int:pk>/answers/", views.experiment_answers, name="answers"),
    path("<int:pk>/answers/remove/", views.answers_remove, name="answers_remove"),
    path("<int:pk>/splits/<int:split>/", views.split_archive, name="split"),
]
