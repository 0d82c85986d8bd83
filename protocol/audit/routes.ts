// Routes on the audit log.
import { AuditPageSchema, AuditQuerySchema } from "./contract.ts";
import { EXAMPLE_TIME, KEY_ID } from "../refund-desk.ts";
import { KEY_EXAMPLES } from "../keys/examples.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { AUDIT_WORDS } from "./words.ts";

const AUDIT_ROUTES = [
  {
    name: "listAudit",
    method: "GET",
    path: "/v1/audit",
    access: "audit:read",
    operator_right: "audit:read",
    body: "none",
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
] as const satisfies readonly DocumentedRoute[];

export const AUDIT_CONTRACT = {
  tags: {
    Audit: "Who changed what, with which credential.",
  },
  routes: AUDIT_ROUTES,
  queryParameters: {
    action: "Only acts of this kind.",
    actor_id: "Only what this API key did.",
    target_id: "Only acts on what has this id.",
  },
  fields: AUDIT_WORDS,
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
              ...KEY_EXAMPLES.revokedKeys.value,
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
} as const satisfies Contract;
