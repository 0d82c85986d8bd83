// The platform itself: its health and the documents about its API.
import { HealthSchema } from "../../protocol/api/answers/responses.ts";
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
      answers: { 200: { description: "The platform is up.", json: "Health" } },
    },
    readOpenApi: {
      tag: "Platform",
      summary: "Read this document",
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
      summary: "Read the API guide for language models",
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
      summary: "Read the API documentation as a page",
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
  },
  answerSchemas: {
    Health: HealthSchema,
  },
} as const satisfies Resource;
