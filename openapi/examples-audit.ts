// A leaked key, and what the audit says about it afterwards.
import type { Example } from "./document-types.ts";

const AT = "2026-11-21T09:30:00.000Z";
const LEAKED = "key_01kaj2v6f0c4e7g1j5m9p3r6t0";
const REVOKED = [LEAKED, "key_01kaj2x1a3c5e7g9j2m4p6r8t0"];

export const AUDIT_EXAMPLES = {
  leakedKey: { summary: "Somebody has it who should not", value: { reason: "leaked" } },
  revokedKeys: {
    summary: "The key, and one that it had made",
    value: { revoked_key_ids: REVOKED },
  },
  auditPage: {
    summary: "A leaked key was revoked",
    value: {
      data: [
        {
          id: "aud_01kaj2x5b7d9f1h3k5n7q9s1v3",
          created_at: AT,
          actor: { kind: "api_key", id: "key_01kaj2v0z2b4d6f8h1k3n5q7s9" },
          action: "api_key.revoked",
          target_id: LEAKED,
          before: null,
          after: {
            revoked_at: AT,
            revoked_reason: "leaked",
            revoked_keys: 2,
            revoked_key_ids: REVOKED,
          },
          address: "203.0.113.7",
          request_id: "req_01kaj2x5a6c8e0g2j4m6p8r0t2",
        },
      ],
      has_more: false,
      next_page: null,
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
