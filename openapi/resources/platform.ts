// The platform itself: its health and the documents about its API.
import { HealthSchema } from "../../protocol/operator/contract.ts";
import { ReadinessSchema } from "../../protocol/operator/readiness.ts";
import type { Resource } from "../resource.ts";

export const PLATFORM = {
  tags: {
    Platform: "What needs no credential.",
  },
  operations: {
    readHealth: {
      tag: "Platform",
      summary: "Is the platform up?",
      description: "Shows that the Worker answers. It checks no service behind it.",
      answers: { 200: { description: "The platform is up.", json: HealthSchema } },
    },
    readReadiness: {
      tag: "Platform",
      summary: "Can the platform serve requests?",
      description:
        "Checks the deployment: that its secrets, variables and bindings are set, that the database answers and has the schema of this version, and that an object answers. The result is kept for some seconds. For what is missing it names the command that fixes it, and the place in the guide to deployment.",
      answers: {
        200: { description: "Everything is there.", json: ReadinessSchema },
        503: { description: "Something is missing, or does not answer.", json: ReadinessSchema },
      },
    },
    readOpenApi: {
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
    readLlmsText: {
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
    readDocs: {
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
  },
  fieldDescriptions: {
    "Readiness.status": "`ready` when every check is `ok`.",
    "Readiness.checks": "The result of each check.",
    "Readiness.checks.secrets":
      "OPERATOR_KEY, KEY_PEPPER and MASTER_KEY, and their values during a rotation.",
    "Readiness.checks.variables": "ENVIRONMENT and PUBLIC_URL.",
    "Readiness.checks.bindings": "The database, the Durable Objects and the queues.",
    "Readiness.checks.rate_limits": "The rate limits. Without them no request is refused.",
    "Readiness.checks.database":
      "The database answers, and every migration of this version is applied.",
    "Readiness.checks.objects": "A Durable Object answers.",
    "Readiness.missing": "What is missing or does not answer; empty when `ready`.",
    "Readiness.missing.name":
      "The name of the secret, variable, binding or migration. Values are never shown.",
    "Readiness.missing.problem": "What is wrong with it.",
    "Readiness.missing.fix": "The command or the step that fixes it.",
    "Readiness.missing.docs": "The path of the guide's section about it, on this host.",
  },
} as const satisfies Resource;
