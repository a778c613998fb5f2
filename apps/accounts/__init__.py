"""People, sign-in, invitations, API tokens."""
