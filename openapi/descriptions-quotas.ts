// What the document says about a tenant's status, its quotas and what is used of them.

export const QUOTA_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "Problem.quota": "With quota_exceeded: which one.",
  "Problem.limit": "With quota_exceeded: how much it is, where that is known.",
  "Problem.retry_after_ms":
    "With quota_exceeded: when it may have room by itself, in milliseconds; `Retry-After` says it too.",
};
