// Catalogues of MCP servers that a reply reads: how many at once, and what becomes of those that are too large.
import { expect, it, onTestFinished } from "vitest";

import type { McpToolList } from "../../../protocol/mcp/contract.ts";
import { MAX_MCP_SERVERS_READ, MAX_MCP_TOOLS } from "../../../protocol/mcp/limits.ts";
import { BROAD } from "../../support/breadth.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { offeredTools, openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startRawServer, TOOL, writeJson, type RawMethod } from "../../support/mcp/raw-server.ts";
import { request } from "../../support/platform-client.ts";

async function serve(list: RawMethod, discover?: RawMethod) {
  const mcp = await startRawServer({
    "tools/list": list,
    ...(discover && { "server/discover": discover }),
  });
  onTestFinished(() => mcp.stop());
  return mcp;
}

it("the servers of a session are read four at once, and each of them is", BROAD, async () => {
  const count = 2 * MAX_MCP_SERVERS_READ;
  let begun = 0;
  let listed = 0;
  let most = 0;
  let gate = Promise.withResolvers<void>();
  // The first thing that a server is asked; all of them would be asked it before any of them has listed its tools.
  const discover: RawMethod = ({ id }, response) => {
    begun += 1;
    most = Math.max(most, begun - listed);
    writeJson(response, { id, error: { code: -32_601, message: "Method not found" } });
    return undefined;
  };
  let asked = 0;
  // Each answers when as many as may be are asked: with one fewer at once it would wait for ever.
  const list: RawMethod = async () => {
    asked += 1;
    const { promise, resolve } = gate;
    if (asked % MAX_MCP_SERVERS_READ === 0) {
      gate = Promise.withResolvers();
      resolve();
    }
    await promise;
    listed += 1;
    return { tools: [TOOL] };
  };
  const servers = await Promise.all(Array.from({ length: count }, () => serve(list, discover)));
  const [first] = servers;
  const desk = await openMcpDesk(first?.url ?? "");
  const { key } = desk;
  const others = await Promise.all(
    servers.slice(1).map(async ({ url }, index) => {
      const body = { name: `wh${index}`, url, timeout_ms: HANG_LIMITS.testTimeout };
      const made = await request<{ id: string }>("POST", "/v1/mcp-servers", { key, body });
      return made.body.id;
    }),
  );
  const tools = [desk.server_id, ...others].map((server_id) => ({ type: "mcp", server_id }));
  await request("PATCH", `/v1/agents/${desk.agent}`, { key, body: { tools } });
  await request("PATCH", desk.path, { key, body: { agent_version: "latest" } });
  const { hints } = await desk.say("/say Hello.");

  expect([hints, asked, most]).toEqual([[], count, MAX_MCP_SERVERS_READ]);
  const offered = (await offeredTools(desk)).filter((name) => name.startsWith("mcp__"));
  expect(offered).toHaveLength(count);
});

it("a catalogue of too many tools says what is missing, and a call of one of those says it, too", async () => {
  const tools = Array.from({ length: 300 }, (_, index) => ({ ...TOOL, name: `act_${index}` }));
  const mcp = await serve(() => ({ tools }));
  const { key, server_id } = await openMcpDesk(mcp.url);
  const path = `/v1/mcp-servers/${server_id}/tools`;
  const first = await request<McpToolList>("GET", path, { key });
  const kept = await request<McpToolList>("GET", path, { key });
  const called = await request("POST", `${path}/act_299/call`, { key, body: {} });

  const left_out = {
    reason: "too_many",
    tools: 44,
    has_more: false,
    detail: expect.stringContaining("let it list the allowed tools alone"),
  };
  expect(first.body.left_out).toEqual(left_out);
  expect(kept.body).toEqual(first.body);
  expect(kept.body.data).toHaveLength(MAX_MCP_TOOLS);
  expect([called.status, called.body["detail"]]).toEqual([
    404,
    expect.stringContaining("Split it into several servers"),
  ]);
});

it(
  "a catalogue that becomes too large on a later page is used as far as it was read, and the check says so",
  BROAD,
  async () => {
    const mcp = await serve(({ params }) =>
      params?.cursor === undefined
        ? { tools: [TOOL], nextCursor: "2" }
        : { tools: [{ ...TOOL, name: "huge", description: "x".repeat(2_000_000) }] },
    );
    const desk = await openMcpDesk(mcp.url);
    const { key, agent } = desk;
    const reply = await desk.say("/call mcp__wh__act {}\n/say Done.");
    const check = await request<{ ok: boolean; tools: readonly object[] }>(
      "POST",
      `/v1/agents/${agent}/check`,
      { key, body: {} },
    );

    expect([reply.status, desk.textOf(reply.results[0])]).toEqual(["completed", "done"]);
    expect(reply.hints.join()).toContain("At least 1 tool of the MCP server wh was left out");
    expect(check.body).toMatchObject({
      ok: true,
      tools: [{ status: "warning", hint: expect.stringContaining("more than 1000000 bytes") }],
    });
  },
);

it("a whole catalogue lacks nothing", async () => {
  const mcp = await serve(() => ({ tools: [TOOL] }));
  const { key, server_id } = await openMcpDesk(mcp.url);
  const { body } = await request<McpToolList>("GET", `/v1/mcp-servers/${server_id}/tools`, { key });

  expect(body.left_out).toBe(null);
});
