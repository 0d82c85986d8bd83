// One row for each route of the table: how its owner calls it, and where else than in the path a request can carry
// an id. A route without a row does not compile, and fails the suite.
import type { RouteName } from "../../protocol/routes.ts";
import { AGENT_MCP_ROWS } from "./rows-agent-mcp.ts";
import { AG_UI_ROWS } from "./rows-ag-ui.ts";
import { CONVERSATION_ROWS } from "./rows-conversation.ts";
import { FILE_ROWS } from "./rows-files.ts";
import { INBOUND_ROWS } from "./rows-inbound.ts";
import { SKILL_PLACES, SKILL_ROWS } from "./rows-skills.ts";
import { CONNECTION_ROWS, MCP_ROWS } from "./rows-mcp.ts";
import { inQuery, PEOPLE_ROWS } from "./rows-people.ts";
import type { Place, Row } from "./row.ts";

/** A token that stands before everything that any tenant has in this list. */
function pageToken(start: string): Place {
  return {
    where: "query page",
    id: () => btoa(start).replaceAll("=", ""),
    query: (page) => `page=${page}`,
    refused: 200,
  };
}
const NEWEST = "z".repeat(26);
const tenantInBody: Place = {
  where: "body tenant_id",
  id: ({ ids }) => ids.tenant_id,
  body: (tenant_id) => ({ tenant_id }),
  refused: 404,
};
const tenantInQuery: Place = {
  where: "query tenant_id",
  id: ({ ids }) => ids.tenant_id,
  query: (id) => `tenant_id=${id}`,
  refused: 404,
};
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
const mcpPlace: Place = {
  where: "body tools.0.server_id",
  id: ({ ids }) => ids.mcp_server_id,
  body: (server_id) => ({ name: "A", tools: [{ type: "mcp", server_id }] }),
  refused: 400,
};
const TOOL = { type: "http", name: "t", url: "https://tool.example/" };

export const ROWS = {
  readHealth: { answers: 200, isSilent: true },
  readReadiness: { answers: 200, isSilent: true },
  readOpenApi: { answers: 200, isSilent: true },
  readLlmsText: { answers: 200, isSilent: true },
  readDocs: { answers: 200, isSilent: true },

  createTenant: { answers: 201, body: ({ word }) => ({ name: word }) },
  listTenants: { answers: 200, query: () => "limit=100" },
  readTenant: { answers: 200 },
  updateTenant: { answers: 200, body: ({ word }) => ({ name: `New ${word}` }) },
  readOperatorHealth: { answers: 200, isSilent: true },
  deleteTenant: { answers: 204, isSilent: true },

  createApiKey: { answers: 201, body: ({ word }) => ({ name: word }), places: [tenantInBody] },
  listApiKeys: {
    answers: 200,
    query: () => "limit=100",
    places: [tenantInQuery, pageToken(`key_${NEWEST}`)],
  },
  rotateApiKey: { answers: 200, body: () => ({}), places: [tenantInBody] },
  revokeApiKeys: {
    answers: 200,
    isSilent: true,
    body: () => ({ reason: "leaked" }),
    places: [tenantInBody],
  },
  revokeApiKey: { answers: 204, isSilent: true, places: [tenantInQuery] },

  createConsoleLink: { answers: 201, isSilent: true, body: () => ({}) },

  createCredential: {
    answers: 201,
    body: ({ word }) => ({
      name: word,
      type: "model",
      secret: "sk-1",
      allowed_hosts: ["api.openai.com"],
    }),
  },
  listCredentials: { answers: 200, places: [pageToken(`crd_${NEWEST}`)] },
  readCredential: { answers: 200 },
  updateCredential: { answers: 200, body: ({ word }) => ({ name: `New ${word}` }) },
  deleteCredential: { answers: 204, isSilent: true },

  createAgent: {
    answers: 201,
    body: ({ word, ids }) => ({
      name: word,
      tools: [{ ...TOOL, credential_id: ids.credential_id }],
    }),
    places: [...credentialPlaces, ...SKILL_PLACES, mcpPlace],
  },
  listAgents: { answers: 200, places: [pageToken(`agt_${NEWEST}`)] },
  readAgent: { answers: 200 },
  updateAgent: {
    answers: 200,
    body: ({ word }) => ({ name: `New ${word}` }),
    places: credentialPlaces,
  },
  deleteAgent: { answers: 204, isSilent: true },
  listAgentVersions: { answers: 200, places: [pageToken("9")] },
  checkAgent: { answers: 200, isSilent: true, body: () => ({}) },
  createReplay: {
    answers: 200,
    body: ({ ids }) => ({ session_id: ids.session_id }),
    isSilent: true,
    places: [
      {
        where: "body session_id",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({ session_id }),
        refused: 404,
      },
    ],
  },
  callTool: {
    answers: 200,
    body: ({ ids }) => ({ session_id: ids.session_id }),
    places: [
      {
        where: "body session_id",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({ session_id }),
        refused: 404,
      },
    ],
  },
  readAgentVersion: { answers: 200 },
  updateAgentVersion: { answers: 200, body: () => ({ retired: false }) },
  testAgentPermission: { answers: 200, isSilent: true, body: ({ word }) => ({ tool_name: word }) },
  simulatePermission: {
    answers: 200,
    isSilent: true,
    body: () => ({ permission: {} }),
    places: [
      {
        where: "body page",
        id: ({ ids }) => ids.session_id,
        body: (id) => ({ permission: {}, page: btoa(JSON.stringify([null, [[id, 99, 0]]])) }),
        refused: 200,
        unlike: [400],
      },
    ],
  },

  createSession: {
    answers: 201,
    body: ({ ids, word }) => ({ agent_id: ids.agent_id, metadata: { word } }),
    places: [
      {
        where: "body agent_id",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({ agent_id }),
        refused: 404,
      },
      {
        where: "body tools.0.credential_id",
        id: ({ ids }) => ids.credential_id,
        // Credentials are checked before the agent is looked for.
        body: (credential_id) => ({ agent_id: "agt_none", tools: [{ ...TOOL, credential_id }] }),
        refused: 400,
      },
    ],
  },
  listSessions: {
    answers: 200,
    places: [
      pageToken(`9999-12-31T23:59:59.999Z ses_${NEWEST}`),
      {
        where: "query agent_id",
        id: ({ ids }) => ids.agent_id,
        query: (id) => `agent_id=${id}`,
        refused: 200,
      },
      {
        where: "query end_user_id",
        id: ({ end_user_id }) => end_user_id,
        query: (id) => `end_user_id=${id}`,
        refused: 200,
      },
      {
        where: "query status of a session that only the owner has",
        id: () => "awaiting_permission",
        query: (status) => `status=${status}&created_after=2020-01-01T00:00:00.000Z`,
        refused: 200,
      },
    ],
  },
  readSession: { answers: 200 },
  updateSession: {
    answers: 200,
    body: ({ word }) => ({ metadata: { word, changed: true } }),
    places: [
      {
        where: "body tools.0.credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (credential_id) => ({ tools: [{ ...TOOL, credential_id }] }),
        refused: 400,
      },
    ],
  },
  deleteSession: { answers: 204, isSilent: true },

  createReply: { answers: 200, body: ({ word }) => ({ input: `Again ${word}` }) },
  listReplies: { answers: 200, isSilent: true },
  readReply: { answers: 200, isSilent: true },
  readDiagnostics: { answers: 200, isSilent: true },
  interrupt: { answers: 200, isSilent: true },

  readEvents: {
    answers: 200,
    places: [
      {
        where: "query reply_id",
        id: ({ ids }) => ids.reply_id,
        query: (id) => `reply_id=${id}`,
        refused: 404,
      },
    ],
  },
  listMessages: { answers: 200 },
  readMessage: { answers: 200 },

  ...CONVERSATION_ROWS,
  ...AG_UI_ROWS,
  ...SKILL_ROWS,
  ...AGENT_MCP_ROWS,
  ...CONNECTION_ROWS,
  ...MCP_ROWS,
  ...FILE_ROWS,
  ...PEOPLE_ROWS,
  ...INBOUND_ROWS,

  readLimits: { answers: 200, isSilent: true, places: [tenantInQuery] },
  listModels: { answers: 200, isSilent: true, places: [pageToken("1")] },
  readUsage: {
    answers: 200,
    query: () => "group_by=day,agent,model,end_user",
    places: [
      { ...pageToken("1"), query: (page) => `group_by=day,agent,model&page=${page}` },
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("end_user_id", ({ end_user_id }) => end_user_id),
      inQuery("model_name", ({ word }) => `model-${word}-usage`),
    ],
  },

  listAudit: {
    answers: 200,
    query: () => "limit=100",
    places: [
      tenantInQuery,
      pageToken(`aud_${NEWEST}`),
      {
        where: "query actor_id",
        id: ({ ids }) => ids.key_id,
        query: (id) => `actor_id=${id}`,
        refused: 200,
      },
      {
        where: "query target_id",
        id: ({ ids }) => ids.agent_id,
        query: (id) => `target_id=${id}`,
        refused: 200,
      },
    ],
  },

  createWebhookEndpoint: {
    answers: 201,
    body: ({ word }) => ({ url: `https://${word}.example/`, events: ["*"] }),
  },
  listWebhookEndpoints: { answers: 200, places: [pageToken(`whk_${NEWEST}`)] },
  readWebhookEndpoint: { answers: 200 },
  updateWebhookEndpoint: { answers: 200, body: ({ word }) => ({ description: `New ${word}` }) },
  deleteWebhookEndpoint: { answers: 204, isSilent: true },
  rotateWebhookSecret: { answers: 200, body: () => ({}) },
  listWebhookDeliveries: { answers: 200, isSilent: true },
  readWebhookDelivery: { answers: 200 },
  testWebhookEndpoint: { answers: 202, isSilent: true },
  redeliverWebhook: { answers: 202, isSilent: true },
} as const satisfies Record<RouteName, Row>;
