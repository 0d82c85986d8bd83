// Agents and their versions.
import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, type Call, makeTenant } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import { makeCredential } from "../../worker/support/credentials.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { NEWEST, pageToken, TOOL } from "../places.ts";
import type { ConceptRows, Place } from "../row.ts";

/** Places at which a definition names a credential. */
const credentialPlaces: readonly Place[] = [
  {
    where: "body model.credential_id",
    id: ({ model_credential_id }) => model_credential_id,
    body: (credential_id) => ({
      name: "A",
      model: { provider: "openai", name: "m", credential_id },
    }),
    refused: 400,
  },
  {
    where: "body fallback_models.0.credential_id",
    id: ({ model_credential_id }) => model_credential_id,
    body: (credential_id) => ({
      name: "A",
      fallback_models: [{ provider: "openai", name: "m", credential_id }],
    }),
    refused: 400,
  },
  {
    where: "body tools.0.credential_id",
    id: ({ ids }) => ids.credential_id,
    body: (credential_id) => ({ name: "A", tools: [{ ...TOOL, credential_id }] }),
    refused: 400,
  },
  {
    where: "body tools.0.signing_credential_id",
    id: ({ ids }) => ids.credential_id,
    body: (signing_credential_id) => ({ name: "A", tools: [{ ...TOOL, signing_credential_id }] }),
    refused: 400,
  },
  {
    where: "body tools.0.secret_headers",
    id: ({ ids }) => ids.credential_id,
    body: (id) => ({ name: "A", tools: [{ ...TOOL, secret_headers: { "X-Api-Key": id } }] }),
    refused: 400,
  },
];
/** Places at which a definition names a skill. */
const skillPlaces: readonly Place[] = [
  {
    where: "body skills.0",
    id: ({ ids }) => ids.skill_id,
    body: (skill_id) => ({ name: "A", skills: [skill_id] }),
    refused: 400,
  },
  {
    where: "body skills.0.id",
    id: ({ ids }) => ids.skill_id,
    body: (id) => ({ name: "A", skills: [{ id, version: 1 }] }),
    refused: 400,
  },
];
const mcpPlace: Place = {
  where: "body tools.0.server_id",
  id: ({ ids }) => ids.mcp_server_id,
  body: (server_id) => ({ name: "A", tools: [{ type: "mcp", server_id }] }),
  refused: 400,
};

export const ROWS = {
  createAgent: {
    answers: 201,
    body: ({ word, ids }) => ({
      name: word,
      tools: [{ ...TOOL, credential_id: ids.credential_id }],
    }),
    places: [...credentialPlaces, ...skillPlaces, mcpPlace],
    shows: [],
    stores: ["+agent_versions", "+agents", "+audit_entries"],
    refusedBy: ["agents", "agent_versions", "stored_bytes", "database_bytes"],
  },
  listAgents: { answers: 200, places: [pageToken(`agt_${NEWEST}`)], shows: ["agent"] },
  readAgent: { answers: 200, shows: ["agent"] },
  updateAgent: {
    answers: 200,
    body: ({ word }) => ({ name: `New ${word}` }),
    places: credentialPlaces,
    shows: ["agent"],
    stores: ["+agent_versions", "~agents", "+audit_entries"],
    refusedBy: ["agent_versions", "stored_bytes", "database_bytes"],
  },
  deleteAgent: {
    answers: 204,
    isSilent: true,
    shows: [],
    // Its memory stores go with it, and its triggers are paused.
    stores: [
      "-agent_versions",
      "~agents",
      "+audit_entries",
      "-memory.consolidations",
      "-memory.memories",
      "-memory.records",
      "-memory.store",
      "-memory.versions",
      "-memory_stores",
      "~triggers",
    ],
  },
  listAgentVersions: { answers: 200, places: [pageToken("9")], shows: ["agent"] },
  readAgentVersion: { answers: 200, shows: ["agent"] },
  // The version is not retired before either.
  updateAgentVersion: {
    answers: 200,
    body: () => ({ retired: false }),
    shows: ["agent"],
    stores: [],
  },
  listRemoteAgents: { answers: 200, isSilent: true, shows: [] },
  checkAgent: {
    answers: 200,
    isSilent: true,
    body: () => ({}),
    shows: [],
    stores: ["+audit_entries"],
    refusedBy: ["running_replies", "database_bytes"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createAgent() {
    const { call } = await makeTenant();
    return {
      path: "/v1/agents",
      call,
      json: { name: "Refund desk" },
      other: { name: "Front desk" },
      count: () => countListed("/v1/agents", call),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const { id: credential_id } = await makeCredential(call);
  const json = api.exampleOf("createAgent", "refundDesk");
  await api.ask("createAgent", { query: "?validate_only=true" }, { ...call, json });
  const agent = await api.ask<Agent>("createAgent", {}, { ...call, json });
  const place = { agent_id: agent.json.id };
  const openai = { provider: "openai", name: "some-model", credential_id };
  await api.ask("updateAgent", place, { ...call, json: { model: openai } });
  await api.ask("readAgent", place, call);
  await api.ask("listAgents", {}, call);
  await api.ask("listAgentVersions", place, call);
  await api.ask("readAgentVersion", { ...place, version: "1" }, call);
  await api.ask("listRemoteAgents", place, call);
  await api.ask("checkAgent", place, { ...call, json: {} });
  await api.ask("checkAgent", place, { ...call, json: { version: 99 } });
  await askOfGoneCredential(api, { place, credential_id, call });
  const retired = api.exampleOf("updateAgentVersion", "retiredVersion");
  await api.ask("updateAgentVersion", { ...place, version: "1" }, { ...call, json: retired });
  await api.ask("updateAgentVersion", { ...place, version: "2" }, { ...call, json: retired });
  await api.ask("deleteAgent", place, call);
}

/** Sessions of a version whose credential is gone. */
async function askOfGoneCredential(
  api: DocumentedApi,
  made: {
    readonly place: { agent_id: string };
    readonly credential_id: string;
    readonly call: Call;
  },
): Promise<void> {
  const { place, credential_id, call } = made;
  const json = { ...place, agent_version: 1 };
  const session = await api.ask<Session>("createSession", {}, { ...call, json });
  await ask("DELETE", `/v1/credentials/${credential_id}`, call);
  await api.ask("createSession", {}, { ...call, json: { ...place, agent_version: 2 } });
  const sessionPlace = { session_id: session.json.id };
  await api.ask("updateSession", sessionPlace, { ...call, json: { agent_version: 2 } });
}
