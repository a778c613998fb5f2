"""Balance and leakage reports of a dataset or a release."""
