/** @module-tag broad */
// The platform killed with kill -9 around a task of an MCP server.
import { expect, onTestFinished, test } from "vitest";

import { textsOf, statesOf, lookedAt, type TaskReply } from "../../support/mcp/task-desk.ts";
import { startTaskServer, type TaskEra } from "../../support/mcp/task-server.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();

async function open(era: TaskEra) {
  const mcp = await startTaskServer(era);
  onTestFinished(() => mcp.stop());
  const key = await platform.createTenant();
  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    return (await response.json()) as Body;
  }
  const server = await ask<{ id: string }>("POST", "/v1/mcp-servers", { name: "wh", url: mcp.url });
  const agent = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [{ type: "mcp", server_id: server.id, permissions: { "*": "allow" } }],
  });
  const session = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id: agent.id });
  const path = `/v1/sessions/${session.id}/replies`;
  const input = "/call mcp__wh__act {}\n/say Done.";
  return {
    mcp,
    begin: async () => (await ask<TaskReply>("POST", path, { input, background: true })).id,
    ended: (id: string) =>
      waitFor(async () => {
        const reply = await ask<TaskReply>("GET", `${path}/${id}`);
        expect(reply.status).toBe("completed");
        return reply;
      }),
  };
}

test.each(["modern", "legacy"] as const)(
  "a task of the %s era is waited for behind the kill, without a request that wakes its session",
  async (era) => {
    const { mcp, begin, ended } = await open(era);
    const id = await begin();
    const { looks } = await lookedAt(mcp, 0);
    await platform.kill();
    await platform.running();
    await lookedAt(mcp, 0, looks + 1);
    mcp.finish(0, "all of it");
    const reply = await ended(id);

    expect([textsOf(reply), statesOf(reply)]).toEqual([["all of it"], ["success"]]);
    expect(mcp.posted("tools/call")).toHaveLength(1);
  },
);

test("a task whose machine is lost before it is in the log leaves its call's outcome unknown", async () => {
  const { mcp, begin, ended } = await open("modern");
  const { promise: called, resolve } = Promise.withResolvers<void>();
  // The server has made the task, and its answer reaches nobody.
  mcp.raw.on("tools/call", () => {
    resolve();
    return undefined;
  });
  const id = await begin();
  await called;
  await platform.kill();
  const reply = await ended(id);

  expect(statesOf(reply)).toEqual(["error"]);
  expect(textsOf(reply)[0]).toContain("outcome is unknown");
  expect(mcp.posted("tools/call")).toHaveLength(1);
});

test("a result that is being fetched when the machine is lost is fetched again", async () => {
  const { mcp, begin, ended } = await open("legacy");
  const id = await begin();
  await lookedAt(mcp, 0);
  const { promise: fetched, resolve } = Promise.withResolvers<void>();
  mcp.raw.on("tasks/result", () => {
    resolve();
    return undefined;
  });
  mcp.finish(0, "all of it");
  await fetched;
  await platform.kill();
  mcp.raw.on("tasks/result", () => mcp.tasks[0]?.result);
  const reply = await ended(id);

  expect([textsOf(reply), statesOf(reply)]).toEqual([["all of it"], ["success"]]);
  expect(mcp.posted("tools/call")).toHaveLength(1);
});
