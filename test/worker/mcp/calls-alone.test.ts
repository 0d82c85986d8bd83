// Calls of MCP tools without a reply, and pages: what they share with replies of the same tenant, and what is written of them.
import { expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { McpToolResult } from "../../../protocol/mcp/contract.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { Problem } from "../../../protocol/problem.ts";
import {
  ANSWER_ROOM_WAIT_MS,
  ANSWER_SENDING_MS,
  LEASE_RENEWAL_MS,
  MAX_HELD_ANSWER_BYTES,
} from "../../../protocol/quotas/limits.ts";
import { ask, makeAgent, makeSession, makeTenant, send } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { holdTimers } from "../support/held-timers.ts";
import { makeMcpServer } from "../support/mcp-server.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";

type Called = McpToolResult & Problem;

async function open(settings: object = {}) {
  const { id: tenantId, call } = await makeTenant();
  const made = await makeMcpServer(call, { timeout_ms: 60_000, ...settings });
  const { id } = made.server;
  const agent = await makeAgent(call, { name: "Desk", tools: [{ type: "mcp", server_id: id }] });
  const session = await makeSession(call, { agent_id: agent.id });
  const tools = `/v1/mcp-servers/${id}/tools`;
  await ask("GET", tools, call);
  return {
    tenantId,
    call,
    made,
    tools,
    session: `/v1/sessions/${session.id}`,
    page: `/v1/sessions/${session.id}/mcp-resources?server_id=${id}&uri=ui://wh/order`,
    run: (name: string, input: object = {}) =>
      ask<Called>("POST", `${tools}/${name}/call`, { ...call, json: { input } }),
    audit: async (action: string) => {
      const { json } = await ask<Page<AuditEntry>>("GET", `/v1/audit?action=${action}`, call);
      return json.data.map(({ target_id, after }) => [target_id === id, after]);
    },
  };
}

test("a call alone, a page and a look count as running replies, and nothing is sent when there is no room", async () => {
  const { tenantId, call, made, tools, page, run, audit } = await open();
  const held = holdTimers((delayMs) => delayMs === LEASE_RENEWAL_MS);
  await changeTenant(tenantId, { quotas: { running_replies: 1 } });
  const hanging = run("hang");
  await expect.poll(() => made.calls()).toContain("hang");
  const { running_replies } = (await readLimits(call)).used;
  const refused = [
    await run("act"),
    await ask("GET", page, call),
    await ask("GET", `${tools}?refresh=true`, call),
  ];
  // A kept catalogue needs no server.
  const kept = await ask("GET", tools, call);
  const asked = await made.calls();
  await changeTenant(tenantId, { status: "suspended" });
  held.fire();
  const stopped = await hanging;
  await changeTenant(tenantId, { status: "active", quotas: { running_replies: null } });

  expect(running_replies).toBe(1);
  expect(refused.map(({ status, json }) => [status, json.code, json["quota"]])).toEqual(
    refused.map(() => [429, "quota_exceeded", "running_replies"]),
  );
  expect([kept.status, asked]).toEqual([200, ["tools/list", "hang"]]);
  // The suspension ends the call that was under way, within the time of its lease's renewal.
  expect([stopped.status, stopped.json.code]).toEqual([403, "tenant_suspended"]);
  expect((await readLimits(call)).used.running_replies).toBe(0);
  expect((await run("act")).status).toBe(200);
  expect(await audit("mcp_tool.called")).toEqual([
    [true, { tool_name: "act" }],
    [true, { tool_name: "hang" }],
  ]);
});

test("the audit has each call that was sent and each page that a key reads, without what they said", async () => {
  const { call, session, page, run, audit } = await open();
  const token = await mintCall(session, call, { verbs: ["read"] });
  await run("act", { times: 7 });
  await run("act", { times: "seven" });
  await run("none");
  await run("broken");
  const pages = [await ask("GET", page, call), await ask("GET", page, token)];

  expect(await audit("mcp_tool.called")).toEqual([[true, { tool_name: "act" }]]);
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  // An end user's reading is no act of the tenant's.
  expect(await audit("mcp_page.read")).toEqual([[true, { uri: "ui://wh/order" }]]);
});

test("of the large answers of one tenant as many are read at once as there is room for, and the others wait", async () => {
  const { made, run } = await open({ max_bytes: 8_000_000 });
  const held = holdTimers((delayMs) => delayMs === ANSWER_ROOM_WAIT_MS);
  const calls = Array.from({ length: 4 }, () => run("large"));
  // Three of them hold all the room.
  await expect.poll(() => held.waiting).toBe(1);
  const small = await run("act");
  await made.release();
  const answers = await Promise.all(calls);

  expect(small.status).toBe(200);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("what was made of a large answer keeps its place until the client has read it", async () => {
  const { made, call, tools, run } = await open({ max_bytes: 8_000_000 });
  await made.release();
  const json = { input: {} };
  const unread = await send("POST", `${tools}/large/call`, { ...call, json });
  const left = await send("POST", `${tools}/large/call`, { ...call, json });
  const small = await run("act");
  const used = async () => (await readLimits(call)).used.running_replies;
  const before = await used();
  const { content } = await unread.json<McpToolResult>();
  await expect.poll(used).toBe(1);
  await left.body?.cancel();

  expect([unread.status, left.status, small.status, before]).toEqual([200, 200, 200, 2]);
  expect(content).toMatchObject([{ type: "text", text: "x".repeat(500_000) }]);
  await expect.poll(used).toBe(0);
});

test("a large answer that nobody reads is given up after a time", async () => {
  const { made, call, tools } = await open({ max_bytes: 8_000_000 });
  const held = holdTimers((delayMs) => delayMs === ANSWER_SENDING_MS);
  await made.release();
  const unread = await send("POST", `${tools}/large/call`, { ...call, json: { input: {} } });
  held.fire();

  await expect.poll(async () => (await readLimits(call)).used.running_replies).toBe(0);
  await expect(unread.text()).rejects.toThrow();
});

test("a large answer that waited in vain is not read, and its call says so", async () => {
  const { made, call, run } = await open({ max_bytes: 8_000_000 });
  const held = holdTimers((delayMs) => delayMs === ANSWER_ROOM_WAIT_MS);
  const calls = Array.from({ length: 4 }, () => run("large"));
  await expect.poll(() => held.waiting).toBe(1);
  held.fire();
  const first = await Promise.race(calls);
  await made.release();
  const answers = await Promise.all(calls);

  expect([first.status, first.json.code, first.json["kind"]]).toEqual([
    502,
    "mcp_failed",
    "rate_limited",
  ]);
  expect(first.json.detail).toContain(`may have ${MAX_HELD_ANSWER_BYTES} bytes at once`);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 502]);
  expect((await readLimits(call)).used.running_replies).toBe(0);
});
