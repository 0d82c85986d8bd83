// Routes on API keys.
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
} from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { KEY_WORDS } from "./words.ts";
import { KEY_EXAMPLES } from "./examples.ts";

const KEY_ROUTES = [
  {
    name: "createApiKey",
    method: "POST",
    path: "/v1/api-keys",
    access: "keys:write",
    operator_right: "access:write",
    keeps_keys: "database",
    body: "small",
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

  {
    name: "listApiKeys",
    method: "GET",
    path: "/v1/api-keys",
    access: "keys:read",
    operator_right: "access:read",
    body: "none",
    tag: "API keys",
    summary: "List API keys",
    description: "Newest first, revoked ones too, without their plain texts.",
    query: ApiKeyListQuerySchema,
    answers: { 200: { description: "A page of keys.", json: ApiKeyPageSchema } },
    errors: ["not_found"],
  },

  {
    name: "rotateApiKey",
    method: "POST",
    path: "/v1/api-keys/{key_id}/rotate",
    access: "keys:write",
    operator_right: "access:write",
    keeps_keys: "database",
    body: "small",
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

  {
    name: "revokeApiKeys",
    method: "POST",
    path: "/v1/api-keys/{key_id}/revoke",
    access: "keys:write",
    operator_right: "access:write",
    keeps_keys: "database",
    body: "small",
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

  {
    name: "revokeApiKey",
    method: "DELETE",
    path: "/v1/api-keys/{key_id}",
    access: "keys:write",
    operator_right: "access:write",
    body: "none",
    tag: "API keys",
    summary: "Revoke an API key",
    description:
      "The key is refused from now on, and streams that were opened with it end; revoking it again changes nothing. The query has the members of the body of `POST …/revoke`.",
    query: ApiKeyRevokeQuerySchema,
    answers: { 204: { description: "The key is revoked." } },
  },
] as const satisfies readonly DocumentedRoute[];

export const KEY_CONTRACT = {
  tags: {
    "API keys": "A tenant's keys. Each holds scopes; the plain text is shown once.",
  },
  routes: KEY_ROUTES,
  pathParameters: {
    key_id: { form: "key", description: "The API key; its id, not the key itself." },
  },
  queryParameters: {
    cascade:
      "`true` also revokes the keys that it created, those that they created, and the client tokens of all of them.",
    reason: "`leaked`: the key was disclosed. It implies `cascade`.",
  },
  fields: KEY_WORDS,
  examples: KEY_EXAMPLES,
} as const satisfies Contract;
