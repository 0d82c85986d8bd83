// Triggers and their runs.
import type { Credential } from "../../../protocol/credentials/contract.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { CreatedTrigger, TriggerRun } from "../../../protocol/triggers/contract.ts";
import { ask, makeAgent, makeTenant, type Call } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { cell } from "../../worker/support/read-cell.ts";
import { changeTenant } from "../../worker/support/tenant-use.ts";
import { askTriggerWebhooks } from "../ask-trigger-webhooks.ts";
import { credential } from "../definitions.ts";
import { inQuery, NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";
import type { StoreChange } from "../stores.ts";

const CHANGED: readonly StoreChange[] = ["+audit_entries", "~trigger.trigger_state", "~triggers"];

export const ROWS = {
  createTrigger: {
    answers: 201,
    body: ({ ids, word }) => ({ name: word, agent_id: ids.agent_id, input: `Hello ${word}` }),
    places: [
      {
        where: "body agent_id",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({ name: "Daily", agent_id, input: "Hello" }),
        refused: 404,
      },
      {
        where: "body room_id",
        id: ({ ids }) => ids.room_id,
        body: (room_id) => ({ name: "Daily", room_id, input: "Hello" }),
        refused: 404,
      },
    ],
    shows: [],
    stores: ["+audit_entries", "+trigger.trigger_state", "+triggers"],
    refusedBy: ["triggers", "database_bytes"],
  },
  listTriggers: {
    answers: 200,
    places: [
      pageToken(`trg_${NEWEST}`),
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("room_id", ({ ids }) => ids.room_id),
    ],
    shows: ["trigger"],
  },
  readTrigger: { answers: 200, shows: ["trigger"] },
  updateTrigger: {
    answers: 200,
    body: ({ word }) => ({ name: `Now ${word}` }),
    shows: ["trigger"],
    stores: CHANGED,
    refusedBy: ["database_bytes"],
  },
  deleteTrigger: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-trigger.runs", "-trigger.trigger_state", "-triggers"],
  },
  pauseTrigger: {
    answers: 200,
    shows: ["trigger"],
    stores: CHANGED,
    bounds: { audit_entries: "one for each pause" },
  },
  // The one of the world is not paused.
  unpauseTrigger: { answers: 200, shows: ["trigger"], stores: [] },
  rotateTriggerSecret: {
    answers: 200,
    body: () => ({}),
    shows: ["trigger"],
    stores: ["+audit_entries", "~triggers"],
    refusedBy: ["database_bytes"],
  },
  // A run of the world's trigger has not ended, so that this one is left out.
  createTriggerRun: {
    answers: 202,
    isSilent: true,
    body: ({ word }) => ({ payload: { word } }),
    shows: [],
    stores: ["+audit_entries", "+trigger.runs"],
    refusedBy: ["database_bytes"],
    bounds: { "trigger.runs": 50_000 },
  },
  listTriggerRuns: {
    answers: 200,
    places: [pageToken(`trun_${NEWEST}`)],
    shows: ["trigger"],
  },
  readTriggerRun: { answers: 200, shows: ["trigger"] },
  /** Nobody has signed it, its owner neither. */
  receiveTriggerWebhook: { answers: 401, isSilent: true, body: () => ({}), shows: [], stores: [] },
} satisfies ConceptRows;

async function makeTrigger(more: object = {}) {
  const { id: tenant_id, call } = await makeTenant();
  const { id: agent_id } = await makeAgent(call);
  const json = { name: "Daily", agent_id, input: "/say Hello.", ...more };
  const { json: trigger } = await ask<CreatedTrigger>("POST", "/v1/triggers", { ...call, json });
  return { tenant_id, call, agent_id, trigger, path: `/v1/triggers/${trigger.id}` };
}

/** The number of changes of its row since it was made. */
async function changesOf(id: string): Promise<number> {
  return Number(await cell("SELECT revision AS value FROM triggers WHERE id = ?", id)) - 1;
}

export const KEYED = {
  async createTrigger() {
    const { call } = await makeTenant();
    const { id: agent_id } = await makeAgent(call);
    return {
      path: "/v1/triggers",
      call,
      json: { name: "Daily", agent_id, input: "Hello" },
      other: { name: "Weekly", agent_id, input: "Hello" },
      secrets: [],
      count: () => countListed("/v1/triggers", call),
    };
  },
  async pauseTrigger() {
    const { call, path, trigger } = await makeTrigger();
    return { path: `${path}/pause`, call, count: () => changesOf(trigger.id) };
  },
  async unpauseTrigger() {
    const { call, path, trigger } = await makeTrigger();
    await ask("POST", `${path}/pause`, call);
    return {
      path: `${path}/unpause`,
      call,
      count: async () => (await changesOf(trigger.id)) - 1,
    };
  },
  async rotateTriggerSecret() {
    const { call, path, trigger } = await makeTrigger({ webhook: { form: "github" } });
    const read = (column: string) =>
      cell(`SELECT ${column} AS value FROM triggers WHERE id = ?`, trigger.id);
    const sealed = await read("sealed");
    return {
      path: `${path}/rotate-secret`,
      call,
      json: { overlap_ms: 60_000 },
      other: { overlap_ms: 1_000 },
      secrets: ["webhook.secret"],
      count: async () => ((await read("old_sealed")) === sealed ? 1 : 2),
    };
  },
  async createTriggerRun() {
    const { call, path } = await makeTrigger({ overlap: "allow" });
    return {
      path: `${path}/runs`,
      call,
      json: {},
      other: { payload: { a: 1 } },
      count: () => countListed(`${path}/runs`, call),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, agent_id, trigger, tenant_id } = await makeTrigger();
  const place = { trigger_id: trigger.id };
  const json = { name: "Weekly", agent_id, input: "/say Hello." };
  const hooked = { ...json, webhook: { form: "github" } };
  const { json: other } = await api.ask<CreatedTrigger>(
    "createTrigger",
    {},
    { ...call, json: hooked },
  );
  await api.ask("createTrigger", {}, { ...call, json: { ...json, agent_id: "agt_none" } });
  await askWithoutCredential(api, call);
  await askForRoom(api, call, agent_id);
  await askTriggerWebhooks(api, call, agent_id);
  await api.ask("listTriggers", {}, call);
  await api.ask("listTriggers", { query: "?limit=0" }, call);
  await api.ask("readTrigger", place, call);
  await api.ask("updateTrigger", place, { ...call, json: { name: "Now" } });
  await api.ask("pauseTrigger", place, call);
  await api.ask("unpauseTrigger", place, call);
  await api.ask("rotateTriggerSecret", place, { ...call, json: {} });
  await api.ask("rotateTriggerSecret", { trigger_id: other.id }, { ...call, json: {} });
  const { json: run } = await api.ask<TriggerRun>("createTriggerRun", place, { ...call, json: {} });
  await api.ask("listTriggerRuns", place, call);
  await api.ask("listTriggerRuns", { ...place, query: "?limit=0" }, call);
  await api.ask("readTriggerRun", { ...place, trigger_run_id: run.id }, call);
  await changeTenant(tenant_id, { quotas: { triggers: 0, database_bytes: 1 } });
  await api.ask("createTrigger", {}, { ...call, json });
  await api.ask("updateTrigger", place, { ...call, json: { name: "A longer name of it" } });
  await api.ask("createTriggerRun", place, { ...call, json: {} });
  await changeTenant(tenant_id, { quotas: { triggers: null, database_bytes: null } });
  await ask("DELETE", `/v1/agents/${agent_id}`, call);
  await api.ask("updateTrigger", place, { ...call, json: { agent_version: 1 } });
  await api.ask("unpauseTrigger", place, call);
  await api.ask("deleteTrigger", place, call);
}

/** A room may answer in place of an agent. */
async function askForRoom(api: DocumentedApi, call: Call, agent_id: string): Promise<void> {
  const participants = [{ name: "ann", agent_id }];
  const { json: room } = await ask<Room>("POST", "/v1/rooms", { ...call, json: { participants } });
  const json = { name: "Debate", room_id: room.id, input: "/say Hello." };
  await api.ask("createTrigger", {}, { ...call, json: { ...json, room_id: "room_none" } });
  await api.ask("createTrigger", {}, { ...call, json: { ...json, agent_id } });
  const made = await api.ask<CreatedTrigger>("createTrigger", {}, { ...call, json });
  const place = { trigger_id: made.json.id };
  await api.ask("listTriggers", { query: `?room_id=${room.id}` }, call);
  await api.ask("updateTrigger", place, { ...call, json: { session: { mode: "kept" } } });
  const { json: run } = await api.ask<TriggerRun>("createTriggerRun", place, { ...call, json: {} });
  await api.ask("readTriggerRun", { ...place, trigger_run_id: run.id }, call);
  await ask("DELETE", `/v1/rooms/${room.id}`, call);
  await api.ask("unpauseTrigger", place, call);
  await api.ask("deleteTrigger", place, call);
}

/** An agent whose credential was deleted begins nothing. */
async function askWithoutCredential(api: DocumentedApi, call: Call): Promise<void> {
  const { json: made } = await ask<Credential>("POST", "/v1/credentials", {
    ...call,
    json: credential("tool", "weekly"),
  });
  const url = "https://tool.example/";
  const tool = { type: "http", name: "t", url, credential_id: made.id };
  const { id: agent_id } = await makeAgent(call, { name: "Desk", tools: [tool] });
  await ask("DELETE", `/v1/credentials/${made.id}?force=true`, call);
  const json = { name: "Weekly", agent_id, input: "Hello" };
  await api.ask("createTrigger", {}, { ...call, json });
}
