// Asks every route of MCP servers for what the document promises of it.
import { env } from "cloudflare:workers";

import { DEFAULT_MCP_SERVERS } from "../../../protocol/quotas/limits.ts";
import { ask, makeTenant } from "./api.ts";
import { grantStorage } from "../../../storage/mcp/grant-storage.ts";
import { mintCall } from "./client-token.ts";
import type { DocumentedApi } from "./documented-api.ts";
import { makeMcpServer } from "./mcp-server.ts";

/** Everything that these routes promise, but for what a failing platform alone can show. */
export async function askMcp(api: DocumentedApi): Promise<void> {
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

/** A sign-in that nobody has ended. */
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
