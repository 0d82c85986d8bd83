// Routes on what is remembered of a session's end user: that end user's own view, with a client token or a token of an issuer.
import type { DocumentedRoute } from "../requests/contract.ts";
import {
  FoundMemoriesSchema,
  MemoryQuerySchema,
  MemorySchema,
  MemoryUpdateSchema,
} from "./contract.ts";

export const SESSION_MEMORY_ROUTES = [
  {
    name: "listSessionMemories",
    method: "GET",
    path: "/v1/sessions/{session_id}/memories",
    access: "memories:read",
    verb: "memory",
    takes_issued_tokens: true,
    body: "none",
    tag: "Memory",
    summary: "List what is remembered of a session's end user",
    description:
      "The memories of the session's agent and end user, newest first, or those that `search` finds. What all end users of an agent share is for API keys alone. A JWT of an end user whose issuer has the verb `memory` reaches those of their own sessions.",
    query: MemoryQuerySchema,
    queryDescriptions: {
      search: "Words; a memory with any of them is found.",
      path: "Memories at this path and below it.",
    },
    answers: { 200: { description: "A page of memories.", json: FoundMemoriesSchema } },
    errors: ["conflict"],
  },
  {
    name: "updateSessionMemory",
    method: "PATCH",
    path: "/v1/sessions/{session_id}/memories/{memory_id}",
    access: "memories:write",
    verb: "memory",
    takes_issued_tokens: true,
    body: "small",
    tag: "Memory",
    summary: "Correct what is remembered of a session's end user",
    description: "As a memory of the store is corrected, by the end user.",
    headers: ["If-Match"],
    request: { json: MemoryUpdateSchema, examples: ["correctedMemory"] },
    answers: {
      200: { description: "The memory after it.", json: MemorySchema, headers: ["ETag"] },
    },
    errors: ["version_mismatch", "conflict", "quota_exceeded"],
  },
  {
    name: "deleteSessionMemory",
    method: "DELETE",
    path: "/v1/sessions/{session_id}/memories/{memory_id}",
    access: "memories:write",
    verb: "memory",
    takes_issued_tokens: true,
    body: "none",
    tag: "Memory",
    summary: "Delete what is remembered of a session's end user",
    description: "With all versions of the memory.",
    headers: ["If-Match"],
    answers: { 204: { description: "The memory is gone." } },
    errors: ["version_mismatch", "conflict"],
  },
] as const satisfies readonly DocumentedRoute[];
