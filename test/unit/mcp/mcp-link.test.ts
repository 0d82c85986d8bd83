// A link to an MCP server, with what is remembered of the server beyond it.
import { expect, it, onTestFinished } from "vitest";

import { CallDeadline } from "../../../tools/mcp/call-deadline.ts";
import { McpLink } from "../../../tools/mcp/mcp-link.ts";
import type { McpMemory } from "../../../tools/mcp/mcp-memory.ts";
import { openStream, startRawServer } from "../../support/mcp/raw-server.ts";

it("a server that says a hundred times that its tools are others has that noted once", async () => {
  const mcp = await startRawServer({
    "tools/call": ({ id }, response) => {
      const send = openStream(response);
      for (let said = 0; said < 100; said += 1)
        send({ method: "notifications/tools/list_changed" });
      send({ id, result: { content: [] } });
      response.end();
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  let noted = 0;
  const memory: McpMemory = {
    dialect: null,
    sessionId: null,
    noteDialect: () => undefined,
    noteSession: () => undefined,
    noteListChanged: () => {
      noted += 1;
    },
  };
  const endpoint = {
    url: mcp.url,
    headers: new Headers(),
    secrets: [],
    outgoing: fetch,
    maxBytes: 1_000_000,
  };
  const link = new McpLink({ name: "wh", endpoint, stateful: false }, memory);
  const { signal } = new AbortController();
  const deadline = new CallDeadline({ idleMs: 60_000, totalMs: 60_000 }, signal);
  onTestFinished(() => deadline.release());
  const call = { name: "act", input: {}, headers: {}, people: null };
  const first = await link.call(call, deadline).next();
  const second = await link.call(call, deadline).next();

  expect([first, second]).toMatchObject([{ value: { ok: true } }, { value: { ok: true } }]);
  // Once for each call: the catalogue may have been read between them.
  expect(noted).toBe(2);
});
