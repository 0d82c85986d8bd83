// Servers that close the connection before any byte of an answer, as happens to one that was kept open from before. A
// tool that may run twice is called once more under the same key; of any other one nobody knows whether it ran.
import { describe, expect, it, onTestFinished } from "vitest";

import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { mcpTools } from "../../../tools/providers/mcp-tools.ts";
import { failed, run, serve } from "../../support/call-tool.ts";
import { collect } from "../../support/collect.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { linkTo } from "../../support/mcp/link-to.ts";
import { startRawServer } from "../../support/mcp/raw-server.ts";
import type { ToolRoute } from "../../support/tool-server.ts";

const NOBODY = async () => null;
/** Access of which a call of an MCP server's tool needs none. */
const NO_ACCESS = {
  outgoing: createOutgoing({ environment: "local", fetch }),
  secrets: () => ({ ok: false, type: "setup", problem: "is not there" }) as const,
};
const UNKNOWN = "closed the connection before any answer. It is not known whether";

/** Closes so many connections, and answers on the next one. */
function closing(times: number): ToolRoute {
  let left = times;
  return (response) => {
    left -= 1;
    if (left >= 0) response.destroy();
    else response.writeHead(200, { "content-type": "text/plain" }).end("ran");
  };
}

describe("an http tool", () => {
  it("that is idempotent is called once more, with the same key and the same body", async () => {
    const server = await serve(closing(1));
    const chunks = await collect(run(`${server.url}/tool`, { tool: { idempotent: true } }));
    const [first, second] = server.requests;

    expect(chunks).toEqual([{ type: "text", delta: "ran" }]);
    expect(server.requests).toHaveLength(2);
    expect(second?.headers["idempotency-key"]).toBe("ses_1:call%201%2F%C3%BC");
    expect([second?.headers, second?.text]).toEqual([first?.headers, first?.text]);
  });

  it("that is idempotent is not called a third time", async () => {
    const server = await serve(closing(5));
    const chunks = await collect(run(`${server.url}/tool`, { tool: { idempotent: true } }));

    expect(chunks).toEqual(failed(`The tool could not be reached, or ${UNKNOWN} it ran.`));
    expect(server.requests).toHaveLength(2);
  });

  it("of any other kind is called once", async () => {
    const server = await serve(closing(1));

    expect(await collect(run(`${server.url}/tool`))).toEqual(
      failed(`The tool could not be reached, or ${UNKNOWN} it ran.`),
    );
    expect(server.requests).toHaveLength(1);
  });

  it("that has begun its answer is called once, idempotent or not", async () => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("a", () => response.destroy());
    });
    await collect(run(`${server.url}/tool`, { tool: { idempotent: true } }));

    expect(server.requests).toHaveLength(1);
  });
});

describe("a tool of an MCP server", () => {
  async function open(method: string, times: number) {
    let left = times;
    const mcp = await startRawServer();
    mcp.on(method, (_message, response) => {
      left -= 1;
      if (left < 0) return { content: [{ type: "text", text: "ran" }], tools: [] };
      response.destroy();
      return undefined;
    });
    onTestFinished(() => mcp.stop());
    const dialect = { era: "legacy", version: "2025-11-25" } as const;
    return { mcp, ...linkTo(mcp.url, { dialect, sessionId: "s" }) };
  }

  it("that is trusted to be idempotent is called once more, under the same id", async () => {
    const { mcp, act } = await open("tools/call", 1);

    expect(await act({ isIdempotent: true })).toMatchObject({ ok: true });
    expect(mcp.methods).toEqual(["tools/call", "tools/call"]);
    expect(mcp.posts[1]).toEqual(mcp.posts[0]);
  });

  it("of any other kind is called once", async () => {
    const { mcp, act } = await open("tools/call", 1);

    expect(await act()).toMatchObject({
      ok: false,
      failure: { reason: `The MCP server wh could not be reached, or ${UNKNOWN} the tool ran.` },
    });
    expect(mcp.methods).toEqual(["tools/call"]);
  });

  it.each([
    ["idempotent, and trusted", { idempotent: true }, true, 2],
    ["read-only, and trusted", { read_only: true }, true, 2],
    ["idempotent by its own word alone", { idempotent: true }, false, 1],
    ["trusted, and neither", {}, true, 1],
  ])(
    "that is %s counts as its agent says",
    async (_what, annotations, trust_annotations, times) => {
      const { mcp, link } = await open("tools/call", 1);
      const tool = { name: "act", description: "", input_schema: {}, annotations };
      const server = { server_id: "mcp_1", server: "wh", era: "legacy", left_out: 0 } as const;
      const pin = { ...server, problem: null, tools: [{ ...tool, disabled_reason: null }] };
      const people = { kept: () => null, keep: () => undefined, ttlMs: 1, untilAnswered: NOBODY };
      const provider = mcpTools([{ type: "mcp", server_id: "mcp_1", trust_annotations }], {
        pins: () => [pin],
        open: async () => undefined,
        link: () => ({ ok: true, link, timeoutMs: HANG_LIMITS.testTimeout, grant: null }),
        people: () => people,
        reopen: async () => null,
        close: () => undefined,
      });
      const call = { tool_call_id: "c", name: "mcp__wh__act", input: {}, reply_id: "rep_1" };
      const request = { ...call, session_id: "ses_1", end_user_id: null };
      await collect(provider.run(request, new AbortController().signal, NO_ACCESS));

      expect(mcp.methods).toEqual(Array.from({ length: times }, () => "tools/call"));
    },
  );

  it("is listed on a second connection, and on no third one", async () => {
    const { mcp, list } = await open("tools/list", 1);
    expect(await list()).toMatchObject({ ok: true });
    expect(mcp.methods).toEqual(["tools/list", "tools/list"]);

    const { mcp: other, list: listOther } = await open("tools/list", 9);
    expect(await listOther()).toMatchObject({ ok: false, failure: { kind: "unreachable" } });
    expect(other.methods).toEqual(["tools/list", "tools/list"]);
  });
});
