// Runs of triggers that a room answers: their message, the discussion that it begins, and what they come to.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";

import { roomObjectName, type RoomApi } from "../../../durable-objects/api/room-api.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeAgent } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { roomTriggerDesk } from "./room-trigger-desk.ts";
import { seen, triggerDesk, WAITING } from "./trigger-desk.ts";

const HOUR_MS = 3_600_000;
const HOURLY = { type: "cron", expression: "0 * * * *", timezone: "UTC" } as const;
const MIA_AWAITED = { people: [{ name: "Mia", awaited: true }], agents: ["ann"] };

afterEach(() => vi.useRealTimers());

test("a run says its input as the room's own message, and succeeds when the discussion has ended", async () => {
  const desk = await roomTriggerDesk();
  const trigger = await desk.makeInRoom();
  expect(trigger.made).toMatchObject({
    agent_id: null,
    room_id: desk.room.id,
    agent_version: null,
    session: null,
    permission: null,
    budget: null,
    end_user_id: null,
    mentions: [],
  });
  const { json } = await trigger.run();
  expect(json).toMatchObject({ status: "pending", room_id: desk.room.id, message_id: null });
  const run = await trigger.until(json.id, "succeeded", "failed");
  const message_id = json.id.replace("trun_", "msg_");
  expect(run).toMatchObject({
    status: "succeeded",
    error: null,
    session_id: null,
    reply_id: null,
    room_id: desk.room.id,
    message_id,
  });
  expect(await desk.said()).toEqual(["room: Shall we?", "ann: Yes.", "bob: No."]);
  const [message] = await desk.messages();
  expect([message?.id, message?.metadata]).toEqual([
    message_id,
    { trigger: { trigger_id: trigger.made.id, trigger_run_id: json.id } },
  ]);
  expect(await desk.readRoom()).toMatchObject({
    status: "idle",
    last_end: { reason: "completed" },
  });
});

test("a scheduled run speaks in the room once, however often its alarm goes off", async () => {
  const desk = await roomTriggerDesk();
  const trigger = await desk.makeInRoom({ schedule: HOURLY });
  vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 10);
  await Promise.all([trigger.ring(), trigger.ring()]);
  await trigger.ring();
  expect((await trigger.settle()).map((run) => seen(run).slice(1))).toEqual([["succeeded"]]);
  expect(await desk.said()).toEqual(["room: Shall we?", "ann: Yes.", "bob: No."]);
});

test("a run waits while its room waits for a person, and ends with the answer", async () => {
  const desk = await roomTriggerDesk(MIA_AWAITED);
  const trigger = await desk.makeInRoom({ input: "Shall we?\n/say Yes." });
  const { json } = await trigger.run();
  const waiting = await trigger.until(json.id, "waiting");
  expect(waiting.ended_at).toBeNull();
  await desk.post("input", { participant: "Mia", content: "I agree." });
  expect((await trigger.until(json.id, "succeeded", "failed")).status).toBe("succeeded");
  expect(await desk.said()).toEqual(["room: Shall we?", "ann: Yes.", "Mia: I agree."]);
});

test("a run waits while an agent of the room asks for a call", async () => {
  const desk = await roomTriggerDesk({ agents: ["ann"] }, { tools: [WAITING] });
  const trigger = await desk.makeInRoom({ input: "Refund it.\n/call refund {}\n/say Done." });
  const { json } = await trigger.run();
  await trigger.until(json.id, "waiting");
  const { pending } = await desk.readRoom();
  const event = {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: pending[0]?.reply_id,
    execution_results: [{ id: pending[0]?.tool_call.id, output: "ok" }],
  };
  await desk.post("events", event);
  expect((await trigger.until(json.id, "succeeded", "failed")).status).toBe("succeeded");
});

test("while a run of the room waits another one is left out, waits for its turn, or speaks at once", async () => {
  for (const [overlap, state] of [
    ["skip", ["skipped", "overlap"]],
    ["queue", ["pending"]],
    ["allow", ["waiting"]],
  ] as const) {
    const desk = await roomTriggerDesk(MIA_AWAITED);
    const trigger = await desk.makeInRoom({ input: "Shall we?\n/say Yes.", overlap });
    const first = await trigger.run();
    await trigger.until(first.json.id, "waiting");
    const second = await trigger.run();
    if (overlap !== "allow") {
      const other = await trigger.until(second.json.id, state[0]);
      expect(seen(other)).toEqual(["manual", ...state]);
    }
    if (overlap === "skip") continue;
    // Of two messages in one discussion the second one is answered by the discussion behind it.
    await desk.post("input", { participant: "Mia", content: "I agree." });
    expect(seen(await trigger.until(first.json.id, "succeeded"))).toEqual(["manual", "succeeded"]);
    await trigger.until(second.json.id, "waiting");
    await desk.post("input", { participant: "Mia", content: "Again." });
    await trigger.until(second.json.id, "succeeded");
    expect((await desk.said()).filter((said) => said.startsWith("room"))).toHaveLength(2);
  }
});

test("a discussion that is interrupted, or in which every turn fails, fails the run by name", async () => {
  const desk = await roomTriggerDesk({ agents: ["ann"], people: [] });
  const failing = await desk.makeInRoom({ input: "Go.\n/fail model_request" });
  const { json } = await failing.run();
  expect(seen(await failing.until(json.id, "failed"))).toEqual([
    "manual",
    "failed",
    "reply_failed",
  ]);
  const other = await roomTriggerDesk(MIA_AWAITED);
  const trigger = await other.makeInRoom({ input: "Shall we?\n/say Yes.", schedule: HOURLY });
  vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 10);
  await trigger.ring();
  const [run] = await trigger.runs();
  await trigger.until(run!.id, "waiting");
  await other.post("interrupt", {});
  expect(seen(await trigger.until(run!.id, "failed")).slice(1)).toEqual([
    "failed",
    "reply_interrupted",
  ]);
  expect((await trigger.read()).failures_in_row).toBe(0);
});

test("a room by mention gives turns to those whom the trigger names, and refuses a name that has left", async () => {
  const desk = await roomTriggerDesk({ turns: { order: "mentioned" } });
  const trigger = await desk.makeInRoom({ mentions: ["bob"], input: "Bob?\n/say Here." });
  const { json } = await trigger.run();
  expect((await trigger.until(json.id, "succeeded", "failed")).status).toBe("succeeded");
  expect(await desk.said()).toEqual(["room: Bob?", "bob: Here."]);
  const nobody = await desk.makeInRoom();
  const silent = await nobody.run();
  expect((await nobody.until(silent.json.id, "failed")).error).toEqual({
    type: "reply_failed",
    message: "Nobody in the room has had a turn that ended.",
  });
  await ask("DELETE", `${desk.room_path}/participants/bob`, desk.call);
  const late = await trigger.run();
  const { error } = await trigger.until(late.json.id, "failed");
  expect(error).toEqual({
    type: "input_refused",
    message: "The room has refused the input: no participant of this room is bob",
  });
});

test("what a payload brings into a room is untrusted for all who hear it", async () => {
  const desk = await roomTriggerDesk({ agents: ["ann"] });
  const trigger = await desk.makeInRoom({
    webhook: { form: "github" },
    input: "Look:\n/say {word}",
  });
  const { json } = await trigger.run({ payload: { word: "Seen." } });
  await trigger.until(json.id, "succeeded");
  const untrusted = { tool_name: "trigger:Daily", tool_call_id: json.id };
  expect(
    (await desk.messages()).map(({ name, metadata }) => [name, metadata["untrusted"]]),
  ).toEqual([
    ["room", untrusted],
    ["ann", untrusted],
  ]);
});

test("the triggers of a deleted room are paused, its open run fails by that, and it is not unpaused", async () => {
  const desk = await roomTriggerDesk(MIA_AWAITED);
  const trigger = await desk.makeInRoom({ input: "Shall we?\n/say Yes.", schedule: HOURLY });
  const { json } = await trigger.run();
  await trigger.until(json.id, "waiting");
  expect((await desk.remove()).status).toBe(204);
  const reason = {
    type: "error",
    error: { type: "room_deleted", message: "The room was deleted." },
  };
  expect(await trigger.read()).toMatchObject({ status: "paused", paused_reason: reason });
  vi.setSystemTime(Date.now() + 3 * 60_000);
  expect(seen(await trigger.until(json.id, "failed"))).toEqual([
    "manual",
    "failed",
    "room_deleted",
  ]);
  const later = await trigger.run();
  await trigger.until(later.json.id, "failed");
  expect((await trigger.post("unpause")).json).toMatchObject({ code: "conflict" });
});

test("a room of another tenant is not found, and a trigger speaks in none that it was not made for", async () => {
  const [desk, other] = [await roomTriggerDesk(), await triggerDesk()];
  const json = { name: "Spy", room_id: desk.room.id, input: "Hello" };
  const refused = await ask("POST", "/v1/triggers", { ...other.call, json });
  expect([refused.status, refused.json]).toMatchObject([
    404,
    { code: "not_found", errors: [{ pointer: "#/room_id" }] },
  ]);
  const room = env.ROOM.getByName(roomObjectName(other.tenant_id, desk.room.id));
  const read = await (room as unknown as RoomApi).readTriggered("msg_1");
  expect(read).toMatchObject({ ok: false, refusal: { code: "not_found" } });
});

test("a trigger has an agent or a room, and a room none of what its participants have of their own", async () => {
  const desk = await roomTriggerDesk();
  const { id: agent_id } = await makeAgent(desk.call);
  const pointers = [];
  for (const more of [
    { agent_id },
    { room_id: undefined },
    { agent_version: 1 },
    { session: { mode: "kept" } },
    { permission: { mode: "default" } },
    { budget: { max_tokens: 10 } },
    { end_user_id: "ada" },
    { room_id: undefined, agent_id, mentions: ["ann"] },
  ]) {
    const { json } = await desk.tryInRoom(more);
    const { errors = [] } = json as unknown as { errors?: readonly { pointer: string }[] };
    pointers.push(errors[0]?.pointer);
  }
  expect(pointers).toEqual([
    "#/room_id",
    "#/agent_id",
    "#/agent_version",
    "#/session",
    "#/permission",
    "#/budget",
    "#/end_user_id",
    "#/mentions",
  ]);
  const trigger = await desk.makeInRoom();
  const changed = await trigger.change({ permission: { mode: "bypass" } });
  expect(changed.json).toMatchObject({ code: "validation_failed" });
  expect((await trigger.change({ mentions: ["ann"], budget: null })).json.mentions).toEqual([
    "ann",
  ]);
});

test("a key that may not speak in rooms makes and changes no trigger of one", async () => {
  const desk = await roomTriggerDesk();
  const json = { name: "ci", scopes: ["triggers:read", "triggers:write"] };
  const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...desk.call, json });
  const call = { key: key.api_key };
  const refused = { code: "insufficient_scope", required_scope: "rooms:write" };
  expect((await desk.tryInRoom({}, call)).json).toMatchObject(refused);
  const trigger = await desk.makeInRoom();
  const change = { ...call, json: { input: "Mine." } };
  expect((await ask("PATCH", trigger.path, change)).json).toMatchObject(refused);
});

test("a tenant that is suspended says nothing in its rooms until it is active again", async () => {
  const desk = await roomTriggerDesk();
  const trigger = await desk.makeInRoom({ schedule: HOURLY, missed: "run_once" });
  await changeTenant(desk.tenant_id, { status: "suspended" });
  vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 10);
  await trigger.ring();
  await changeTenant(desk.tenant_id, { status: "active" });
  expect(await desk.said()).toEqual([]);
  vi.setSystemTime(Date.now() + 11 * 60_000);
  expect((await trigger.settle()).map((run) => seen(run).slice(1))).toEqual([["succeeded"]]);
});

test("a used up quota of bytes is tried for an hour, and then fails the run without counting", async () => {
  const desk = await roomTriggerDesk();
  const trigger = await desk.makeInRoom({ schedule: HOURLY });
  await changeTenant(desk.tenant_id, { quotas: { stored_bytes: 1 } });
  vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 10);
  await trigger.ring();
  const [run] = await trigger.runs();
  expect(run).toMatchObject({ status: "pending" });
  vi.setSystemTime(Date.now() + HOUR_MS + 60_000);
  await trigger.ring();
  const failed = await trigger.until(run!.id, "failed");
  expect([failed.error?.type, (await trigger.read()).failures_in_row]).toEqual([
    "quota_exceeded",
    0,
  ]);
  expect(await desk.said()).toEqual([]);
});

test("the erasure of an end user who takes part interrupts the discussion, and the trigger goes on", async () => {
  const desk = await roomTriggerDesk({
    agents: ["ann"],
    people: [{ name: "Mia", awaited: true, end_user_id: "mia" }],
  });
  const trigger = await desk.makeInRoom({ input: "Shall we?\n/say Yes." });
  const { json } = await trigger.run();
  await trigger.until(json.id, "waiting");
  const room = env.ROOM.getByName(roomObjectName(desk.tenant_id, desk.room.id));
  const erased = await (room as unknown as RoomApi).eraseEndUser("mia");
  expect(erased.ok).toBe(true);
  expect((await trigger.until(json.id, "failed")).error?.type).toBe("reply_interrupted");
  const next = await trigger.run();
  await waitFor(async () => expect((await trigger.readRun(next.json.id)).status).toBe("succeeded"));
});

test("a room keeps what a discussion has come to, and says each message once, though it is asked again", async () => {
  const desk = await roomTriggerDesk();
  const trigger = await desk.makeInRoom();
  const { json } = await trigger.run();
  await trigger.until(json.id, "succeeded");
  const stub = () => env.ROOM.getByName(roomObjectName(desk.tenant_id, desk.room.id));
  const said = {
    trigger_id: trigger.made.id,
    id: json.id.replace("trun_", "msg_"),
    content: "Something else.",
    metadata: {},
    mentions: [],
  };
  await runInDurableObject(stub(), (_, object) => {
    setTimeout(() => object.abort("the machine is gone"), 0);
  }).catch(() => undefined);
  const again = await waitFor(() => (stub() as unknown as RoomApi).postTriggered(said));
  expect(again).toMatchObject({ ok: true, value: { message: { end: "completed" } } });
  expect(await desk.said()).toEqual(["room: Shall we?", "ann: Yes.", "bob: No."]);
  const foreign = { ...said, id: "msg_of_mia" };
  await desk.post("messages", { id: "msg_of_mia", participant: "Mia", content: "Mine." });
  const taken = await (stub() as unknown as RoomApi).postTriggered(foreign);
  expect(taken).toMatchObject({ ok: false, refusal: { code: "message_conflict" } });
});
