// Promises of the document about MCP and token issuers, asked of the platform.
import type { TokenIssuer } from "../../../protocol/token-issuers/contract.ts";
import type { Agent } from "../../../protocol/agents/contract.ts";
import { makeTenant } from "./api.ts";
import type { DocumentedApi } from "./documented-api.ts";

const ISSUER = {
  name: "Sign-in",
  issuer: "https://login.example",
  jwks_url: "https://login.example/keys",
};

export async function askAgentMcp(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const created = await api.ask<TokenIssuer>("createTokenIssuer", {}, { ...call, json: ISSUER });
  const place = { token_issuer_id: created.json.id };
  await api.ask("createTokenIssuer", {}, { ...call, json: { ...ISSUER, mood: "good" } });
  for (let count = 1; count <= 10; count += 1) {
    await api.ask("createTokenIssuer", {}, { ...call, json: ISSUER });
  }
  await api.ask("listTokenIssuers", {}, call);
  await api.ask("listTokenIssuers", { query: "?limit=x" }, call);
  await api.ask("readTokenIssuer", place, call);

  const agent = await api.ask<Agent>(
    "createAgent",
    {},
    { ...call, json: { name: "Desk", model: { provider: "scripted", name: "refund-desk" } } },
  );
  const at = { agent_id: agent.json.id };
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
  await api.ask("readResourceMetadata", at);
  await api.ask("readResourceMetadata", { agent_id: `agt_${"0".repeat(26)}` });
  await api.ask("deleteTokenIssuer", place, call);
  await api.ask("deleteTokenIssuer", place, call);
  await api.ask("readTokenIssuer", place, call);
}
