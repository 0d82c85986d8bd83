// Memory stores, their memories and versions, consolidations, and the end user's view of them.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import type { MemoryConsolidation } from "../../../protocol/memory/consolidation.ts";
import type { Memory, MemoryStoreRecord } from "../../../protocol/memory/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { changeTenant } from "../../worker/support/tenant-use.ts";
import { inQuery, NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";
import type { StoreChange } from "../stores.ts";

const FORGOTTEN: readonly StoreChange[] = [
  "+audit_entries",
  "-memory.memories",
  "~memory.store",
  "-memory.versions",
  "~memory_stores",
];
const CORRECTED: readonly StoreChange[] = [
  "~memory.memories",
  "~memory.store",
  "+memory.versions",
  "~memory_stores",
];

export const ROWS = {
  createMemoryStore: {
    answers: 201,
    body: ({ ids, word }) => ({ agent_id: ids.agent_id, end_user_id: `new-${word}` }),
    places: [
      {
        where: "body agent_id",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({ agent_id }),
        refused: 404,
      },
    ],
    shows: [],
    stores: ["+audit_entries", "+memory.store", "+memory_stores"],
    refusedBy: ["memory_stores", "stored_bytes", "database_bytes"],
  },
  listMemoryStores: {
    answers: 200,
    places: [
      pageToken(`9999-12-31T23:59:59.999Z memstore_${NEWEST}`),
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("end_user_id", ({ ids }) => ids.end_user_id),
    ],
    shows: ["user"],
  },
  readMemoryStore: { answers: 200, shows: ["user"] },
  deleteMemoryStore: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: [
      "+audit_entries",
      "-memory.consolidations",
      "-memory.memories",
      "-memory.records",
      "-memory.store",
      "-memory.versions",
      "-memory_stores",
    ],
  },
  createMemory: {
    answers: 201,
    body: ({ word }) => ({ content: `New ${word}` }),
    shows: [],
    stores: [
      "+memory.memories",
      "+memory.records",
      "~memory.store",
      "+memory.versions",
      "~memory_stores",
    ],
    refusedBy: ["stored_bytes"],
  },
  listMemories: {
    answers: 200,
    places: [pageToken(`mem_${NEWEST}`)],
    shows: ["memory"],
  },
  readMemory: { answers: 200, shows: ["memory"] },
  updateMemory: {
    answers: 200,
    body: ({ word }) => ({ content: `Now ${word}` }),
    shows: [],
    stores: ["+audit_entries", ...CORRECTED],
    refusedBy: ["stored_bytes", "database_bytes"],
  },
  deleteMemory: { answers: 204, isSilent: true, shows: [], stores: FORGOTTEN },
  listMemoryVersions: {
    answers: 200,
    places: [pageToken(`memver_${NEWEST}`), inQuery("memory_id", ({ ids }) => ids.memory_id)],
    shows: ["memory"],
  },
  readMemoryVersion: { answers: 200, shows: ["memory"] },
  redactMemoryVersion: {
    answers: 200,
    isSilent: true,
    shows: [],
    stores: [
      "+audit_entries",
      "-memory.memories",
      "~memory.store",
      "~memory.versions",
      "~memory_stores",
    ],
    bounds: { audit_entries: "one for each version" },
  },
  createConsolidation: {
    answers: 202,
    body: ({ word }) => ({ instructions: `Now ${word}` }),
    shows: [],
    stores: ["+audit_entries", "+memory.consolidations", "~memory_stores"],
    refusedBy: ["stored_bytes", "running_replies", "tokens_per_day", "database_bytes"],
  },
  listConsolidations: {
    answers: 200,
    places: [pageToken(`memcon_${NEWEST}`)],
    shows: ["memory"],
  },
  readConsolidation: { answers: 200, shows: ["memory"] },
  // The one of the world has ended, and stays as it is.
  cancelConsolidation: { answers: 200, shows: ["memory"], stores: [] },
  listSessionMemories: {
    answers: 200,
    places: [pageToken(`mem_${NEWEST}`)],
    shows: ["memory"],
  },
  updateSessionMemory: {
    answers: 200,
    body: ({ word }) => ({ content: `Now ${word}` }),
    shows: [],
    stores: ["+audit_entries", ...CORRECTED],
    refusedBy: ["stored_bytes", "database_bytes"],
  },
  deleteSessionMemory: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: FORGOTTEN,
  },
} satisfies ConceptRows;

async function makeStore() {
  const { id: tenant_id, call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", memory: {} });
  const json = { agent_id: agent.id, end_user_id: "ada" };
  const { json: store } = await ask<MemoryStoreRecord>("POST", "/v1/memory-stores", {
    ...call,
    json,
  });
  return { tenant_id, call, agent, store, path: `/v1/memory-stores/${store.id}` };
}

async function keyedMemory() {
  const { call, path } = await makeStore();
  return {
    path: `${path}/memories`,
    call,
    json: { content: "Likes tea." },
    other: { content: "Likes coffee." },
    count: () => countListed(`${path}/memories`, call),
  };
}

async function keyedRedaction() {
  const { call, path } = await makeStore();
  const made = { ...call, json: { content: "Likes tea." } };
  const { json } = await ask<Memory>("POST", `${path}/memories`, made);
  return {
    path: `${path}/versions/${json.version_id}/redact`,
    call,
    count: async () => 1 - (await countListed(`${path}/memories`, call)),
  };
}

async function keyedConsolidation() {
  const { call, path } = await makeStore();
  return {
    path: `${path}/consolidations`,
    call,
    json: { instructions: "Keep drinks apart." },
    other: { instructions: "Keep food apart." },
    count: () => countListed(`${path}/consolidations`, call),
  };
}

/** A consolidation that goes on, and whose timer is far away. */
async function openConsolidation() {
  const made = await makeStore();
  const { call, path, tenant_id, store } = made;
  const at = `${path}/consolidations`;
  const { json: job } = await ask<MemoryConsolidation>("POST", at, { ...call, json: {} });
  const read = async () => (await ask<MemoryConsolidation>("GET", `${at}/${job.id}`, call)).json;
  await waitUntil(async () => (await read()).ended_at ?? undefined);
  const stub = env.MEMORY.getByName(memoryObjectName(tenant_id, store.id));
  await runInDurableObject(stub, (_, { storage }) =>
    storage.sql.exec("UPDATE consolidations SET status = 'running', ended_at = NULL"),
  );
  return { ...made, job, read };
}

async function keyedCancel() {
  const { call, path, job, read } = await openConsolidation();
  return {
    path: `${path}/consolidations/${job.id}/cancel`,
    call,
    count: async () => ((await read()).status === "cancelled" ? 1 : 0),
  };
}

export const KEYED = {
  async createMemoryStore() {
    const { call } = await makeTenant();
    const { id: agent_id } = await makeAgent(call, { name: "Desk", memory: {} });
    return {
      path: "/v1/memory-stores",
      call,
      json: { agent_id, end_user_id: "ada" },
      other: { agent_id, end_user_id: "bea" },
      count: () => countListed("/v1/memory-stores", call),
    };
  },
  createMemory: keyedMemory,
  redactMemoryVersion: keyedRedaction,
  createConsolidation: keyedConsolidation,
  cancelConsolidation: keyedCancel,
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { tenant_id, call, agent } = await makeStore();
  const newStore = { ...call, json: { agent_id: agent.id, end_user_id: "bea" } };
  const { json: store } = await api.ask<MemoryStoreRecord>("createMemoryStore", {}, newStore);
  await api.ask("createMemoryStore", {}, newStore);
  await api.ask("createMemoryStore", {}, { ...call, json: { agent_id: "agt_none" } });
  const place = { memory_store_id: store.id };
  await api.ask("listMemoryStores", {}, call);
  await api.ask("readMemoryStore", place, call);
  const tea = { ...call, json: { content: "Likes tea.", path: "drinks" } };
  const { json: memory } = await api.ask<Memory>("createMemory", place, tea);
  await api.ask("createMemory", place, tea);
  await changeTenant(tenant_id, { quotas: { memories_per_store: 1 } });
  await api.ask("createMemory", place, { ...call, json: { content: "Has a dog." } });
  await changeTenant(tenant_id, { quotas: { memories_per_store: null } });
  const other = { ...call, json: { content: "Has a cat." } };
  const { json: cat } = await api.ask<Memory>("createMemory", place, other);
  await api.ask("listMemories", { ...place, query: "?search=tea" }, call);
  await api.ask("listMemories", { ...place, query: "?limit=0" }, call);
  const [at, of] = [
    { ...place, memory_id: memory.id },
    { ...place, memory_version_id: memory.version_id },
  ];
  await api.ask("readMemory", at, call);
  const corrected = { ...call, json: { content: "Likes green tea." } };
  const stale = { headers: { "If-Match": '"9"' } };
  const taken = { ...call, json: { path: "drinks" } };
  await api.ask("updateMemory", at, { ...corrected, ...stale });
  await api.ask("updateMemory", { ...place, memory_id: cat.id }, taken);
  await api.ask("updateMemory", at, corrected);
  await api.ask("listMemoryVersions", place, call);
  await api.ask("readMemoryVersion", of, call);
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "bea" });
  const third = { ...call, json: { content: "Has a fish." } };
  const { json: fish } = await api.ask<Memory>("createMemory", place, third);
  await askInSession(api, call, session, { memory, cat, fish });
  await api.ask("deleteMemory", at, { ...call, ...stale });
  await changeTenant(tenant_id, { quotas: { stored_bytes: 1, memory_stores: 1 } });
  await api.ask("createMemory", place, { ...call, json: { content: "Has a bird." } });
  await api.ask("updateMemory", at, { ...call, json: { content: "Likes black tea." } });
  await api.ask("createMemoryStore", {}, { ...call, json: { agent_id: agent.id } });
  await api.ask("redactMemoryVersion", of, call);
  await api.ask("deleteMemory", { ...place, memory_id: cat.id }, call);
  await api.ask("deleteMemoryStore", place, call);
  await askForConsolidations(api);
}

async function askForConsolidations(api: DocumentedApi): Promise<void> {
  const { call, store, job, tenant_id } = await openConsolidation();
  const place = { memory_store_id: store.id };
  const at = { ...place, consolidation_id: job.id };
  const empty = { ...call, json: {} };
  await api.ask("createConsolidation", place, empty);
  await api.ask("listConsolidations", place, call);
  await api.ask("listConsolidations", { ...place, query: "?limit=0" }, call);
  await api.ask("readConsolidation", at, call);
  await api.ask("cancelConsolidation", at, call);
  await api.ask("createConsolidation", place, { ...call, json: { model: "none" } });
  await api.ask("createConsolidation", place, empty);
  await changeTenant(tenant_id, { quotas: { stored_bytes: 1 } });
  await api.ask("createConsolidation", place, empty);
}

async function askInSession(
  api: DocumentedApi,
  call: { readonly key: string },
  session: Session,
  { memory, cat, fish }: Readonly<Record<"memory" | "cat" | "fish", Memory>>,
): Promise<void> {
  const place = { session_id: session.id };
  const at = { ...place, memory_id: memory.id };
  const change = { ...call, json: { content: "Likes white tea." } };
  const stale = { headers: { "If-Match": '"9"' } };
  await api.ask("listSessionMemories", place, call);
  await api.ask("listSessionMemories", { ...place, query: "?limit=0" }, call);
  await api.ask("updateSessionMemory", at, { ...change, ...stale });
  await api.ask(
    "updateSessionMemory",
    { ...place, memory_id: cat.id },
    { ...call, json: { path: "drinks" } },
  );
  await api.ask("updateSessionMemory", at, change);
  await api.ask("deleteSessionMemory", at, { ...call, ...stale });
  await api.ask("deleteSessionMemory", { ...place, memory_id: fish.id }, call);
  const { id: agent_id } = await makeAgent(call);
  const plain = { session_id: (await makeSession(call, { agent_id })).id, memory_id: memory.id };
  await api.ask("listSessionMemories", plain, call);
  await api.ask("deleteSessionMemory", plain, call);
}
