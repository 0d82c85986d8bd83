// The platform itself: its health and its documents.
import { HealthSchema, OperatorHealthSchema } from "./contract.ts";
import { ReadinessSchema } from "./readiness.ts";
import { TenantActivitiesSchema, TenantActivityQuerySchema } from "./tenant-activity.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { OPERATOR_WORDS } from "./words.ts";

const OPERATOR_ROUTES = [
  {
    name: "readHealth",
    method: "GET",
    path: "/healthz",
    access: "public",
    body: "none",
    tag: "Platform",
    summary: "Is the platform up?",
    description: "Shows that the Worker answers. It checks no service behind it.",
    answers: { 200: { description: "The platform is up.", json: HealthSchema } },
  },

  {
    name: "readReadiness",
    method: "GET",
    path: "/readyz",
    access: "public",
    body: "none",
    tag: "Platform",
    summary: "Can the platform serve requests?",
    description:
      "Checks the deployment: that its secrets, variables and bindings are set, that the database answers and has the schema of this version, and that an object answers. The result is kept for some seconds. For what is missing it names the command that fixes it, and the place in the guide to deployment.",
    answers: {
      200: { description: "Everything is there.", json: ReadinessSchema },
      503: { description: "Something is missing, or does not answer.", json: ReadinessSchema },
    },
  },

  {
    name: "readOpenApi",
    method: "GET",
    path: "/openapi.json",
    access: "public",
    body: "none",
    tag: "Platform",
    summary: "Get this document",
    description: "OpenAPI 3.1, generated from the schemas that validate the requests.",
    headers: ["If-None-Match"],
    answers: {
      200: { description: "The document.", other: "openapi", headers: ["ETag", "Cache-Control"] },
      304: {
        description: "The caller has this version already.",
        headers: ["ETag", "Cache-Control"],
      },
    },
  },

  {
    name: "readLlmsText",
    method: "GET",
    path: "/llms.txt",
    access: "public",
    body: "none",
    tag: "Platform",
    summary: "Get the API guide for language models",
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

  {
    name: "readDocs",
    method: "GET",
    path: "/docs",
    access: "public",
    body: "none",
    tag: "Platform",
    summary: "Get the documentation",
    description:
      "Guides and reference as pages, with search. The pages are complete without scripts; `/docs/reference` has every route and schema of this document.",
    headers: ["If-None-Match"],
    answers: {
      200: { description: "The page.", other: "text/html", headers: ["ETag", "Cache-Control"] },
      304: {
        description: "The caller has this version already.",
        headers: ["ETag", "Cache-Control"],
      },
    },
  },

  {
    name: "readOperatorHealth",
    method: "GET",
    path: "/v1/operator/health",
    access: "operator",
    operator_right: "health:read",
    body: "none",
    tag: "Platform",
    summary: "Get the health of the deployment",
    description: [
      "Whether the deployment is ready and its stores answer, what waits in its queues, what was done in the last hour,",
      "and which tenants are stopped. Contains nothing of tenants but their ids. While the database does not answer the",
      "report says so, and has null for what only the database knows. What sessions have not delivered to the database",
      "yet is in their objects, and not part of the report.",
    ].join(" "),
    answers: { 200: { description: "The report.", json: OperatorHealthSchema } },
  },

  {
    name: "readTenantActivity",
    method: "GET",
    path: "/v1/operator/activity",
    access: "operator",
    operator_right: "tenants:read",
    body: "none",
    tag: "Tenants",
    summary: "Get what tenants do now and have done today",
    description: [
      "The replies of up to 50 tenants that run at this moment, as their objects count them, and those that have ended",
      "today (UTC). Tenants that are closed or unknown are left out. What they did over time is in `/v1/usage/series`",
      "with `tenant_id`.",
    ].join(" "),
    query: TenantActivityQuerySchema,
    answers: { 200: { description: "The activity.", json: TenantActivitiesSchema } },
  },
] as const satisfies readonly DocumentedRoute[];

export const OPERATOR_CONTRACT = {
  tags: {
    Platform: "What needs no credential.",
  },
  routes: OPERATOR_ROUTES,
  queryParameters: {
    tenant_ids: "Ids of up to 50 tenants, with commas between.",
  },
  fields: OPERATOR_WORDS,
} as const satisfies Contract;
