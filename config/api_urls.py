"""The API's addresses, each app's own under ``/api/v1/``."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
