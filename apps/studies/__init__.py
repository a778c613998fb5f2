"""Studies, membership and roles, the scoped lookup, the audit trail."""
