from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """The annotator's side: what there is to do, the card, what they are told."""

    name = "apps.annotation"
