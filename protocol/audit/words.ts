// Words of fields that the schemas of this room have.
export const AUDIT_WORDS = {
  "AuditEntry.action": "What was done.",
  "AuditEntry.actor": "Who did it.",
  "AuditEntry.actor.id":
    "The id of the API key or of the member, also of one of the operator's; null for the operator's key.",
  "AuditEntry.actor.console_session_id":
    "The console session in which a person did it; missing for what was done without the console.",
  "AuditEntry.actor.kind": "The kind of credential, or `member` for a person who has signed in.",
  "AuditEntry.actor.name":
    "The member's name at the time of the act, also of one of the operator's; missing for keys.",
  "AuditEntry.address": "The client's address; null where the network does not report it.",
  "AuditEntry.after":
    "The changed members after the act, without secrets, and with `{omitted_bytes}` in place of large ones. Null when the resource was removed, or nothing of it can be shown.",
  "AuditEntry.before": "The changed members before the act; null for a new resource.",
  "AuditEntry.created_at": "When it was done.",
  "AuditEntry.request_id": "The request that did it, as in its `X-Request-Id`.",
  "AuditEntry.target_id": "The id of what was changed.",
} as const;
