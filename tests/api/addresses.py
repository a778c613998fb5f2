"""The API's lists, and the addresses of their rows."""

LISTS = ["corpora", "sentences", "blank-sets", "blanks", "campaigns", "judgements", "datasets", "pairs",
         "models", "runs", "predictions", "releases", "jobs"]  # fmt: skip


def address(name, pk=None):
    return f"/api/v1/{name}/" if pk is None else f"/api/v1/{name}/{pk}/"
