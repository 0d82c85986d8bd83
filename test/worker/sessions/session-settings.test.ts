// Settings of a session for itself: permission, working directories, time zone.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { sessionObjectName, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { SessionRule } from "../../../protocol/permission/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  ask,
  makeAgent,
  makeSession,
  makeTenant,
  openSession,
  refusalOf,
  type Call,
} from "../support/api.ts";
import { confirmation, openParked, REFUND } from "../support/parked-session.ts";

const SLOW = { provider: "scripted", parameters: { tokens_per_second: 5 } };
const RULE = { tool_name: "refund_order", rule_content: null, behavior: "deny", source: "shop" };

function settingsOf({ permission, working_directories, time_zone }: Session) {
  return { permission, working_directories, time_zone };
}

async function keyWith(call: Call, scopes: readonly string[]): Promise<Call> {
  const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  return { key: json.api_key };
}

describe("a session's settings", () => {
  test("are the agent's where the session says nothing", async () => {
    const permission = { mode: "explore" };
    const { session } = await openSession({ name: "Refund desk", permission });

    expect(settingsOf(session)).toEqual({
      permission: { mode: "explore" },
      working_directories: [],
      time_zone: null,
    });
  });

  test("come with its creation, and its rules are its first ones", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);

    const opened = await makeSession(call, {
      agent_id: agent.id,
      permission: { mode: "accept_edits", rules: [RULE] },
      working_directories: ["/srv//shop/./orders/..", "/srv/shop/", "/"],
      time_zone: "Europe/Berlin",
    });

    const read = await ask<Session>("GET", `/v1/sessions/${opened.id}`, call);
    const rules = await ask<Page<SessionRule>>(
      "GET",
      `/v1/sessions/${opened.id}/permission-rules`,
      call,
    );
    expect(settingsOf(read.json)).toEqual({
      permission: { mode: "accept_edits" },
      working_directories: ["/srv/shop", "/"],
      time_zone: "Europe/Berlin",
    });
    expect(rules.json.data).toEqual([
      {
        ...RULE,
        id: expect.stringMatching(/^rul_/),
        scope: "session",
        created_at: expect.any(String),
        created_by: expect.stringMatching(/^key_/),
      },
    ]);
  });

  test("tell the agent the time of the zone before it answers, once a reply", async () => {
    const { call, path } = await openSession();
    await ask("PATCH", path, { ...call, json: { time_zone: "Asia/Tokyo" } });

    await ask("POST", `${path}/replies`, { ...call, json: { input: "Hello" } });
    await ask("POST", `${path}/replies`, { ...call, json: { input: "Hello again" } });

    const { json } = await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call);
    const hints = json.data.filter((event) => event.type === "HINT_BLOCK");
    expect(hints.map(({ source, hint }) => [source, hint])).toEqual(
      hints.map(() => ["runtime", expect.stringMatching(/ in Asia\/Tokyo \(GMT\+09:00\)\.$/)]),
    );
    expect(hints.length).toBe(2);
  });

  test("know the address by which the platform was called", async () => {
    const { tenantId, session } = await openSession();
    const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));

    const [row] = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec<{ init: string }>("SELECT init FROM session").toArray(),
    );

    expect((JSON.parse(row!.init) as SessionInit).origin).toBe("https://api.test");
  });

  test("change one by one, and null goes back", async () => {
    const { call, path } = await openSession();
    const patch = async (json: object) =>
      settingsOf((await ask<Session>("PATCH", path, { ...call, json })).json);

    expect([
      await patch({ permission: { mode: "bypass" } }),
      await patch({ time_zone: "UTC", metadata: { order: "A-1001" } }),
      await patch({ working_directories: ["/srv"] }),
      await patch({ permission: { mode: null }, time_zone: null }),
    ]).toEqual([
      { permission: { mode: "bypass" }, working_directories: [], time_zone: null },
      { permission: { mode: "bypass" }, working_directories: [], time_zone: "UTC" },
      { permission: { mode: "bypass" }, working_directories: ["/srv"], time_zone: "UTC" },
      { permission: { mode: "default" }, working_directories: ["/srv"], time_zone: null },
    ]);
  });

  test("leave a running reply's permission alone, and nothing else of that change happens", async () => {
    const { call, path, session } = await openSession({ name: "Slow", model: SLOW });
    const json = { input: "Hello", background: true };
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
    const change = { permission: { mode: "bypass" }, metadata: { late: true } };

    const refused = await ask("PATCH", path, { ...call, json: change });
    const zone = await ask<Session>("PATCH", path, { ...call, json: { time_zone: "UTC" } });

    const { metadata } = (await ask<Session>("GET", path, call)).json;
    expect([refusalOf(refused), refused.json["reply_id"], zone.json.time_zone, metadata]).toEqual([
      { status: 409, code: "reply_running", pointers: undefined },
      reply.json.id,
      "UTC",
      session.metadata,
    ]);
    await ask("POST", `${path}/interrupt`, call);
  });

  test("of permission hold for the rest of a reply that waits", async () => {
    const { call, path, reply, pending } = await openParked(`${REFUND}\n/say Again.\n${REFUND}`);
    const change = { permission: { mode: "bypass" } };

    const changed = await ask<Session>("PATCH", path, { ...call, json: change });
    await ask("POST", `${path}/events`, { ...call, json: confirmation(reply, pending) });

    expect(changed.json.pending.length).toBe(1);
    await waitFor(async () => {
      const { json } = await ask<Reply>("GET", `${path}/replies/${reply.id}`, call);
      expect(json.status).toBe("completed");
    });
  });

  test("of permission need the scope for rules beside the session's", async () => {
    const { call, path, agent } = await openSession();
    const narrow = await keyWith(call, ["sessions:write"]);

    const answers = [
      await ask("PATCH", path, { ...narrow, json: { permission: { mode: "bypass" } } }),
      await ask("PATCH", path, { ...narrow, json: { working_directories: ["/"] } }),
      await ask("POST", "/v1/sessions", {
        ...narrow,
        json: { agent_id: agent.id, permission: { rules: [RULE] } },
      }),
    ];
    const zone = await ask("PATCH", path, { ...narrow, json: { time_zone: "UTC" } });

    expect(answers.map(({ status, json }) => [status, json.code, json["required_scope"]])).toEqual(
      answers.map(() => [403, "insufficient_scope", "permission_rules:write"]),
    );
    expect(zone.status).toBe(200);
  });

  test.each<[string, object, string]>([
    ["a relative directory", { working_directories: ["srv"] }, "#/working_directories/0"],
    [
      "too many directories",
      { working_directories: Array(33).fill("/a") },
      "#/working_directories",
    ],
    ["a zone that is none", { time_zone: "Mars/Olympus" }, "#/time_zone"],
    ["an offset as a zone", { time_zone: "+02:00" }, "#/time_zone"],
    ["a mode that is none", { permission: { mode: "yolo" } }, "#/permission/mode"],
    [
      "a rule that does nothing",
      { permission: { rules: [{ ...RULE, behavior: "passthrough" }] } },
      "#/permission/rules/0/behavior",
    ],
  ])("refuses %s", async (_, settings, pointer) => {
    const { call } = await makeTenant();
    const json = { agent_id: "agt_1", ...settings };

    expect(refusalOf(await ask("POST", "/v1/sessions", { ...call, json }))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });
});
