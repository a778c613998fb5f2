"""The API's lists, and the addresses of their rows."""

LISTS = ["members", "invitations", "events", "corpus-drafts", "corpora", "sentences", "parse-samples",
         "parse-checks", "blank-sets", "blanks", "stop-expressions", "campaigns", "items", "judgements",
         "test-questions", "test-answers", "quality-rules", "quality-actions", "flags", "annotators",
         "panels", "visits", "bonuses", "payouts", "pair-drafts", "datasets", "pairs", "pair-edits",
         "machine-batches", "testbeds", "experiments", "protocols", "reports", "norms", "gold-rules",
         "models", "runs", "predictions", "prediction-drafts", "training-sets", "trainings",
         "learning-curves", "releases", "jobs", "webhooks",
         "webhook-deliveries"]  # fmt: skip


def address(name, pk=None):
    return f"/api/v1/{name}/" if pk is None else f"/api/v1/{name}/{pk}/"
