// Words of fields that the schemas of this room have.
export const OPERATOR_WORDS = {
  "Readiness.status": "`ready` when every check is `ok`.",
  "Readiness.checks": "The result of each check.",
  "Readiness.checks.secrets":
    "OPERATOR_KEY, KEY_PEPPER, MASTER_KEY and CARD_KEY, and their values during a rotation.",
  "Readiness.checks.variables": "ENVIRONMENT and PUBLIC_URL.",
  "Readiness.checks.bindings": "The database, the Durable Objects and the queues.",
  "Readiness.checks.rate_limits": "The rate limits. Without them no request is refused.",
  "Readiness.checks.database":
    "The database answers, and every migration of this version is applied.",
  "Readiness.checks.objects": "A Durable Object answers.",
  "Readiness.missing": "What is missing or does not answer; empty when `ready`.",
  "Readiness.missing.name":
    "The name of the secret, variable, binding or migration. Values are never shown.",
  "Readiness.missing.problem": "What is wrong with it.",
  "Readiness.missing.fix": "The command or the step that fixes it.",
  "Readiness.missing.docs": "The path of the guide's section about it, on this host.",
  "OperatorHealth.status":
    "`degraded` when the deployment is not ready, or a store does not answer.",
  "OperatorHealth.checked_at": "When the report was made.",
  "OperatorHealth.readiness": "As `/readyz` answers, kept for some seconds.",
  "OperatorHealth.database": "Whether D1 answered, and after how many milliseconds.",
  "OperatorHealth.database.ms":
    "Milliseconds until D1 answered, or until the report went on without it.",
  "OperatorHealth.files": "Whether R2 answered, and after how many milliseconds.",
  "OperatorHealth.files.ms":
    "Milliseconds until R2 answered, or until the report went on without it.",
  "OperatorHealth.queues":
    "Work that waits, counted up to 10,000 each; null while the database does not answer.",
  "OperatorHealth.activity":
    "What was done in the last hour, in whole slots of ten minutes; null while the database does not answer.",
  "OperatorHealth.tenants": "Tenants that are stopped; null while the database does not answer.",
  "TenantActivities.day": "The day in UTC that the counts are of.",
  "TenantActivities.data": "In the order in which they were asked for.",
  "TenantActivity.running_replies":
    "Replies that run now, with replays and calls beside replies, as the quota of that name counts them; null while the tenant's object does not answer.",
  "TenantActivity.tenant_id": "The tenant.",
  "TenantActivity.replies": "Replies that ended today.",
  "TenantActivity.error": "Those that ended with an error.",
  "TenantActivity.is_whole":
    "False when the tenant has more sums of the day than are read: the counts are of its last hours.",
} as const;
