/** @module-tag broad */
// A machine that dies with calls of MCP tools under way, and catalogues that a reply is pinned to.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { readServers } from "../../../durable-objects/mcp/read-servers.ts";
import { McpTable } from "../../../durable-objects/tables/mcp-table.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { REPLAYED_HEADER } from "../../../protocol/requests/headers.ts";
import { CREDENTIAL_STALE_MS } from "../../../protocol/credentials/limits.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { brokenDatabase } from "../support/broken-database.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { makeMcpServer } from "../support/mcp-server.ts";

async function open(tool: object = {}, settings: object = {}) {
  const { id: tenantId, call } = await makeTenant();
  const made = await makeMcpServer(call, settings);
  const agent = await makeAgent(call, {
    name: "Desk",
    tools: [
      { type: "mcp", server_id: made.server.id, permissions: { "*": "allow" }, ...tool },
      { type: "external", name: "wait", read_only: true },
    ],
  });
  const session = await makeSession(call, { agent_id: agent.id });
  const path = `/v1/sessions/${session.id}`;
  const stub = () => env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  return {
    made,
    call,
    path,
    stub,
    say: (input: string, more: object = {}) =>
      ask<Reply>("POST", `${path}/replies`, { ...call, json: { input, ...more } }),
    ended: (id: string): Promise<Reply> =>
      waitFor(async () => {
        const { json } = await ask<Reply>("GET", `${path}/replies/${id}`, call);
        expect(["completed", "error", "failed"]).toContain(json.status);
        return json;
      }),
  };
}

function resultsOf({ message }: Reply): readonly unknown[] {
  return (message?.content ?? []).flatMap((block) =>
    block.type === "tool_result" ? [[block.name, block.state]] : [],
  );
}

describe("a machine that dies while a tool runs", () => {
  test.each([
    ["leaves the outcome unknown, and the call is not made again", "hang", {}, 1],
    ["also of one that its annotations call idempotent", "hang_safely", {}, 1],
    ["but where the agent trusts them", "hang_safely", { trust_annotations: true }, 2],
  ] as const)("%s", async (_title, name, tool, times) => {
    const { made, call, path, say, ended } = await open(tool, { timeout_ms: 10_000 });
    const { json } = await say(`/call mcp__wh__${name} {}\n/say Done.`, { background: true });
    await waitFor(async () => expect(await made.calls()).toContain(name));
    await abortAllDurableObjects();
    await ask("GET", `${path}/replies/${json.id}`, call);
    const reply = await ended(json.id);

    expect((await made.calls()).filter((made) => made === name)).toHaveLength(times);
    expect(resultsOf(reply)).toEqual([[`mcp__wh__${name}`, "error"]]);
  });
});

test("a reply that waited goes on with the catalogue that it began with, whatever became of the server", async () => {
  const { made, call, path, say, ended } = await open();
  const parked = await say("/call wait {}\n/then\n/call mcp__wh__act {}\n/say Done.");
  const looks = (await made.calls()).length;
  await env.DB.prepare("UPDATE mcp_catalogues SET expires_at = 0").run();
  await abortAllDurableObjects();
  await ask("POST", `${path}/events`, {
    ...call,
    json: {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: parked.json.id,
      execution_results: [{ id: parked.json.pending[0]?.tool_call.id, output: "now" }],
    },
  });
  const reply = await ended(parked.json.id);

  expect(resultsOf(reply)).toEqual([
    ["wait", "success"],
    ["mcp__wh__act", "success"],
  ]);
  expect((await made.calls()).length).toBe(looks + 1);
});

test("a server that was deleted while the reply waited is not called any more", async () => {
  const { made, call, path, say, ended } = await open();
  const parked = await say("/call wait {}\n/then\n/call mcp__wh__act {}\n/say Done.");
  await ask("DELETE", `/v1/mcp-servers/${made.server.id}`, call);
  await ask("POST", `${path}/events`, {
    ...call,
    json: {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: parked.json.id,
      execution_results: [{ id: parked.json.pending[0]?.tool_call.id, output: "now" }],
    },
  });
  const reply = await ended(parked.json.id);

  expect(resultsOf(reply)).toEqual([
    ["wait", "success"],
    ["mcp__wh__act", "error"],
  ]);
  expect(await made.calls()).not.toContain("act");
});

test("the pins of a session are those of its newest reply, and no other server's are kept", async () => {
  const { made, stub, say } = await open();
  const first = await say("/say One.");
  const second = await say("/say Two.");
  const rows = await runInDurableObject(stub(), (_object, { storage }) =>
    storage.sql.exec("SELECT server_id, reply_id FROM mcp_servers").toArray(),
  );

  expect(first.json.id).not.toBe(second.json.id);
  expect(rows).toEqual([{ server_id: made.server.id, reply_id: second.json.id }]);
});

test("one tool alone is called once, whatever becomes of the answer under its key", async () => {
  const { made, call } = await open();
  const request = {
    ...call,
    json: { input: {} },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  };
  const path = `/v1/mcp-servers/${made.server.id}/tools/act/call`;
  const first = await ask("POST", path, request);
  const second = await ask("POST", path, request);

  expect(
    [first, second].map(({ status, headers }) => [status, headers.get(REPLAYED_HEADER)]),
  ).toEqual([
    [200, null],
    [200, "true"],
  ]);
  expect(second.json).toEqual(first.json);
  expect((await made.calls()).filter((name) => name === "act")).toHaveLength(1);
});

test("a call whose request was lost is under way for a time, and is never made again", async () => {
  const { made, call } = await open();
  const key = crypto.randomUUID();
  const path = `/v1/mcp-servers/${made.server.id}/tools/act/call`;
  const request = { ...call, json: {}, headers: { "Idempotency-Key": key } };
  await ask("POST", path, request);
  const lost = (until: number) =>
    env.DB.prepare("UPDATE idempotency_keys SET answer = ? WHERE key = ?")
      .bind(
        JSON.stringify({
          status: 502,
          body: { code: "mcp_failed", kind: "machine_lost" },
          in_flight_until: until,
        }),
        key,
      )
      .run();
  await lost(Date.now() + 600_000);
  const during = await ask("POST", path, request);
  await lost(Date.now() - 1);
  const after = await ask("POST", path, request);

  expect([during.status, during.json.code]).toEqual([409, "idempotency_in_flight"]);
  expect([after.status, after.json.code]).toEqual([502, "mcp_failed"]);
  expect((await made.calls()).filter((name) => name === "act")).toHaveLength(1);
});

test("while D1 is away a session goes on with the servers that it knows, for an hour", async () => {
  const log = hearLog();
  const { made, stub, say } = await open();
  await say("/call mcp__wh__act {}\n/say One.");
  const { id } = made.server;
  const read = (agedMs: number) =>
    runInDurableObject(stub(), async (_object, { storage }) => {
      const table = new McpTable(storage);
      const stored = table.stored(id);
      if (stored) table.store(stored.known, Date.now() - agedMs);
      const asked = { tenantId: "ten_other", endUserId: null, ids: [id], table };
      const { servers, isConfirmed } = await readServers(brokenDatabase(), asked);
      return { names: [...servers.values()].map(({ server }) => server.name), isConfirmed };
    });

  expect(await read(0)).toEqual({ names: ["wh"], isConfirmed: false });
  expect(await read(CREDENTIAL_STALE_MS + 60_000)).toEqual({ names: [], isConfirmed: false });
  const words = "MCP servers could not be looked up";
  expect(log).toEqual([words, words]);
});
