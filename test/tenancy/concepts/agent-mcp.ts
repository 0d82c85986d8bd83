// Clients of MCP, whose calls name their session in the arguments of a tool.
import { ask, makeAgent, makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  /** The list of tools names the agent. Another tenant's session in a call: test/conformance/agent-mcp/agent-mcp-end-users.test.ts. */
  callAgentMcp: {
    answers: 200,
    body: () => ({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    shows: ["agent"],
    stores: [],
  },
  /** Without a frame's id there is no stream. */
  resumeAgentMcp: { answers: 405, isSilent: true, shows: [] },
  /** Public: it names the tenant's issuers, by which clients sign in. */
  readResourceMetadata: { answers: 200, isSilent: true, shows: [] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const model = { provider: "scripted", name: "refund-desk" };
  const at = { agent_id: (await makeAgent(call, { name: "Desk", model })).id };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  await api.ask("callAgentMcp", at, { ...call, json: message });
  await api.ask("callAgentMcp", at, { ...call, json: { jsonrpc: "2.0", method: "x" } });
  await api.ask("callAgentMcp", at, { ...call, json: { id: 1 } });
  const origin = { Origin: "https://evil.example" };
  await api.ask("callAgentMcp", at, { ...call, json: message, headers: origin });
  const keyed = { ...message, method: "tools/call" };
  const headers = { "Idempotency-Key": "not a key" };
  await api.ask("callAgentMcp", at, { ...call, json: keyed, headers });
  await api.ask("resumeAgentMcp", at, call);
  await api.ask("resumeAgentMcp", at, { ...call, headers: origin });
  await api.ask("resumeAgentMcp", at, { ...call, headers: { "Last-Event-ID": "x" } });
  const session = `ses_${"0".repeat(26)}`;
  const frame = `${session}.rep_${"0".repeat(26)}.1.%5B1%5D`;
  await api.ask("resumeAgentMcp", at, { ...call, headers: { "Last-Event-ID": frame } });
  const issuer = { issuer: "https://login.example", jwks_url: "https://login.example/keys" };
  await ask("POST", "/v1/token-issuers", { ...call, json: { name: "Sign-in", ...issuer } });
  await api.ask("readResourceMetadata", at);
  await api.ask("readResourceMetadata", { agent_id: `agt_${"0".repeat(26)}` });
}
