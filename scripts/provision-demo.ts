// Creates the demo's tenant, key, agent and session over HTTP; reuses existing ones.
import { isDeepStrictEqual } from "node:util";

import { openApi, readString } from "./local-api.ts";
import type { LocalApi } from "./local-api.ts";
import { refundDeskAgent } from "./refund-desk-agent.ts";

/** `api_key` and `agent_id` of an earlier start, if any. */
export interface DemoIds {
  readonly api_key?: string;
  readonly agent_id?: string;
  readonly session_id?: string;
}

export interface DemoOptions {
  readonly baseUrl: string;
  readonly operatorKey: string;
  readonly toolsPort: number;
  readonly known: DemoIds;
}

export async function provisionDemo(options: DemoOptions): Promise<Required<DemoIds>> {
  const { baseUrl, operatorKey, toolsPort, known } = options;
  const apiKey = (await ensureKey(baseUrl, known)) ?? (await createTenant(baseUrl, operatorKey));
  const tenant = openApi(baseUrl, apiKey);
  const agentId =
    (await ensureAgent(tenant, known, toolsPort)) ??
    (await create(tenant, "agents", refundDeskAgent(toolsPort)));
  const sessionId =
    (await ensureSession(tenant, known, agentId)) ??
    (await create(tenant, "sessions", { agent_id: agentId }));
  return { api_key: apiKey, agent_id: agentId, session_id: sessionId };
}

async function ensureKey(baseUrl: string, known: DemoIds): Promise<string | undefined> {
  if (known.api_key === undefined) return undefined;
  const { status } = await openApi(baseUrl, known.api_key).call("GET", "/v1/agents?limit=1");
  return status === 200 ? known.api_key : undefined;
}

async function createTenant(baseUrl: string, operatorKey: string): Promise<string> {
  const operator = openApi(baseUrl, operatorKey);
  const tenant = await operator.call("POST", "/v1/tenants", { name: "Demo shop" });
  const key = await operator.call("POST", "/v1/api-keys", {
    tenant_id: readString(tenant, "id"),
    name: "npm start",
    mode: "test",
  });
  return readString(key, "api_key");
}

/** Updates the agent's tools: their URL may have changed, or an older version had fewer. */
async function ensureAgent(
  tenant: LocalApi,
  known: DemoIds,
  toolsPort: number,
): Promise<string | undefined> {
  if (known.agent_id === undefined) return undefined;
  const path = `/v1/agents/${known.agent_id}`;
  const agent = await tenant.call("GET", path);
  if (agent.status !== 200) return undefined;
  const { tools = [], permission } = refundDeskAgent(toolsPort);
  if (!isDeepStrictEqual(outline(agent.body?.["tools"]), outline(tools))) {
    await tenant.call("PATCH", path, { tools, permission });
  }
  return known.agent_id;
}

/** Replaces a session that was killed in the middle of a reply, or whose agent version has outdated tools. */
async function ensureSession(
  tenant: LocalApi,
  known: DemoIds,
  agentId: string,
): Promise<string | undefined> {
  if (known.session_id === undefined || known.agent_id !== agentId) return undefined;
  const session = await tenant.call("GET", `/v1/sessions/${known.session_id}`);
  const agent = await tenant.call("GET", `/v1/agents/${agentId}`);
  const isCurrent = session.body?.["agent_version"] === agent.body?.["version"];
  return isCurrent && session.body?.["status"] === "idle" ? known.session_id : undefined;
}

async function create(tenant: LocalApi, resource: string, body: object): Promise<string> {
  return readString(await tenant.call("POST", `/v1/${resource}`, body), "id");
}

/** The members of the tools by which versions of the demo differ. */
function outline(tools: unknown): unknown[] {
  if (!Array.isArray(tools)) return [];
  return tools.map(({ name, url }: { readonly name?: unknown; readonly url?: unknown }) => [
    name,
    url,
  ]);
}
