// API keys.
import { type CreatedApiKey, SCOPES } from "../../../protocol/keys/contract.ts";
import { ask, makeTenant, OPERATOR } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { cell, countRows } from "../../worker/support/read-cell.ts";
import { NEWEST, pageToken, tenantInBody, tenantInQuery } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  createApiKey: {
    answers: 201,
    body: ({ word }) => ({ name: word }),
    places: [tenantInBody],
    shows: [],
    stores: ["+api_keys", "+audit_entries"],
    refusedBy: ["api_keys", "database_bytes"],
  },
  listApiKeys: {
    answers: 200,
    query: () => "limit=100",
    places: [tenantInQuery, pageToken(`key_${NEWEST}`)],
    shows: ["key"],
  },
  // That key holds every scope.
  rotateApiKey: {
    answers: 200,
    body: () => ({}),
    places: [tenantInBody],
    besides: SCOPES,
    shows: ["key"],
    stores: ["~api_keys", "+audit_entries"],
    refusedBy: ["database_bytes"],
  },
  revokeApiKeys: {
    answers: 200,
    isSilent: true,
    body: () => ({ reason: "leaked" }),
    places: [tenantInBody],
    shows: [],
    stores: ["~api_keys", "+audit_entries", "+tenant.cut_keys", "+tenant.revoked_makers"],
  },
  revokeApiKey: {
    answers: 204,
    isSilent: true,
    places: [tenantInQuery],
    shows: [],
    stores: ["~api_keys", "+audit_entries", "+tenant.cut_keys"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createApiKey() {
    const { id, call } = await makeTenant();
    return {
      path: "/v1/api-keys",
      call,
      json: { name: "till" },
      other: { name: "other till" },
      secrets: ["api_key"],
      count: () =>
        countRows(
          "SELECT count(*) AS found FROM api_keys WHERE name = 'till' AND tenant_id = ?",
          id,
        ),
    };
  },

  async rotateApiKey() {
    const { call } = await makeTenant();
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    const hash = await cell("SELECT hash AS value FROM api_keys WHERE id = ?", key.id);
    return {
      path: `/v1/api-keys/${key.id}/rotate`,
      call,
      json: { overlap_ms: 60_000 },
      other: { overlap_ms: 1_000 },
      secrets: ["api_key"],
      // A second rotation would have ended the first secret.
      count: async () =>
        (await cell("SELECT old_hash AS value FROM api_keys WHERE id = ?", key.id)) === hash
          ? 1
          : 2,
    };
  },

  async revokeApiKeys() {
    const { call } = await makeTenant();
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    return {
      path: `/v1/api-keys/${key.id}/revoke`,
      call,
      json: { reason: "leaked" },
      other: { cascade: true },
      count: () =>
        countRows(
          "SELECT count(*) AS found FROM audit_entries WHERE action = 'api_key.revoked' AND target_id = ?",
          key.id,
        ),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const expiring = { name: "Back end", expires_at: "2999-01-01T00:00:00.000Z" };
  const key = await api.ask<CreatedApiKey>("createApiKey", {}, { ...call, json: expiring });
  const place = { key_id: key.json.id };
  await api.ask("listApiKeys", { query: "?limit=1" }, call);
  await api.ask("rotateApiKey", place, { ...call, json: { overlap_ms: 1_000 } });
  await api.ask("revokeApiKey", place, call);
  await api.ask("revokeApiKeys", place, { ...call, json: { reason: "leaked" } });
  await api.ask("rotateApiKey", place, { ...call, json: {} });
  await api.ask("listApiKeys", {}, call);
  const nobody = { tenant_id: `ten_${"0".repeat(26)}` };
  await api.ask("createApiKey", {}, { ...OPERATOR, json: nobody });
  await api.ask("listApiKeys", { query: `?tenant_id=${nobody.tenant_id}` }, OPERATOR);
}
