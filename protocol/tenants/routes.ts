// Routes on tenants, for the operator.
import {
  ErasingTenantSchema,
  TenantPageSchema,
  CreatedTenantSchema,
  TenantCreateSchema,
  TenantSchema,
  TenantsQuerySchema,
  TenantUpdateSchema,
} from "./contract.ts";
import { DEFAULT_QUOTAS } from "../quotas/contract.ts";
import { EXAMPLE_TIME, TENANT_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { TENANT_WORDS } from "./words.ts";

const TENANT_ROUTES = [
  {
    name: "createTenant",
    method: "POST",
    path: "/v1/tenants",
    access: "operator",
    operator_right: "tenants:write",
    keeps_keys: "database",
    body: "small",
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

  {
    name: "listTenants",
    method: "GET",
    path: "/v1/tenants",
    access: "operator",
    operator_right: "tenants:read",
    body: "none",
    tag: "Tenants",
    summary: "List tenants",
    description: [
      "Newest first. A `search` by name looks through 5,000 tenants for one page: with more of them a page may have fewer",
      "entries than asked for, or none, and go on with `next_page`.",
    ].join(" "),
    query: TenantsQuerySchema,
    queryDescriptions: {
      search:
        "Only tenants whose name has this text in it, in capitals or not; with a text that begins with `ten_`, those whose id begins so.",
    },
    answers: { 200: { description: "A page of tenants.", json: TenantPageSchema } },
  },

  {
    name: "readTenant",
    method: "GET",
    path: "/v1/tenants/{tenant_id}",
    access: "operator",
    operator_right: "tenants:read",
    body: "none",
    tag: "Tenants",
    summary: "Get a tenant",
    description: "Its name and labels, without its data.",
    answers: { 200: { description: "The tenant.", json: TenantSchema } },
  },

  {
    name: "updateTenant",
    method: "PATCH",
    path: "/v1/tenants/{tenant_id}",
    access: "operator",
    operator_right: "tenants:write",
    body: "small",
    tag: "Tenants",
    summary: "Update a tenant",
    description: "Members that are left out do not change.",
    request: { json: TenantUpdateSchema, examples: ["newTenant"] },
    answers: { 200: { description: "The tenant as it is now.", json: TenantSchema } },
  },

  {
    name: "deleteTenant",
    method: "DELETE",
    path: "/v1/tenants/{tenant_id}",
    access: "operator",
    operator_right: "tenants:close",
    body: "none",
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
] as const satisfies readonly DocumentedRoute[];

export const TENANT_CONTRACT = {
  tags: {
    Tenants: "Customers of the platform, managed by the operator.",
  },
  routes: TENANT_ROUTES,
  pathParameters: {
    tenant_id: { form: "ten", description: "The tenant." },
  },
  fields: TENANT_WORDS,
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
} as const satisfies Contract;
