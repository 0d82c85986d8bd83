// Tenants, which the operator makes and erases.
import { ErasingTenantSchema, TenantPageSchema } from "../../protocol/api/answers/responses.ts";
import { DEFAULT_QUOTAS } from "../../protocol/api/quotas.ts";
import { PageQuerySchema } from "../../protocol/api/schemas/common.ts";
import {
  CreatedTenantSchema,
  TenantCreateSchema,
  TenantSchema,
  TenantUpdateSchema,
} from "../../protocol/api/tenants.ts";
import { noContent } from "../operation.ts";
import { EXAMPLE_TIME, TENANT_ID } from "../refund-desk.ts";
import type { Resource } from "../resource.ts";

export const TENANTS = {
  tags: {
    Tenants: "The operator's side: who may use the platform.",
  },
  operations: {
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
  },
  pathParameters: {
    tenant_id: "The tenant.",
  },
  requestSchemas: {
    TenantCreate: TenantCreateSchema,
    TenantUpdate: TenantUpdateSchema,
  },
  answerSchemas: {
    Tenant: TenantSchema,
    CreatedTenant: CreatedTenantSchema,
    ErasingTenant: ErasingTenantSchema,
    TenantPage: TenantPageSchema,
  },
  schemaDescriptions: {
    CreatedTenant: "The one answer that shows the tenant's first key, which holds every scope.",
    ErasingTenant: "Sessions of the tenant are left; the same request again goes on.",
  },
  fieldDescriptions: {
    "Tenant.status":
      "`suspended` refuses every credential of the tenant and keeps all that it has; `closed` is for good.",
  },
  examples: {
    newTenant: { summary: "A shop", value: { name: "Shoe shop" } },
    createdTenant: {
      summary: "A shop with its first key",
      value: {
        id: TENANT_ID,
        name: "Shoe shop",
        metadata: {},
        status: "active",
        quotas: DEFAULT_QUOTAS,
        created_at: EXAMPLE_TIME,
        api_key: "rk_live_…",
      },
    },
  },
} as const satisfies Resource;
