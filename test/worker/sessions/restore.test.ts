// Sessions that go on from an earlier position, or from a state in the place of theirs.
import { describe, expect, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { Restored } from "../../../protocol/sessions/restore.ts";
import type { SharedState } from "../../../protocol/shared-state/contract.ts";
import { ask, openSession, refusalOf, type Call } from "../support/api.ts";

interface Opened {
  readonly call: Call;
  readonly path: string;
}

const say = async ({ call, path }: Opened, text: string, id: string): Promise<Reply> => {
  const input = { id, name: "user", role: "user", content: text };
  return (await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } })).json;
};
const restore = ({ call, path }: Opened, cursor: number, headers: Record<string, string> = {}) =>
  ask<Restored>("POST", `${path}/restore`, { ...call, json: { cursor }, headers });
const messagesOf = async ({ call, path }: Opened) =>
  (await ask<Page<Msg>>("GET", `${path}/messages?limit=100`, call)).json.data;
const idsOf = async (opened: Opened) => (await messagesOf(opened)).map(({ id }) => id);
const stateOf = async ({ call, path }: Opened) =>
  (await ask<AgentState>("GET", `${path}/state`, call)).json;
const eventsAfter = async ({ call, path }: Opened, cursor: number) =>
  (await ask<Page<LoggedEvent>>("GET", `${path}/events?after=${cursor}&limit=100`, call)).json.data;
const cursorOf = async ({ call, path }: Opened) =>
  (await ask<Session>("GET", path, call)).json.cursor;
const text = (said: string) => ({ type: "text", text: said });
const share = ({ call, path }: Opened, n: number) =>
  ask("PATCH", `${path}/shared-state`, { ...call, json: [{ op: "add", path: "/n", value: n }] });
const sharedOf = async ({ call, path }: Opened) =>
  (await ask<SharedState>("GET", `${path}/shared-state`, call)).json;

describe("a restore", () => {
  test("takes out what was said behind the position, and the log goes on", async () => {
    const session = await openSession();
    const first = await say(session, "One", "m1");
    await share(session, 1);
    const at = await cursorOf(session);
    const second = await say(session, "Two", "m2");
    await share(session, 2);
    const before = await cursorOf(session);

    const restored = await restore(session, at);

    expect(restored.status).toBe(200);
    expect(restored.json.message_id).toBe(first.id);
    expect(await idsOf(session)).toEqual(["m1", first.id]);
    expect(await sharedOf(session)).toMatchObject({ state: { n: 1 }, version: 3 });
    const events = await eventsAfter(session, before);
    expect(events).toMatchObject([
      {
        seq: before + 1,
        name: "session_restored",
        value: { cursor: at, last_message_id: first.id, added_messages: 0 },
      },
      { name: "ability_state", value: { ability: "shared_state", state: { state: { n: 1 } } } },
    ]);
    expect(restored.json.cursor).toBe(events.at(-1)?.seq);
    // The reply is a fact of the log, with what it has used.
    const { call, path } = session;
    const kept = await ask<Reply>("GET", `${path}/replies/${second.id}`, call);
    expect(kept.json).toMatchObject({ status: "completed", message: { id: second.id } });
  });

  test("lets the same message be said again, which begins a reply of its own", async () => {
    const session = await openSession();
    const at = await cursorOf(session);
    const first = await say(session, "One", "m1");
    await restore(session, at);

    const second = await say(session, "One", "m1");

    expect(second.id).not.toBe(first.id);
    expect(await idsOf(session)).toEqual(["m1", second.id]);
    const { call, path } = session;
    const kept = await ask<Reply>("GET", `${path}/replies/${first.id}`, call);
    expect(kept.json.message?.id).toBe(first.id);
  });

  test("leaves a reply its own message, also where its id is given to another one", async () => {
    const session = await openSession();
    const { call, path } = session;
    const first = await say(session, "/say One", "m1");
    await restore(session, 0);

    const forged = { id: first.id, name: "user", role: "user", content: "Forged" };
    const told = await ask("POST", `${path}/observe`, { ...call, json: { messages: [forged] } });

    expect(told.status).toBeLessThan(300);
    expect(await idsOf(session)).toEqual([first.id]);
    const kept = await ask<Reply>("GET", `${path}/replies/${first.id}`, call);
    expect(kept.json.message).toMatchObject({ role: "assistant", content: [{ text: "One" }] });
  });

  test("brings back what an earlier one has taken out", async () => {
    const session = await openSession();
    const first = await say(session, "One", "m1");
    const early = await cursorOf(session);
    const second = await say(session, "Two", "m2");
    const late = await cursorOf(session);
    const whole = await messagesOf(session);
    await restore(session, early);
    const third = await say(session, "Other", "m2");
    expect(await idsOf(session)).toEqual(["m1", first.id, "m2", third.id]);
    const other = await cursorOf(session);

    const back = await restore(session, late);

    expect(back.json.message_id).toBe(second.id);
    expect(await messagesOf(session)).toEqual(whole);
    const events = await eventsAfter(session, other);
    expect(events.map((event) => (event as { name?: string }).name)).toEqual([
      "session_restored",
      "message_added",
      "message_added",
    ]);
    expect((await restore(session, late)).json).toEqual(back.json);
    // The same message is known to be the input of its reply.
    expect((await say(session, "Two", "m2")).id).toBe(second.id);
    await restore(session, other);
    expect(await idsOf(session)).toEqual(["m1", first.id, "m2", third.id]);
  });

  test("leaves what was there at each position to forks", async () => {
    const session = await openSession();
    const first = await say(session, "One", "m1");
    await share(session, 1);
    const early = await cursorOf(session);
    const second = await say(session, "Two", "m2");
    const late = await cursorOf(session);
    await restore(session, early);
    const third = await say(session, "Three", "m3");
    const { call, path } = session;
    const fork = async (json: object) => {
      const forked = await ask<Session>("POST", `${path}/fork`, { ...call, json });
      return idsOf({ call, path: `/v1/sessions/${forked.json.id}` });
    };

    expect(await fork({})).toEqual(["m1", first.id, "m3", third.id]);
    expect(await fork({ at: late })).toEqual(["m1", first.id, "m2", second.id]);
    expect(await fork({ at: early })).toEqual(["m1", first.id]);
    const gone = await ask("POST", `${path}/fork`, { ...call, json: { at: "m2" } });
    expect(refusalOf(gone)).toMatchObject({ status: 404 });
    const message = await ask("GET", `${path}/messages/m2`, call);
    expect(message.status).toBe(404);
  });

  test("changes nothing when it is sent again, and nothing for another newest position", async () => {
    const session = await openSession();
    await say(session, "One", "m1");
    const at = await cursorOf(session);
    await say(session, "Two", "m2");
    const newest = await cursorOf(session);

    const stale = await restore(session, at, { "If-Match": `"${at}"` });
    const done = await restore(session, at, { "If-Match": `"${newest}"` });
    const again = await restore(session, at);

    expect(stale.status).toBe(412);
    expect(done.status).toBe(200);
    expect(again.json).toEqual(done.json);
    expect(await cursorOf(session)).toBe(done.json.cursor);
    expect((await restore(session, done.json.cursor + 5_000)).status).toBe(400);
  });

  test("answers a repeated key with what it was answered then", async () => {
    const session = await openSession();
    const at = await cursorOf(session);
    await say(session, "One", "m1");
    const key = { "Idempotency-Key": "restore-1" };
    const done = await restore(session, at, key);
    const later = await say(session, "Two", "m2");

    const again = await restore(session, at, key);

    expect(again.json).toEqual(done.json);
    expect(await idsOf(session)).toEqual(["m2", later.id]);
  });

  test("is refused while a reply waits, and to an end user's token", async () => {
    const look = { type: "external", name: "look", read_only: true };
    const session = await openSession({ name: "Desk", tools: [look] });
    const { call, path } = session;
    const token = await ask<{ token: string }>("POST", `${path}/tokens`, {
      ...call,
      json: {},
    });
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/call look {}" } });
    await expect
      .poll(async () => (await ask<Session>("GET", path, call)).json.status)
      .toBe("awaiting_external_result");

    const waiting = await restore(session, 0);
    const byToken = await restore({ call: { key: token.json.token }, path }, 0);

    expect(refusalOf(waiting as never)).toMatchObject({ status: 409, code: "reply_awaiting" });
    expect(byToken.status).toBe(403);
  });

  test("is an event that every dialect shows", async () => {
    const session = await openSession();
    await say(session, "One", "m1");
    await restore(session, 0);
    const { call, path } = session;
    const headers = { Accept: "text/event-stream" };

    const streams = await Promise.all(
      ["agentscope", "agentscope-java"].map((format) =>
        ask("GET", `${path}/events?format=${format}`, { ...call, headers }),
      ),
    );

    for (const { text } of streams) expect(text).toContain('"session_restored"');
  });

  test("is not of another tenant", async () => {
    const session = await openSession();
    const other = await openSession();
    const stranger = { call: other.call, path: session.path };

    expect((await restore(stranger, 0)).status).toBe(404);
  });
});

describe("a state in the place of another one", () => {
  const replace = ({ call, path }: Opened, json: object, headers: Record<string, string> = {}) =>
    ask<AgentState>("PUT", `${path}/state?replace=true`, { ...call, json, headers });

  test("is the session's from then on, as `load_state_dict` has it", async () => {
    const session = await openSession();
    const first = await say(session, "One", "m1");
    await share(session, 1);
    const saved = await stateOf(session);
    await say(session, "Two", "m2");
    await share(session, 2);

    const loaded = await replace(session, saved);

    expect(loaded.status).toBe(200);
    expect(await idsOf(session)).toEqual(["m1", first.id]);
    const { middle_context, ...rest } = loaded.json;
    const { middle_context: before, ...expected } = saved;
    expect(rest).toEqual(expected);
    expect(middle_context).toMatchObject({ shared_state: { state: { n: 1 }, version: 3 } });
    expect(before).toMatchObject({ shared_state: { state: { n: 1 }, version: 1 } });
  });

  test("keeps the messages of the same beginning, and changes nothing when it is there", async () => {
    const session = await openSession();
    await say(session, "One", "m1");
    await say(session, "Two", "m2");
    const saved = await stateOf(session);
    const at = await cursorOf(session);

    const same = await replace(session, saved);
    const changed = await replace(session, {
      ...saved,
      context: [...saved.context.slice(0, 3), { ...saved.context[3], content: [text("Edited")] }],
    });

    expect(same.json).toEqual(saved);
    expect(changed.json.context.map(({ id }) => id)).toEqual(saved.context.map(({ id }) => id));
    expect(changed.json.context[3]).toMatchObject({ content: [{ type: "text", text: "Edited" }] });
    expect(await eventsAfter(session, at)).toMatchObject([
      { name: "session_restored", value: { last_message_id: "m2", added_messages: 1 } },
      { name: "message_added" },
    ]);
  });

  test("has none of what it does not name", async () => {
    const session = await openSession();
    await say(session, "One", "m1");
    await share(session, 1);

    const context = [{ id: "n1", name: "user", role: "user", content: [text("New")] }];
    await replace(session, { context });

    expect(await idsOf(session)).toEqual(["n1"]);
    expect(await sharedOf(session)).toMatchObject({ state: {}, version: 2 });
    await replace(session, {});
    expect(await idsOf(session)).toEqual([]);
  });

  test("has rules in place of the session's, for those who may write them", async () => {
    const session = await openSession();
    const rule = (tool_name: string, behavior: string) => {
      return { tool_name, rule_content: null, behavior, source: "shop" };
    };
    const { call, path } = session;
    await ask("POST", `${path}/permission-rules`, { ...call, json: rule("refund", "deny") });
    const permission_context = { ask_rules: { ship: [rule("ship", "ask")] } };

    const loaded = await replace(session, { permission_context });

    expect(loaded.json.permission_context).toMatchObject({
      deny_rules: {},
      ask_rules: permission_context.ask_rules,
    });
  });

  test("is taken at the newest position alone, where the client names one", async () => {
    const session = await openSession();
    await say(session, "One", "m1");
    const at = await cursorOf(session);
    await say(session, "Two", "m2");
    const newest = await cursorOf(session);

    expect((await replace(session, {}, { "If-Match": `"${at}"` })).status).toBe(412);
    expect((await replace(session, {}, { "If-Match": `"${newest}"` })).status).toBe(200);
    const { call, path } = session;
    const plain = { ...call, json: {}, headers: { "If-Match": '"1"' } };
    expect((await ask("PUT", `${path}/state`, plain)).status).toBe(400);
  });
});
