// Sessions whose objects keep the session of a stateful MCP server that the server has forgotten meanwhile.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { McpTable } from "../../../durable-objects/tables/mcp-table.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { makeMcpServer } from "../support/mcp-server.ts";

test.each([400, 404, 410])(
  "the next message of one that is refused with %i has its tools",
  async (status) => {
    const { id: tenantId, call } = await makeTenant();
    const made = await makeMcpServer(call, { stateful: true });
    const agent = await makeAgent(call, {
      name: "Desk",
      tools: [{ type: "mcp", server_id: made.server.id, permissions: { "*": "allow" } }],
    });
    const session = await makeSession(call, { agent_id: agent.id });
    const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
    await runInDurableObject(object, (_, { storage }) => {
      const { id, version } = made.server;
      new McpTable(storage).storeSession(id, { version, id: `gone-${status}` });
    });
    await evictDurableObject(object);

    const { json } = await ask<Reply>("POST", `/v1/sessions/${session.id}/replies`, {
      ...call,
      json: { input: "/call mcp__wh__act {}\n/say Done." },
    });

    const results = (json.message?.content ?? []).filter(({ type }) => type === "tool_result");
    expect(json.status).toBe("completed");
    expect(results).toMatchObject([{ name: "mcp__wh__act", state: "success" }]);
    expect(await made.calls()).toEqual(["tools/list", "act"]);
  },
);
