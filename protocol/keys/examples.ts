// Requests and answers of the refund desk, as examples of the routes.
import { SCOPES } from "./contract.ts";
import { EXAMPLE_TIME, KEY_ID, TENANT_ID } from "../refund-desk.ts";

const apiKey = {
  id: KEY_ID,
  tenant_id: TENANT_ID,
  name: "The shop's back end",
  mode: "live",
  prefix: "rk_live_3fJ9",
  scopes: ["agents:read", "sessions:read", "sessions:write", "replies:read", "replies:write"],
  created_at: EXAMPLE_TIME,
  expires_at: null,
  revoked_at: null,
  revoked_reason: null,
  created_by: "operator",
  last_used_at: null,
  old_secret_expires_at: null,
};

const REVOKED = [KEY_ID, "key_01kaj2x1a3c5e7g9j2m4p6r8t0"];

export const KEY_EXAMPLES = {
  newApiKey: {
    summary: "A key for the shop's back end",
    value: { name: apiKey.name, scopes: apiKey.scopes },
  },
  createdApiKey: {
    summary: "The key, shown this once",
    value: { ...apiKey, scopes: SCOPES, api_key: "rk_live_…" },
  },
  rotation: { summary: "An hour to deploy the new secret", value: { overlap_ms: 3_600_000 } },
  leakedKey: { summary: "A key that was disclosed", value: { reason: "leaked" } },
  revokedKeys: {
    summary: "The key, and one that it had created",
    value: { revoked_key_ids: REVOKED },
  },
} as const;
