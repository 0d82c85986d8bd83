// Rows of calls and of cancellations, which name a call of MCP by its connection and its id.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { Agent } from "../../../protocol/api/agents.ts";
import { claimKey } from "../../../storage/statements/idempotency-storage.ts";
import { ask, makeTenant } from "../support/api.ts";

interface Called {
  readonly result: { readonly structuredContent: { readonly status: string } };
}

test("a call whose id another one has just taken is not cancelled by it", async () => {
  const { id: owner, call } = await makeTenant();
  const agent = await ask<Agent>("POST", "/v1/agents", {
    ...call,
    json: { name: "Desk", model: { provider: "scripted", name: "refund-desk" } },
  });
  const path = `/v1/agents/${agent.json.id}/mcp`;
  const connection = crypto.randomUUID();
  // The other call has its row, and has not yet written which reply it has started.
  const key = JSON.stringify([connection, null, 7]);
  await claimKey(env.DB, { owner, path, key, claimId: "other" }, "mcp-call", Date.now());

  const params = { name: "ask_desk", arguments: { message: "/rate 100\n/words 60" } };
  const called = await ask<Called>("POST", path, {
    ...call,
    json: { jsonrpc: "2.0", id: 7, method: "tools/call", params },
    headers: { Accept: "application/json", "Mcp-Session-Id": connection },
  });

  expect(called.json.result.structuredContent.status).toBe("completed");
});
