// The platform itself, tenants, their keys and secrets, and what they have used.
import { ApiKeyListQuerySchema, ApiKeyRevokeQuerySchema } from "../protocol/api/api-keys.ts";
import { AuditQuerySchema } from "../protocol/api/audit.ts";
import { PageQuerySchema } from "../protocol/api/schemas/common.ts";
import { LimitsQuerySchema } from "../protocol/api/quotas.ts";
import { UsageQuerySchema } from "../protocol/api/usage.ts";
import { CREDENTIAL_OPERATIONS } from "./operations-credentials.ts";
import { noContent, type Operation } from "./operation.ts";

export const TENANCY_OPERATIONS = {
  readHealth: {
    tag: "Platform",
    summary: "Is the platform up?",
    description: "Says that the Worker answers. It asks nothing behind it.",
    answers: { 200: { description: "It is.", json: "Health" } },
  },
  readOpenApi: {
    tag: "Platform",
    summary: "Read this document",
    description: "OpenAPI 3.1, made from the schemas that check the requests.",
    headers: ["If-None-Match"],
    answers: {
      200: { description: "The document.", other: "openapi", headers: ["ETag", "Cache-Control"] },
      304: {
        description: "The caller has this version already.",
        headers: ["ETag", "Cache-Control"],
      },
    },
  },
  readLlmsText: {
    tag: "Platform",
    summary: "Read a short guide for programs that read text",
    description: "What the platform is, how to call it, its routes, and where the document is.",
    headers: ["If-None-Match"],
    answers: {
      200: { description: "The guide.", other: "text/plain", headers: ["ETag", "Cache-Control"] },
      304: {
        description: "The caller has this version already.",
        headers: ["ETag", "Cache-Control"],
      },
    },
  },
  readDocs: {
    tag: "Platform",
    summary: "Read about the API, as a page for people",
    description: "The OpenAPI document in HTML, which needs no script and fetches nothing.",
    headers: ["If-None-Match"],
    answers: {
      200: { description: "The page.", other: "text/html", headers: ["ETag", "Cache-Control"] },
      304: {
        description: "The caller has this version already.",
        headers: ["ETag", "Cache-Control"],
      },
    },
  },

  createTenant: {
    tag: "Tenants",
    summary: "Make a tenant",
    description: "Makes a tenant and its first API key, which is live and holds every scope.",
    body: { schema: "TenantCreate", examples: ["newTenant"] },
    answers: {
      201: {
        description: "The tenant, with its first key in plain text.",
        json: "CreatedTenant",
        replayed: "Tenant",
        headers: ["Location"],
        examples: ["createdTenant"],
      },
    },
  },
  listTenants: {
    tag: "Tenants",
    summary: "List tenants",
    description: "Newest first.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of tenants.", json: "TenantPage" } },
  },
  readTenant: {
    tag: "Tenants",
    summary: "Read a tenant",
    description: "Its name and labels; nothing of what it keeps.",
    answers: { 200: { description: "The tenant.", json: "Tenant" } },
  },
  updateTenant: {
    tag: "Tenants",
    summary: "Change a tenant",
    description: "What is left out stays as it is.",
    body: { schema: "TenantUpdate", examples: ["newTenant"] },
    answers: { 200: { description: "The tenant as it is now.", json: "Tenant" } },
  },
  deleteTenant: {
    tag: "Tenants",
    summary: "Erase a tenant",
    description:
      "Closes the tenant at once, so that none of its keys works any more, and erases all that it keeps, its usage too.",
    answers: {
      202: {
        description: "Sessions are left: send the same request again, until it answers 204.",
        json: "ErasingTenant",
        headers: ["Retry-After"],
      },
      204: noContent("Everything is erased."),
    },
  },

  createApiKey: {
    tag: "API keys",
    summary: "Make an API key",
    description:
      "A key gets no scope that its maker lacks, and remembers who made it. The operator names the tenant.",
    body: { schema: "ApiKeyCreate", examples: ["newApiKey"] },
    answers: {
      201: {
        description: "The key, in plain text this once.",
        json: "CreatedApiKey",
        replayed: "ApiKey",
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
    answers: { 200: { description: "A page of keys.", json: "ApiKeyPage" } },
    errors: ["not_found"],
  },
  rotateApiKey: {
    tag: "API keys",
    summary: "Give an API key a new secret",
    description:
      "The old secret goes on working for the overlap. Rotating again ends that of the rotation before.",
    body: { schema: "ApiKeyRotate", examples: ["rotation"] },
    answers: {
      200: {
        description: "The key, with its new plain text this once.",
        json: "CreatedApiKey",
        replayed: "ApiKey",
      },
    },
    errors: ["conflict"],
  },
  revokeApiKeys: {
    tag: "API keys",
    summary: "Revoke an API key with what it has made",
    description: [
      "With `reason` `leaked`, or with `cascade`, the keys that it made go too, those that they made, and the client",
      "tokens that all of them minted. Streams that were opened with any of it end. Without either it is this one key,",
      "with its streams. A key may revoke itself. Sent again it changes nothing.",
    ].join(" "),
    body: { schema: "ApiKeyRevoke", examples: ["leakedKey"] },
    answers: {
      200: {
        description: "What is revoked now.",
        json: "RevokedApiKeys",
        examples: ["revokedKeys"],
      },
    },
  },
  revokeApiKey: {
    tag: "API keys",
    summary: "Revoke an API key",
    description:
      "It stops to work, and streams that were opened with it end; revoking it again changes nothing. The query says what the body of `POST …/revoke` does.",
    query: ApiKeyRevokeQuerySchema,
    answers: { 204: noContent("The key is revoked.") },
  },

  ...CREDENTIAL_OPERATIONS,

  readLimits: {
    tag: "Usage",
    summary: "Read the quotas and what is used of them",
    description:
      "What the tenant may have and use, as the operator has set it, and how much of it is used. Over a quota requests are answered with 429 `quota_exceeded`, whose `quota` says which one.",
    query: LimitsQuerySchema,
    answers: { 200: { description: "Quotas and use.", json: "TenantLimits" } },
  },
  readUsage: {
    tag: "Usage",
    summary: "Read what replies have used",
    description: "Replies and tokens, summed by day, agent, model, or several of them.",
    query: UsageQuerySchema,
    answers: { 200: { description: "A page of sums.", json: "UsagePage" } },
  },

  listAudit: {
    tag: "Audit",
    summary: "Read who changed what",
    description: [
      "Administrative acts of the tenant's keys, and of the operator for the tenant, newest first: what was before and",
      "what is after, without secrets and without what stayed as it was. Entries are kept for a year, unless the",
      "deployment says otherwise, and outlive their tenant: the operator reads them then.",
      "With `Accept: application/x-ndjson` or `?format=jsonl` all that fits comes as JSON lines, oldest first.",
    ].join(" "),
    query: AuditQuerySchema,
    answers: {
      200: {
        description: "A page of entries, or all of them as JSON lines.",
        json: "AuditPage",
        other: "application/x-ndjson",
        examples: ["auditPage"],
      },
    },
    errors: ["not_found"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
