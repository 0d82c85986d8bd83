// The audit log of administrative acts.
import { API_KEYS } from "./api-keys.ts";
import { AuditPageSchema, AuditQuerySchema } from "../../protocol/audit/contract.ts";
import { EXAMPLE_TIME, KEY_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

export const AUDIT = {
  tags: {
    Audit: "Who changed what, with which credential.",
  },
  operations: {
    listAudit: {
      tag: "Audit",
      summary: "List the audit's entries",
      description: [
        "Administrative acts of the tenant's keys, and of the operator for the tenant, newest first: the state before and",
        "after, without secrets and without unchanged members. Entries are kept for a year, unless the deployment says",
        "otherwise, also after their tenant was erased: then the operator reads them. With `Accept: application/x-ndjson`",
        "or `?format=jsonl` the answer has all matching entries as JSON lines, oldest first.",
      ].join(" "),
      query: AuditQuerySchema,
      queryDescriptions: {
        format:
          "`jsonl` gives all matching entries as JSON lines, `json` a page, whatever `Accept` says.",
      },
      answers: {
        200: {
          description: "A page of entries, or all of them as JSON lines.",
          json: AuditPageSchema,
          other: "application/x-ndjson",
          examples: ["auditPage"],
        },
      },
      errors: ["not_found"],
    },
  },
  queryParameters: {
    action: "Only acts of this kind.",
    actor_id: "Only what this API key did.",
    target_id: "Only acts on what has this id.",
  },

  fieldDescriptions: {
    "AuditEntry.action": "What was done.",
    "AuditEntry.actor": "Who did it.",
    "AuditEntry.actor.id": "The API key's id; null for the operator.",
    "AuditEntry.actor.console_session_id":
      "The console session in which a person did it; missing for what was done without the console.",
    "AuditEntry.actor.kind": "The kind of credential.",
    "AuditEntry.address": "The client's address; null where the network does not report it.",
    "AuditEntry.after":
      "The changed members after the act, without secrets, and with `{omitted_bytes}` in place of large ones. Null when the resource was removed, or nothing of it can be shown.",
    "AuditEntry.before": "The changed members before the act; null for a new resource.",
    "AuditEntry.created_at": "When it was done.",
    "AuditEntry.request_id": "The request that did it, as in its `X-Request-Id`.",
    "AuditEntry.target_id": "The id of what was changed.",
  },
  examples: {
    auditPage: {
      summary: "A leaked key was revoked",
      value: {
        data: [
          {
            id: "aud_01kaj2x5b7d9f1h3k5n7q9s1v3",
            created_at: EXAMPLE_TIME,
            actor: { kind: "api_key", id: "key_01kaj2v0z2b4d6f8h1k3n5q7s9" },
            action: "api_key.revoked",
            target_id: KEY_ID,
            before: null,
            after: {
              revoked_at: EXAMPLE_TIME,
              revoked_reason: "leaked",
              revoked_keys: 2,
              ...API_KEYS.examples.revokedKeys.value,
            },
            address: "203.0.113.7",
            request_id: "req_01kaj2x5a6c8e0g2j4m6p8r0t2",
          },
        ],
        has_more: false,
        next_page: null,
      },
    },
  },
} as const satisfies Resource;
