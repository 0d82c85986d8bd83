/** @module-tag broad */
// MCP servers that use the protocol's own means against the platform: names that collide, and messages by the thousand.
import { expect, it, onTestFinished } from "vitest";

import { offeredTools, openMcpDesk, sayWithTools } from "../../support/mcp/mcp-desk.ts";
import { openStream, startRawServer, TOOL, type RawMethod } from "../../support/mcp/raw-server.ts";

async function open(methods: Readonly<Record<string, RawMethod>>) {
  const mcp = await startRawServer(methods);
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openMcpDesk(mcp.url) };
}

it("two tools whose names become the same one are offered as one: providers refuse a name that is there twice", async () => {
  const name = "mcp__wh__find_order_f789df86";
  const tools = [
    { ...TOOL, name: "find order" },
    { ...TOOL, name: name.slice("mcp__wh__".length) },
    TOOL,
  ];
  const { mcp, desk } = await open({ "tools/list": () => ({ tools }) });
  const { results } = await desk.say(`/call ${name} {}\n/say Done.`);
  const called = mcp.posts.find(({ method }) => method === "tools/call");

  expect((await offeredTools(desk)).filter((offered) => offered.startsWith("mcp__"))).toEqual([
    name,
    "mcp__wh__act",
  ]);
  expect(desk.textOf(results[0])).toBe("done");
  expect(called?.params).toMatchObject({ name: "find order" });
});

it("a catalogue of 10,000 tools is cut, and the reply goes on", async () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => ({ ...TOOL, name: `act_${index}` }));
  const { desk } = await open({ "tools/list": () => ({ tools }) });
  const { status, results, hints } = await desk.say("/call mcp__wh__act_0 {}\n/say Done.");
  // The second one has the catalogue as it was kept.
  const second = await desk.say("/say Again.");

  expect([status, desk.textOf(results[0])]).toEqual(["completed", "done"]);
  const said =
    "Tools of yours are missing in this reply:\n- 9872 tools of the MCP server wh were left out: there are too many.";
  expect([hints.join(), second.hints.join()]).toEqual([
    expect.stringContaining(said),
    expect.stringContaining(said),
  ]);
  expect((await offeredTools(desk)).length).toBe(128);
});

it("a catalogue of a hundred pages is read as far as tools are taken", async () => {
  const { mcp, desk } = await open({
    "tools/list": ({ params }) => {
      const page = Number(params?.cursor ?? 0);
      const tools = Array.from({ length: 100 }, (_, index) => ({
        ...TOOL,
        name: `act_${page * 100 + index}`,
      }));
      return { tools, ...(page < 99 && { nextCursor: String(page + 1) }) };
    },
  });
  const { status, results, hints } = await desk.say("/call mcp__wh__act_0 {}\n/say Done.");

  expect([status, desk.textOf(results[0])]).toEqual(["completed", "done"]);
  expect(hints.join()).toContain("At least 172 tools of the MCP server wh were left out");
  expect(mcp.methods.filter((method) => method === "tools/list")).toHaveLength(3);
});

it("a call may report its progress more often than a server may talk beside it", async () => {
  const { desk } = await open({
    "tools/call": ({ id, params }, response) => {
      const send = openStream(response);
      const progressToken = params?._meta?.progressToken;
      for (let progress = 0; progress < 1_500; progress += 1) {
        send({ method: "notifications/progress", params: { progressToken, progress } });
      }
      send({ id, result: { content: [{ type: "text", text: "counted" }] } });
      response.end();
      return undefined;
    },
  });
  const { results } = await sayWithTools(desk, "/call mcp__wh__act {}\n/say Done.");

  expect(desk.textOf(results[0])).toMatch(/counted$/);
});
