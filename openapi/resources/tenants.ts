// Tenants, which the operator creates and erases.
import {
  ErasingTenantSchema,
  TenantPageSchema,
  CreatedTenantSchema,
  TenantCreateSchema,
  TenantSchema,
  TenantUpdateSchema,
} from "../../protocol/tenants/contract.ts";
import { DEFAULT_QUOTAS } from "../../protocol/quotas/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { EXAMPLE_TIME, TENANT_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

export const TENANTS = {
  tags: {
    Tenants: "Customers of the platform, managed by the operator.",
  },
  operations: {
    createTenant: {
      tag: "Tenants",
      summary: "Create a tenant",
      description: "Creates a tenant and its first API key, which is live and has every scope.",
      request: { json: TenantCreateSchema, examples: ["newTenant"] },
      answers: {
        201: {
          description: "The tenant, with its first key in plain text.",
          json: CreatedTenantSchema,
          replayed: TenantSchema,
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
      answers: { 200: { description: "A page of tenants.", json: TenantPageSchema } },
    },
    readTenant: {
      tag: "Tenants",
      summary: "Get a tenant",
      description: "Its name and labels, without its data.",
      answers: { 200: { description: "The tenant.", json: TenantSchema } },
    },
    updateTenant: {
      tag: "Tenants",
      summary: "Update a tenant",
      description: "Members that are left out do not change.",
      request: { json: TenantUpdateSchema, examples: ["newTenant"] },
      answers: { 200: { description: "The tenant as it is now.", json: TenantSchema } },
    },
    deleteTenant: {
      tag: "Tenants",
      summary: "Delete a tenant",
      description:
        "Closes the tenant at once, so that all its keys are refused, and erases all its data, including its usage.",
      answers: {
        202: {
          description: "Some sessions are not erased yet: repeat the request until it answers 204.",
          json: ErasingTenantSchema,
          headers: ["Retry-After"],
        },
        204: { description: "Everything is erased." },
      },
    },
  },
  pathParameters: {
    tenant_id: "The tenant.",
  },

  fieldDescriptions: {
    "Tenant.status":
      "`suspended` refuses every credential of the tenant and keeps its data; `closed` is final.",
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
