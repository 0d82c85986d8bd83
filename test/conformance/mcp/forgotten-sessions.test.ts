// A session of the platform that keeps a session of a server, which the server has lost: the next message works.
import { expect, it, onTestFinished } from "vitest";

import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startRawServer, writeJson } from "../../support/mcp/raw-server.ts";
import { BROAD } from "../../support/breadth.ts";

it(
  "a server that was restarted, and answers 400 to the session of before, has its tools in the next reply",
  BROAD,
  async () => {
    const sessions = new Set<string>();
    let given = 0;
    const mcp = await startRawServer({
      initialize: ({ id }, response) => {
        given += 1;
        sessions.add(`s${given}`);
        response.setHeader("mcp-session-id", `s${given}`);
        const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} } };
        writeJson(response, { id, result });
        return undefined;
      },
      "tools/call": (_message, response, { headers }) => {
        const session = String(headers["mcp-session-id"]);
        if (sessions.has(session)) return { content: [{ type: "text", text: `in ${session}` }] };
        const message = "Bad Request: No valid session ID provided";
        response.writeHead(400, { "content-type": "application/json" });
        response.end(
          JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }),
        );
        return undefined;
      },
    });
    onTestFinished(() => mcp.stop());
    const desk = await openMcpDesk(mcp.url, { server: { stateful: true } });
    const said: string[] = [];
    for (const isLost of [false, true, false]) {
      if (isLost) sessions.clear();
      const { results } = await desk.say("/call mcp__wh__act {}\n/say Done.");
      said.push(desk.textOf(results[0]));
    }

    // DAWNCR0W/affine-mcp-server#301
    expect(said).toEqual(["in s1", "in s2", "in s2"]);
    expect(mcp.methods.filter((method) => method === "initialize")).toHaveLength(2);
  },
);
