/** @module-tag broad */
// Threads of AG-UI belong to one end user: no run, and no request for a page, acts in one as another.
import { expect, it } from "vitest";

import { FOUND, openOwnersDesk, type OwnersDesk } from "../../support/mcp/owners-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";

interface Run {
  readonly key?: string;
  readonly endUser?: string;
  readonly forwardedProps?: object;
}

async function run({ desk }: OwnersDesk, threadId: string, more: Run = {}) {
  const { key = desk.key, endUser, forwardedProps = {} } = more;
  const messages = [{ id: crypto.randomUUID(), role: "user", content: FOUND }];
  const rest = { tools: [], context: [], state: {}, forwardedProps };
  const body = { threadId, runId: crypto.randomUUID(), messages, ...rest };
  const query = endUser === undefined ? "" : `?end_user_id=${endUser}`;
  const answer = await openRequest("POST", `/v1/agents/${desk.agent}/ag-ui${query}`, { key, body });
  return { status: answer.status, text: await answer.text() };
}

it("a client token runs in its own session alone, and names no end user", async () => {
  const world = await openOwnersDesk();
  const { server, desk, tokenOf } = world;
  const ada = await desk.openSession("ada");
  const bob = await desk.openSession("bob");
  const [own, other] = [ada, bob].map(({ path }) => path.replace("/v1/sessions/", ""));
  const key = await tokenOf(ada, "reply", "read");
  const named = await run(world, own ?? "", { key, endUser: "bob" });
  const sameName = await run(world, own ?? "", { key, endUser: "ada" });
  const foreign = await run(world, other ?? "", { key });
  const unknown = await run(world, "thread-of-bob", { key });

  expect([named.status, sameName.status]).toEqual([403, 403]);
  expect([foreign.text, unknown.text]).toEqual([
    expect.stringContaining("not_found"),
    expect.stringContaining("not_found"),
  ]);
  expect(server.callers).toEqual([]);
});

it("a thread that began without an end user gets none later", async () => {
  const world = await openOwnersDesk();
  const first = await run(world, "thread-1");
  const later = await run(world, "thread-1", { endUser: "ada" });

  expect([first.status, later.status]).toEqual([200, 409]);
  expect(first.text).toContain("There is no tool named");
  expect(world.server.callers).toEqual([]);
});

it("of two first runs at once one decides whose thread it is, and the other is refused", async () => {
  const world = await openOwnersDesk();
  const endUsers = ["ada", "bob"];
  const runs = await Promise.all(endUsers.map((endUser) => run(world, "thread-1", { endUser })));
  const taken = endUsers.filter((_, index) => runs[index]?.status === 200);

  expect(runs.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(world.server.callers).toEqual(taken);
});

it("a request for a page names the thread's end user, or is refused as a run is", async () => {
  const world = await openOwnersDesk();
  const { server, desk } = world;
  await run(world, "thread-1", { endUser: "ada" });
  const uri = "ui://wh/order";
  const readers: string[] = [];
  server.lies.mcp = ({ body }, response, subject) => {
    const { id, method } = (body ?? {}) as { id?: string; method?: string };
    if (method !== "resources/read") return false;
    readers.push(subject);
    const contents = [{ uri, mimeType: "text/html;profile=mcp-app", text: "<p>page</p>" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { contents } }));
    return true;
  };
  const { server_id: serverId } = desk;
  const __proxiedMCPRequest = {
    serverHash: serverId,
    serverId,
    method: "resources/read",
    params: { uri },
  };
  const forwardedProps = { __proxiedMCPRequest };
  const other = await run(world, "thread-1", { endUser: "bob", forwardedProps });
  expect([other.status, readers]).toEqual([409, []]);
  const own = await run(world, "thread-1", { endUser: "ada", forwardedProps });
  const unnamed = await run(world, "thread-1", { forwardedProps });

  expect([own.status, unnamed.status, readers]).toEqual([200, 200, ["ada", "ada"]]);
});

it("a request for a page opens no thread", async () => {
  const world = await openOwnersDesk();
  const { server_id: serverId, key } = world.desk;
  const before = await request<{ data: readonly object[] }>("GET", "/v1/sessions", { key });
  const __proxiedMCPRequest = {
    serverHash: serverId,
    serverId,
    method: "resources/read",
    params: { uri: "ui://wh/order" },
  };
  await run(world, "thread-1", { endUser: "ada", forwardedProps: { __proxiedMCPRequest } });
  const after = await request<{ data: readonly object[] }>("GET", "/v1/sessions", { key });

  expect(after.body.data).toHaveLength(before.body.data.length);
});
