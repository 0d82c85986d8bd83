// A key that may write in a conversation but not read it is shown nothing of it by its own writes.
import { describe, expect, it } from "vitest";

import type { Compression } from "../../../protocol/context/compression.ts";
import type { Scope } from "../../../protocol/keys/contract.ts";
import { ask, openSession, type Answer, type Call } from "../support/api.ts";
import { keyWith } from "../support/credentials.ts";
import { keyed } from "../support/keyed.ts";
import { SUMMARISED, SUMMARY } from "../support/summarised-agent.ts";

const SECRET = "A-1001";
const AGENT = {
  name: "Desk",
  plan: {},
  tool_groups: [{ name: "orders", description: `Orders as ${SECRET}` }],
  meta_tool: true,
};
const WRITES: readonly Scope[] = ["replies:write", "confirmations:write", "sessions:write"];

/** A session that has a plan and a state with the secret in them. */
async function openWritten() {
  const opened = await openSession(AGENT);
  const { path, call } = opened;
  const plan = { name: SECRET, subtasks: [{ name: SECRET }] };
  await ask("PUT", `${path}/plan`, { ...call, json: { plan } });
  const json = [{ op: "add", path: "/order", value: SECRET }];
  await ask("PATCH", `${path}/shared-state`, { ...call, json });
  return opened;
}

/** Each way of writing whose answer has what was there before. */
const WAYS: readonly (readonly [
  string,
  string,
  (path: string, by: Call) => Promise<Answer<unknown>>,
])[] = [
  [
    "a plan",
    "/plan",
    (path, by) =>
      ask("PUT", `${path}/plan`, { ...by, json: { plan: { name: "Mine", subtasks: [] } } }),
  ],
  ["no plan", "/plan", (path, by) => ask("PUT", `${path}/plan`, { ...by, json: { plan: null } })],
  [
    "a patch of the shared state",
    "/shared-state",
    (path, by) =>
      ask("PATCH", `${path}/shared-state`, {
        ...by,
        json: [{ op: "add", path: "/mine", value: 1 }],
      }),
  ],
  [
    "a guess at the shared state",
    "/shared-state",
    (path, by) =>
      ask("PATCH", `${path}/shared-state`, {
        ...by,
        json: [{ op: "test", path: "/order", value: SECRET }],
      }),
  ],
  [
    "switches of tool groups",
    "/tool-groups",
    (path, by) =>
      ask("PUT", `${path}/tool-groups`, {
        ...by,
        json: { groups: [{ name: "orders", switched: "on" }], tools: [] },
      }),
  ],
];

describe.each(WAYS)("%s", (_, part, write) => {
  it("is refused to a key that may not read, and changes nothing", async () => {
    const { call, path } = await openWritten();
    const before = await ask("GET", `${path}${part}`, call);
    const by = await keyWith(call, WRITES);
    const refused = await write(path, by);
    const after = await ask("GET", `${path}${part}`, call);

    const { code, required_scope } = refused.json as Record<string, unknown>;
    expect([refused.status, code, required_scope]).toEqual([
      403,
      "insufficient_scope",
      "sessions:read",
    ]);
    expect(refused.text).not.toContain(SECRET);
    expect(after.json).toEqual(before.json);
  });

  it("is taken from a key that may read", async () => {
    const { call, path } = await openWritten();
    const by = await keyWith(call, [...WRITES, "sessions:read"]);

    expect((await write(path, by)).status).toBe(200);
  });
});

describe("a summary that was asked for", () => {
  it("is made, and shown to those alone who may read, also when they ask again", async () => {
    const compressBy = async (...scopes: Scope[]) => {
      const { call, path } = await openSession({ name: "Desk", ...SUMMARISED });
      await ask("POST", `${path}/observe`, { ...call, json: { messages: "My order is A-1001." } });
      const by = keyed(await keyWith(call, scopes));
      return () => ask<Compression>("POST", `${path}/compress`, { ...by, json: {} });
    };
    const compress = await compressBy("replies:write");
    const first = await compress();
    const again = await compress();
    const read = await (await compressBy("replies:write", "sessions:read"))();

    const { summary_id } = first.json;
    expect(first.json).toEqual({ status: "completed", summary_id, compressed: null });
    expect([first.status, again.json]).toEqual([200, first.json]);
    expect(`${first.text}${again.text}`).not.toContain(SUMMARY);
    expect(read.json).toMatchObject({ status: "completed", compressed: { summary: SUMMARY } });
  });
});
