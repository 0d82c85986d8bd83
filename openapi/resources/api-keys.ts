// A tenant's API keys: create, rotate, revoke.
import {
  ApiKeyPageSchema,
  ApiKeyCreateSchema,
  ApiKeyListQuerySchema,
  ApiKeyRevokeQuerySchema,
  ApiKeyRevokeSchema,
  ApiKeyRotateSchema,
  ApiKeySchema,
  CreatedApiKeySchema,
  RevokedApiKeysSchema,
  SCOPES,
} from "../../protocol/keys/contract.ts";
import { EXAMPLE_TIME, KEY_ID, TENANT_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

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

export const API_KEYS = {
  tags: {
    "API keys": "A tenant's keys. Each holds scopes; the plain text is shown once.",
  },
  operations: {
    createApiKey: {
      tag: "API keys",
      summary: "Create an API key",
      description:
        "A key gets no scope that its creator lacks, and records who created it. The operator names the tenant.",
      request: { json: ApiKeyCreateSchema, examples: ["newApiKey"] },
      answers: {
        201: {
          description: "The key, in plain text this once.",
          json: CreatedApiKeySchema,
          replayed: ApiKeySchema,
          examples: ["createdApiKey"],
        },
      },
      errors: ["not_found", "quota_exceeded"],
    },
    listApiKeys: {
      tag: "API keys",
      summary: "List API keys",
      description: "Newest first, revoked ones too, without their plain texts.",
      query: ApiKeyListQuerySchema,
      answers: { 200: { description: "A page of keys.", json: ApiKeyPageSchema } },
      errors: ["not_found"],
    },
    rotateApiKey: {
      tag: "API keys",
      summary: "Rotate an API key",
      description:
        "The old secret stays valid for the overlap. Rotating again ends the overlap of the rotation before.",
      request: { json: ApiKeyRotateSchema, examples: ["rotation"] },
      answers: {
        200: {
          description: "The key, with its new plain text this once.",
          json: CreatedApiKeySchema,
          replayed: ApiKeySchema,
        },
      },
      errors: ["conflict"],
    },
    revokeApiKeys: {
      tag: "API keys",
      summary: "Revoke an API key and the keys and tokens that it created",
      description: [
        "With `reason` `leaked`, or with `cascade`, this also revokes the keys that it created, those that they created,",
        "and the client tokens that all of them minted. Streams that were opened with any of these end. Without either it",
        "revokes this key alone, with its streams. A key may revoke itself. Repeating the request changes nothing.",
      ].join(" "),
      request: { json: ApiKeyRevokeSchema, examples: ["leakedKey"] },
      answers: {
        200: {
          description: "What is revoked now.",
          json: RevokedApiKeysSchema,
          examples: ["revokedKeys"],
        },
      },
    },
    revokeApiKey: {
      tag: "API keys",
      summary: "Revoke an API key",
      description:
        "The key is refused from now on, and streams that were opened with it end; revoking it again changes nothing. The query has the members of the body of `POST …/revoke`.",
      query: ApiKeyRevokeQuerySchema,
      answers: { 204: { description: "The key is revoked." } },
    },
  },
  pathParameters: {
    key_id: "The API key; its id, not the key itself.",
  },
  queryParameters: {
    cascade:
      "`true` also revokes the keys that it created, those that they created, and the client tokens of all of them.",
    reason: "`leaked`: the key was disclosed. It implies `cascade`.",
  },

  fieldDescriptions: {
    api_key: "The key itself. It is shown this once.",
    "ApiKey.last_used_at": "Exact to a minute; null before the first use.",
    "ApiKey.mode": "Which prefix the key has: `rk_live_` or `rk_test_`.",
    "ApiKey.old_secret_expires_at":
      "Until when the secret before the last rotation is valid; null when there is none.",
    "ApiKey.overlap_ms": "Milliseconds for which the old secret stays valid; 0 ends it at once.",
    "ApiKey.prefix": "The key's first characters, which identify it in lists.",
    "ApiKey.revoked_at": "When it was revoked, or null.",
    "ApiKey.scopes": "What the key may do. A new key has all scopes of its creator when left out.",
    "ApiKey.tenant_id": "The tenant. The operator names it; a tenant's own key may leave it out.",
    "ApiKey.cascade":
      "Whether to revoke also the keys that it created, those that they created, and the client tokens of all of them.",
    "ApiKey.created_by":
      "The id of the key that created it, or `operator`; null for a key from before this was recorded.",
    "ApiKey.reason":
      "`leaked`: the key was disclosed. What it created is revoked too, as with `cascade`.",
    "ApiKey.revoked_reason":
      "Why it was revoked; null when no reason was given, and while it is not revoked.",
    "RevokedApiKeys.revoked_key_ids":
      "The key and the keys that it created, whether they were revoked now or before.",
  },
  examples: {
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
  },
} as const satisfies Resource;
