// Groups that people switch, and a session's own tools, when the session's object dies, and when two of them are as
// quick.
import { abortAllDurableObjects } from "cloudflare:test";
import { expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { SessionToolGroups } from "../../../protocol/tool-groups/contract.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession } from "../support/api.ts";

const AGENT = {
  name: "Desk",
  tools: [
    { type: "external", name: "look_up", read_only: true },
    { type: "external", name: "refund" },
  ],
  tool_groups: [{ name: "money", description: "Money.", active: true, tools: ["refund"] }],
};
const OFF = { groups: [{ name: "money", switched: "off" }] };

async function openDesk() {
  const { call, path, session } = await openSession(AGENT);
  return {
    call,
    path,
    session,
    read: async () => (await ask<SessionToolGroups>("GET", `${path}/tool-groups`, call)).json,
    put: (json: object, headers: Readonly<Record<string, string>> = {}) =>
      ask<SessionToolGroups>("PUT", `${path}/tool-groups`, { ...call, json, headers }),
  };
}

test("what was answered is there after the object died, also for a call that waits for a person", async () => {
  const { call, path, read, put } = await openDesk();
  const json = { input: "/call refund {}\n/then\n/say done" };
  const { json: waiting } = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
  expect(waiting.status).toBe("awaiting_permission");
  await put(OFF);
  const tools = [{ type: "external", name: "own" }];
  await ask("PATCH", path, { ...call, json: { tools } });
  await abortAllDurableObjects();
  const open = await read();
  expect([open.version, open.groups[0]?.active]).toEqual([1, false]);
  // The reply that waits keeps the tools that it began with.
  expect(open.tools.map(({ name }) => name)).toEqual(["look_up", "refund"]);

  const confirm_results = waiting.pending.map(({ tool_call }) => ({ confirmed: true, tool_call }));
  const event = { type: "USER_CONFIRM_RESULT", reply_id: waiting.id, confirm_results };
  const posted = await ask("POST", `${path}/events`, { ...call, json: event });
  expect(posted.status).toBe(202);
  await abortAllDurableObjects();
  const ended = await waitFor(async () => {
    const { json: reply } = await ask<Reply>("GET", `${path}/replies/${waiting.id}`, call);
    expect(reply.status).toBe("completed");
    return reply;
  });
  const [result] = ended.message?.content.filter(({ type }) => type === "tool_result") ?? [];
  expect(result).toMatchObject({ name: "refund", state: "error", metadata: { withheld: true } });
  expect((await read()).tools.map(({ name }) => name)).toEqual(["look_up", "refund", "own"]);
});

test("of two that write over the same version one is first, and the other is told", async () => {
  const { call, session, read, put } = await openDesk();
  const others = { tools: [{ name: "look_up", switched: "off" }] };
  const headers = { "If-Match": '"0"' };
  const answers = await Promise.all([put(OFF, headers), put(others, headers)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  expect((await read()).version).toBe(1);
  const { json } = await ask<Page<AuditEntry>>("GET", `/v1/audit?target_id=${session.id}`, call);
  expect(json.data.map(({ action }) => action)).toEqual(["session.tool_groups_changed"]);
});
