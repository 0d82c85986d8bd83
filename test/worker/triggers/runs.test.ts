// Runs of triggers by hand: their session, their reply, and what they come to.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeSession } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { seen, triggerDesk, WAITING } from "./trigger-desk.ts";

test("a run by hand opens a session of the trigger's agent and succeeds when its reply has ended", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ end_user_id: "ada" });
  const { status, json, headers } = await trigger.run();
  expect({ status, location: headers.get("Location") }).toEqual({
    status: 202,
    location: `${trigger.path}/runs/${json.id}`,
  });
  expect(json).toMatchObject({
    trigger_id: trigger.made.id,
    trigger_context: { type: "manual" },
    status: "pending",
    session_id: null,
  });
  const run = await trigger.until(json.id, "succeeded", "failed");
  expect(run).toMatchObject({ status: "succeeded", error: null, skip_reason: null });
  const { json: session } = await ask<Session>("GET", `/v1/sessions/${run.session_id}`, desk.call);
  expect(session).toMatchObject({
    agent_id: desk.agent_id,
    end_user_id: "ada",
    title: "Daily",
    permission: { mode: "dont_ask" },
  });
  const at = `/v1/sessions/${run.session_id}/replies/${run.reply_id}`;
  const { json: reply } = await ask<Reply>("GET", at, desk.call);
  expect([
    reply.status,
    reply.message?.content.map((block) => "text" in block && block.text),
  ]).toEqual(["completed", ["Good morning."]]);
});

test("a request that is repeated under its key begins one run", async () => {
  const trigger = await (await triggerDesk()).make({ overlap: "allow" });
  const key = { "Idempotency-Key": "once" };
  const [first, again] = [await trigger.run({}, key), await trigger.run({}, key)];
  expect(again.json.id).toBe(first.json.id);
  const other = await trigger.run();
  expect(other.json.id).not.toBe(first.json.id);
  await trigger.until(other.json.id, "succeeded");
  expect(await trigger.runs()).toHaveLength(2);
});

test("a run whose reply asks a person waits, and ends with the answer", async () => {
  const desk = await triggerDesk({ tools: [WAITING] });
  const trigger = await desk.make({ input: "/call refund {}\n/say Done." });
  const { json } = await trigger.run();
  const waiting = await trigger.until(json.id, "waiting");
  expect(waiting).toMatchObject({ ended_at: null, error: null });
  const path = `/v1/sessions/${waiting.session_id}`;
  const { json: reply } = await ask<Reply>("GET", `${path}/replies/${waiting.reply_id}`, desk.call);
  const event = {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: reply.id,
    execution_results: [{ id: reply.pending[0]?.tool_call.id, output: "ok" }],
  };
  const answered = await ask("POST", `${path}/events`, { ...desk.call, json: event });
  expect(answered.status).toBe(202);
  expect((await trigger.until(json.id, "succeeded", "failed")).status).toBe("succeeded");
});

test("while a run waits another one is left out, waits for its turn, or runs beside it", async () => {
  const desk = await triggerDesk({ tools: [WAITING] });
  const input = "/call refund {}\n/say Done.";
  for (const [overlap, states] of [
    ["skip", ["skipped"]],
    ["queue", ["pending"]],
    ["allow", ["waiting"]],
  ] as const) {
    const trigger = await desk.make({ input, overlap });
    const first = await trigger.run();
    await trigger.until(first.json.id, "waiting");
    const second = await trigger.run();
    const other = await trigger.until(second.json.id, ...states);
    expect(seen(other)).toEqual(["manual", ...states, ...(overlap === "skip" ? ["overlap"] : [])]);
    if (overlap !== "queue") continue;
    // The first one ends with its session, and it is the other one's turn.
    const { session_id } = await trigger.readRun(first.json.id);
    await ask("POST", `/v1/sessions/${session_id}/interrupt`, { ...desk.call, json: {} });
    expect(seen(await trigger.until(first.json.id, "failed"))).toEqual([
      "manual",
      "failed",
      "reply_interrupted",
    ]);
    await trigger.until(second.json.id, "waiting");
  }
});

test("runs go on in one kept session, or in one for each key", async () => {
  const desk = await triggerDesk();
  const kept = await desk.make({ session: { mode: "kept" }, overlap: "queue" });
  const ids = [];
  for (let count = 0; count < 3; count += 1) {
    const { json } = await kept.run();
    ids.push((await kept.until(json.id, "succeeded")).session_id);
  }
  expect(new Set(ids).size).toBe(1);
  // One that a person has deleted is followed by a new one.
  await ask("DELETE", `/v1/sessions/${ids[0]}`, desk.call);
  const { json } = await kept.run();
  const next = await kept.until(json.id, "succeeded", "failed");
  expect([next.status, next.session_id === ids[0]]).toEqual(["succeeded", false]);
  const keyed = await desk.make({
    webhook: { form: "github" },
    input: "/say {what}",
    overlap: "allow",
    session: { mode: "keyed", key: { pointer: "/issue" } },
    end_user_id: { pointer: "/user", prefix: "gh-" },
  });
  const sessions = new Map<string, string | null>();
  for (const [issue, user] of [
    [1, "ada"],
    [2, "ada"],
    [1, "ada"],
    [1, "bob"],
  ] as const) {
    const made = await keyed.run({ payload: { what: "hello", issue, user } });
    const run = await keyed.until(made.json.id, "succeeded", "failed");
    expect(seen(run)).toEqual(["manual", "succeeded"]);
    const key = `${issue} ${user}`;
    if (sessions.has(key)) expect(run.session_id).toBe(sessions.get(key));
    sessions.set(key, run.session_id);
  }
  // Two end users never share a session.
  expect(new Set(sessions.values()).size).toBe(3);
});

test("a quota's refusal is tried again for an hour, and is no failure of the trigger", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make();
  await changeTenant(desk.tenant_id, { quotas: { sessions: 0 } });
  const { json } = await trigger.run();
  await trigger.ring();
  expect(await trigger.readRun(json.id)).toMatchObject({ status: "pending", session_id: null });
  await changeTenant(desk.tenant_id, { quotas: { sessions: null } });
  await trigger.hurry();
  await trigger.settle();
});

test("the session of a trigger's run is told apart from others, and may be used by people", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ session: { mode: "kept" }, budget: { max_tokens: 50_000 } });
  const { json } = await trigger.run();
  const { session_id } = await trigger.until(json.id, "succeeded");
  const path = `/v1/sessions/${session_id}`;
  const said = await ask<Reply>("POST", `${path}/replies`, {
    ...desk.call,
    json: { input: "/say And now?" },
  });
  expect([said.status, said.json.status]).toEqual([200, "completed"]);
  const forked = await ask<Session>("POST", `${path}/fork`, { ...desk.call, json: {} });
  expect(forked.status).toBe(201);
  const other = await makeSession(desk.call, { agent_id: desk.agent_id });
  expect(other.id).not.toBe(session_id);
});

test("a trigger from before rooms answered them is shown, changed and run as one of its agent", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make();
  const { id } = trigger.made;
  await env.DB.prepare(
    "UPDATE triggers SET definition = json_remove(definition, '$.room_id', '$.mentions') WHERE id = ?",
  )
    .bind(id)
    .run();
  await runInDurableObject(trigger.stub(), (_, { storage: { sql } }) =>
    sql.exec(
      "UPDATE trigger_state SET armed = json_remove(armed, '$.definition.room_id', '$.definition.mentions')",
    ),
  );
  expect(await trigger.read()).toMatchObject({ room_id: null, mentions: [] });
  const { json } = await trigger.run();
  expect((await trigger.until(json.id, "succeeded", "failed")).room_id).toBeNull();
  const changed = await trigger.change({ name: "Weekly" });
  expect(changed.json).toMatchObject({ name: "Weekly", room_id: null, mentions: [] });
});
