// MCP servers and the connections to them. What the owner's server lists is kept; the server itself does not answer.
import { env } from "cloudflare:workers";

import type { McpServer } from "../../../protocol/mcp/contract.ts";
import { DEFAULT_MCP_SERVERS } from "../../../protocol/quotas/limits.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { grantStorage } from "../../../storage/mcp/grant-storage.ts";
import { ask, makeTenant } from "../../worker/support/api.ts";
import { mintCall } from "../../worker/support/client-token.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { makeMcpServer } from "../../worker/support/mcp-server.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

const url = "https://tool.example/mcp";

export const ROWS = {
  createMcpServer: {
    answers: 201,
    body: ({ word }) => ({ name: `new-${word.slice(0, 16)}`, url: `https://${word}.example/` }),
    places: [
      {
        where: "body credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (credential_id) => ({ name: "a", url, credential_id }),
        refused: 400,
      },
      {
        where: "body secret_headers",
        id: ({ ids }) => ids.credential_id,
        body: (id) => ({ name: "a", url, secret_headers: { "X-Api-Key": id } }),
        refused: 400,
      },
    ],
    shows: [],
    stores: ["+audit_entries", "+mcp_servers"],
    refusedBy: ["mcp_servers", "database_bytes"],
  },
  listMcpServers: { answers: 200, places: [pageToken(`mcp_${NEWEST}`)], shows: ["server"] },
  readMcpServer: { answers: 200, shows: ["server"] },
  updateMcpServer: {
    answers: 200,
    body: ({ word }) => ({ url: `https://new.${word}.example/` }),
    places: [
      {
        where: "body credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (credential_id) => ({ url, credential_id }),
        refused: 400,
      },
    ],
    shows: [],
    stores: ["+audit_entries", "~mcp_servers"],
    refusedBy: ["database_bytes"],
  },
  deleteMcpServer: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-connections", "-mcp_catalogues", "-mcp_servers"],
  },
  listMcpTools: { answers: 200, shows: ["server"] },
  /** The catalogue is kept, and the server is not there. */
  callMcpTool: {
    answers: 502,
    isSilent: true,
    body: () => ({ input: {} }),
    shows: [],
    stores: ["+audit_entries"],
    refusedBy: ["running_replies", "database_bytes"],
  },
  readSessionMcpResource: {
    // The session's agent names no MCP server.
    answers: 404,
    isSilent: true,
    query: ({ ids }) => `server_id=${ids.mcp_server_id}&uri=ui://wh/order`,
    places: [
      {
        where: "query server_id",
        id: ({ ids }) => ids.mcp_server_id,
        query: (server_id) => `server_id=${server_id}&uri=ui://wh/order`,
        refused: 404,
      },
    ],
    shows: [],
  },
  showSignIn: { answers: 404, isSilent: true, shows: [] },
  showIssuerSignIn: { answers: 404, isSilent: true, shows: [] },
  listConnections: {
    answers: 200,
    places: [
      {
        where: "query page",
        id: () => btoa(`con_${"z".repeat(26)}`).replaceAll("=", ""),
        query: (page) => `page=${page}`,
        refused: 200,
      },
      {
        where: "query mcp_server_id",
        id: ({ ids }) => ids.mcp_server_id,
        query: (id) => `mcp_server_id=${id}`,
        refused: 200,
      },
      {
        where: "query end_user_id",
        id: ({ ids }) => ids.end_user_id,
        query: (id) => `end_user_id=${encodeURIComponent(id)}`,
        refused: 200,
      },
    ],
    shows: ["user"],
  },
  readConnection: { answers: 200, shows: ["user"] },
  /** The sign-in is not done yet. */
  completeConnection: {
    answers: 409,
    isSilent: true,
    body: () => ({ code: "sc_1" }),
    shows: [],
    stores: [],
  },
  deleteConnection: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-connections"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createMcpServer() {
    const { call } = await makeTenant();
    return {
      path: "/v1/mcp-servers",
      call,
      json: { name: "wh", url: "https://mcp.example/" },
      other: { name: "wh", url: "https://other.example/" },
      count: async () =>
        (await ask<Page<McpServer>>("GET", "/v1/mcp-servers", call)).json.data.length,
    };
  },

  async callMcpTool() {
    const { call } = await makeTenant();
    const made = await makeMcpServer(call);
    return {
      path: `/v1/mcp-servers/${made.server.id}/tools/act/call`,
      call,
      json: { input: { times: 1 } },
      other: { input: { times: 2 } },
      count: async () => (await made.calls()).filter((name) => name === "act").length,
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { id: tenantId, call } = await makeTenant();
  const made = await makeMcpServer(call);
  const place = { mcp_server_id: made.server.id };
  const json = { name: "other", url: "https://mcp.example/" };
  const other = await api.ask<{ id: string }>("createMcpServer", {}, { ...call, json });
  await api.ask("createMcpServer", {}, { ...call, json });
  await api.ask("readMcpServer", place, call);
  await api.ask("listMcpServers", { query: "?limit=1" }, call);
  await api.ask("updateMcpServer", place, { ...call, json: { name: "other" } });

  await api.ask("listMcpTools", { ...place, query: "?refresh=true" }, call);
  await api.ask("listMcpTools", { ...place, query: "?refresh=maybe" }, call);
  const tool = (name: string) => ({ ...place, mcp_tool_name: name });
  await api.ask("callMcpTool", tool("act"), { ...call, json: { input: { times: 1 } } });
  await api.ask("callMcpTool", tool("act"), { ...call, json: { input: { times: "many" } } });
  await api.ask("callMcpTool", tool("broken"), { ...call, json: {} });
  await api.ask("updateMcpServer", place, { ...call, json: { timeout_ms: 1_000 } });
  await api.ask("callMcpTool", tool("hang"), { ...call, json: {} });
  await api.ask("updateMcpServer", place, { ...call, json: { timeout_ms: 60_000 } });
  const tools = [{ type: "mcp", server_id: made.server.id }];
  const agent = await ask<{ id: string }>("POST", "/v1/agents", {
    ...call,
    json: { name: "Desk", model: { provider: "scripted", name: "refund-desk" }, tools },
  });
  const { json: session } = await ask<{ id: string }>("POST", "/v1/sessions", {
    ...call,
    json: { agent_id: agent.json.id },
  });
  const read = (uri: string, server = made.server.id) => {
    const query = `?server_id=${server}&uri=${uri}`;
    return api.ask("readSessionMcpResource", { session_id: session.id, query }, call);
  };
  await read("ui://wh/order");
  await read("https://wh.example/order");
  await read("ui://wh/order", other.json.id);
  const dead = { ...call, json: { url: "http://localhost:1/" } };
  await api.ask("updateMcpServer", place, dead);
  await api.ask("listMcpTools", place, call);
  await read("ui://wh/order");

  await api.ask("showIssuerSignIn", { issuer_hash: "none" }, call);
  const reader = await mintCall(`/v1/sessions/${session.id}`, call, { verbs: ["read"] });
  await askConnections(api, { tenantId, mcp_server_id: other.json.id, call, reader });
  await api.ask("deleteMcpServer", { mcp_server_id: other.json.id }, call);
  await env.DB.batch(
    Array.from({ length: DEFAULT_MCP_SERVERS - 1 }, (_, index) =>
      env.DB.prepare(
        `INSERT INTO mcp_servers (id, tenant_id, name, definition, credential_ids, version, created_at, updated_at)
         VALUES (?, ?, ?, '{}', '[]', 1, 't', 't')`,
      ).bind(`mcp_${tenantId}_${index}`, tenantId, `n${index}`),
    ),
  );
  await api.ask("createMcpServer", {}, { ...call, json });
}

/** An open sign-in. */
async function askConnections(
  api: DocumentedApi,
  made: {
    readonly tenantId: string;
    readonly mcp_server_id: string;
    readonly call: Awaited<ReturnType<typeof makeTenant>>["call"];
    /** A client token that may only read. */
    readonly reader: Awaited<ReturnType<typeof mintCall>>;
  },
): Promise<void> {
  const { tenantId: tenant_id, mcp_server_id, call, reader } = made;
  const owner = { tenant_id, mcp_server_id, server_version: 1, end_user_id: "ada" };
  const { id } = await grantStorage(env, owner, () => undefined).ensure("{}");
  const place = { connection_id: id };
  await api.ask("listConnections", { query: "?end_user_id=ada" }, call);
  await api.ask("listConnections", { query: "?status=maybe" }, call);
  await api.ask("readConnection", place, call);
  await api.ask("completeConnection", place, { ...call, json: { code: "sc_1" } });
  await api.ask("completeConnection", place, { ...call, json: { code: 1 } });
  await api.ask("completeConnection", place, { ...reader, json: { code: "sc_1" } });
  await api.ask("deleteConnection", place, call);
}
