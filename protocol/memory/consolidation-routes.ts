// Routes on the consolidations of a memory store.
import type { DocumentedRoute } from "../requests/contract.ts";
import {
  MemoryConsolidationCreateSchema,
  MemoryConsolidationPageSchema,
  MemoryConsolidationQuerySchema,
  MemoryConsolidationSchema,
} from "./consolidation.ts";

const CONSOLIDATIONS = "/v1/memory-stores/{memory_store_id}/consolidations";

export const CONSOLIDATION_ROUTES = [
  {
    name: "createConsolidation",
    method: "POST",
    path: CONSOLIDATIONS,
    access: "memories:write",
    keeps_keys: "database",
    body: "small",
    tag: "Memory",
    summary: "Begin a consolidation",
    description: [
      "A model goes over the memories of the store in batches, and names those that say the same, are outdated or contradict",
      "each other; these are taken into one, and their versions stay listed. One runs at a time for a store: while it does,",
      "another one is `conflict`, with its id as `consolidation_id`.",
    ].join(" "),
    request: { json: MemoryConsolidationCreateSchema, examples: ["newConsolidation"] },
    answers: {
      202: {
        description: "The job, which goes on by itself.",
        json: MemoryConsolidationSchema,
        headers: ["Location"],
        examples: ["consolidation"],
      },
    },
    errors: ["conflict", "quota_exceeded"],
  },
  {
    name: "listConsolidations",
    method: "GET",
    path: CONSOLIDATIONS,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "List consolidations",
    description: "Newest first; the newest 100 of a store are kept.",
    query: MemoryConsolidationQuerySchema,
    answers: {
      200: { description: "A page of consolidations.", json: MemoryConsolidationPageSchema },
    },
  },
  {
    name: "readConsolidation",
    method: "GET",
    path: `${CONSOLIDATIONS}/{consolidation_id}`,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "Get a consolidation",
    description: "With what it has done so far, and what that has used.",
    answers: {
      200: {
        description: "The job.",
        json: MemoryConsolidationSchema,
        examples: ["consolidation"],
      },
    },
  },
  {
    name: "cancelConsolidation",
    method: "POST",
    path: `${CONSOLIDATIONS}/{consolidation_id}/cancel`,
    access: "memories:write",
    keeps_keys: "database",
    body: "none",
    tag: "Memory",
    summary: "Cancel a consolidation",
    description:
      "What it has written stays; the batch that it is at is not written. One that has ended stays as it is.",
    answers: {
      200: { description: "The job as it is now.", json: MemoryConsolidationSchema },
    },
  },
] as const satisfies readonly DocumentedRoute[];
