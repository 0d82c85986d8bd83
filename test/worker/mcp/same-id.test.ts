// Rows of calls, which name a call of MCP by its connection and its id.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { formatId } from "../../../protocol/ids.ts";
import { noteAgentCall } from "../../../storage/agent-mcp/agent-calls.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";

interface Called {
  readonly result: { readonly structuredContent: { readonly status: string } };
}

test("a call whose id another one has just taken is not cancelled by it", async () => {
  const { id: tenant_id, call } = await makeTenant();
  const agent = await makeAgent(call, {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
  });
  const path = `/v1/agents/${agent.id}/mcp`;
  const accept = { Accept: "application/json" };
  const begun = await ask("POST", path, {
    ...call,
    json: { jsonrpc: "2.0", id: 0, method: "initialize", params: {} },
    headers: accept,
  });
  const header = begun.headers.get("Mcp-Session-Id")!;
  const of = { tenant_id, path, connection: header.split(".")[0]!, end_user_id: null };
  const other = {
    session_id: formatId("ses", 0, new Uint8Array(10)),
    reply_id: formatId("rep", 0, new Uint8Array(10)),
  };
  await noteAgentCall(env.DB, of, 7, other);

  const params = { name: "ask_desk", arguments: { message: "/rate 100\n/words 60" } };
  const called = await ask<Called>("POST", path, {
    ...call,
    json: { jsonrpc: "2.0", id: 7, method: "tools/call", params },
    headers: { ...accept, "Mcp-Session-Id": header },
  });

  expect(called.json.result.structuredContent.status).toBe("completed");
});
