// What the document says about a tenant's status, its quotas and what is used of them.

export const QUOTA_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  on_limit:
    "What becomes of a reply when a quota of the tenant is used up before it has come to its end: `end` ends it with the error `quota_exceeded`, `park` lets it wait until there is room. `end` when left out.",
  "Problem.quota": "With quota_exceeded: which one.",
  "Problem.limit": "With quota_exceeded: how much it is, where that is known.",
  "Problem.retry_after_ms":
    "With quota_exceeded: when it may have room by itself, in milliseconds; `Retry-After` says it too.",
};
