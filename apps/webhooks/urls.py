from django.urls import path

from apps.webhooks import views

app_name = "webhooks"
urlpatterns = [
    path("", views.webhook_list, name="list"),
    path("<int:pk>/", views.webhook_page, name="webhook"),
    path("<int:pk>/rotate/", views.webhook_rotate, name="rotate"),
    path("<int:pk>/test/", views.webhook_test, name="test"),
    path("<int:pk>/switch/", views.webhook_switch, name="switch"),
    path("<int:pk>/remove/", views.webhook_remove, name="remove"),
    path("<int:pk>/deliveries/<int:delivery_pk>/resend/", views.delivery_resend, name="resend"),
]
