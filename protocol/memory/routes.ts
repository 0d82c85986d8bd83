// Routes on memory stores, their memories and versions.
import { AGENT_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import {
  FoundMemoriesSchema,
  MemoryCreateSchema,
  MemoryQuerySchema,
  MemorySchema,
  MemoryStoreCreateSchema,
  MemoryStorePageSchema,
  MemoryStoreQuerySchema,
  MemoryStoreRecordSchema,
  MemoryUpdateSchema,
  MemoryVersionPageSchema,
  MemoryVersionQuerySchema,
  MemoryVersionSchema,
  RedactedMemorySchema,
} from "./contract.ts";
import { CONSOLIDATION_ROUTES } from "./consolidation-routes.ts";
import { CONSOLIDATION, MEMORY, NEW_MEMORY, REDACTED, STORE, VERSION } from "./examples.ts";
import { SESSION_MEMORY_ROUTES } from "./session-routes.ts";
import { MEMORY_WORDS } from "./words.ts";

const STORES = "/v1/memory-stores";

const MEMORY_ROUTES = [
  {
    name: "createMemoryStore",
    method: "POST",
    path: STORES,
    access: "memories:write",
    keeps_keys: "database",
    body: "small",
    tag: "Memory",
    summary: "Create a memory store",
    description:
      "The store of an agent and an end user, or of an agent alone. It is made with the first memory, too; one that is there is answered with 200.",
    request: { json: MemoryStoreCreateSchema, examples: ["newMemoryStore"] },
    answers: {
      200: {
        description: "The store that is there.",
        json: MemoryStoreRecordSchema,
        headers: ["Location"],
      },
      201: {
        description: "The new store.",
        json: MemoryStoreRecordSchema,
        headers: ["Location"],
        examples: ["memoryStore"],
      },
    },
    errors: ["not_found", "quota_exceeded"],
  },
  {
    name: "listMemoryStores",
    method: "GET",
    path: STORES,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "List memory stores",
    description: "Newest first; those of one agent or one end user with a filter.",
    query: MemoryStoreQuerySchema,
    queryDescriptions: {
      agent_id: "Stores of this agent.",
      end_user_id: "Stores of this end user.",
    },
    answers: { 200: { description: "A page of stores.", json: MemoryStorePageSchema } },
  },
  {
    name: "readMemoryStore",
    method: "GET",
    path: `${STORES}/{memory_store_id}`,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "Get a memory store",
    description: "With the number of its memories and its size.",
    answers: {
      200: { description: "The store.", json: MemoryStoreRecordSchema, examples: ["memoryStore"] },
    },
  },
  {
    name: "deleteMemoryStore",
    method: "DELETE",
    path: `${STORES}/{memory_store_id}`,
    access: "memories:write",
    body: "none",
    tag: "Memory",
    summary: "Delete a memory store",
    description:
      "With all memories and versions in it. What is remembered later is in a new store.",
    answers: { 204: { description: "The store is gone." } },
  },
  {
    name: "createMemory",
    method: "POST",
    path: `${STORES}/{memory_store_id}/memories`,
    access: "memories:write",
    keeps_keys: "database",
    body: "small",
    tag: "Memory",
    summary: "Create a memory",
    description: [
      "What is there is looked at first: a memory that says the same is answered with 200; one that says otherwise, or that",
      "is at the same `path`, gets a new version and is answered with 200.",
    ].join(" "),
    request: { json: MemoryCreateSchema, examples: ["newMemory"] },
    answers: {
      200: {
        description: "The memory that is there, or its new version.",
        json: MemorySchema,
        headers: ["Location", "ETag"],
      },
      201: {
        description: "The new memory.",
        json: MemorySchema,
        headers: ["Location", "ETag"],
        examples: ["memory"],
      },
    },
    errors: ["quota_exceeded", "memory_store_full"],
  },
  {
    name: "listMemories",
    method: "GET",
    path: `${STORES}/{memory_store_id}/memories`,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "List or search memories",
    description:
      "Newest first. With `search` the best ones, 50 at most, as the agent finds them; `note` says what was not found or not possible.",
    query: MemoryQuerySchema,
    queryDescriptions: {
      search: "Words; a memory with any of them is found.",
      path: "Memories at this path and below it.",
    },
    answers: { 200: { description: "A page of memories.", json: FoundMemoriesSchema } },
  },
  {
    name: "readMemory",
    method: "GET",
    path: `${STORES}/{memory_store_id}/memories/{memory_id}`,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "Get a memory",
    description: "As its newest version has it, whose number is also the `ETag`.",
    answers: {
      200: {
        description: "The memory.",
        json: MemorySchema,
        headers: ["ETag"],
        examples: ["memory"],
      },
    },
  },
  {
    name: "updateMemory",
    method: "PATCH",
    path: `${STORES}/{memory_store_id}/memories/{memory_id}`,
    access: "memories:write",
    body: "small",
    tag: "Memory",
    summary: "Correct a memory",
    description:
      "Makes a new version; the old one stays listed. With `If-Match` only at that version. A corrected text is not untrusted any more.",
    headers: ["If-Match"],
    request: { json: MemoryUpdateSchema, examples: ["correctedMemory"] },
    answers: {
      200: { description: "The memory after it.", json: MemorySchema, headers: ["ETag"] },
    },
    errors: ["version_mismatch", "conflict", "quota_exceeded"],
  },
  {
    name: "deleteMemory",
    method: "DELETE",
    path: `${STORES}/{memory_store_id}/memories/{memory_id}`,
    access: "memories:write",
    body: "none",
    tag: "Memory",
    summary: "Delete a memory",
    description: "With all its versions: nothing of it is left in the store.",
    headers: ["If-Match"],
    answers: { 204: { description: "The memory is gone." } },
    errors: ["version_mismatch"],
  },
  {
    name: "listMemoryVersions",
    method: "GET",
    path: `${STORES}/{memory_store_id}/versions`,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "List versions of memories",
    description: "Newest first, of all memories or of one; redacted ones without content.",
    query: MemoryVersionQuerySchema,
    queryDescriptions: { memory_id: "Versions of this memory." },
    answers: { 200: { description: "A page of versions.", json: MemoryVersionPageSchema } },
  },
  {
    name: "readMemoryVersion",
    method: "GET",
    path: `${STORES}/{memory_store_id}/versions/{memory_version_id}`,
    access: "memories:read",
    body: "none",
    tag: "Memory",
    summary: "Get a version of a memory",
    description: "As it was written; without content when it was redacted.",
    answers: {
      200: { description: "The version.", json: MemoryVersionSchema, examples: ["memoryVersion"] },
    },
  },
  {
    name: "redactMemoryVersion",
    method: "POST",
    path: `${STORES}/{memory_store_id}/versions/{memory_version_id}/redact`,
    access: "memories:write",
    keeps_keys: "database",
    body: "none",
    tag: "Memory",
    summary: "Redact a memory",
    description:
      "Takes the content of this version and of all others of its memory out of the store, its index and its vectors. The versions stay listed. Repeating it changes nothing.",
    answers: {
      200: {
        description: "What is gone.",
        json: RedactedMemorySchema,
        examples: ["redactedMemory"],
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const MEMORY_CONTRACT = {
  tags: { Memory: "What agents remember of their end users, or for all of them." },
  routes: [...MEMORY_ROUTES, ...CONSOLIDATION_ROUTES, ...SESSION_MEMORY_ROUTES],
  pathParameters: {
    memory_store_id: { form: "memstore", description: "The memory store." },
    memory_id: { form: "mem", description: "The memory." },
    memory_version_id: { form: "memver", description: "The version of a memory." },
    consolidation_id: { form: "memcon", description: "The consolidation." },
  },
  queryParameters: { memory_id: "Of this memory." },
  fields: MEMORY_WORDS,
  examples: {
    newMemoryStore: {
      summary: "For a customer of the shop",
      value: { agent_id: AGENT_ID, end_user_id: "customer-42" },
    },
    memoryStore: { summary: "Of a customer of the shop", value: STORE },
    newMemory: { summary: "Where parcels go", value: NEW_MEMORY },
    memory: { summary: "Where parcels go", value: MEMORY },
    correctedMemory: {
      summary: "The customer has moved",
      value: { content: "Parcels go to the office in Hamburg." },
    },
    memoryVersion: { summary: "Where parcels went", value: VERSION },
    newConsolidation: {
      summary: "With words for the model",
      value: { instructions: "Keep what is said about deliveries apart." },
    },
    consolidation: { summary: "Two memories that say the same are one", value: CONSOLIDATION },
    redactedMemory: { summary: "Nothing of it is left", value: REDACTED },
  },
} as const satisfies Contract;
