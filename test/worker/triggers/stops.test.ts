// Reasons that stop a trigger, and others that do not: failures, quotas, a tenant that is suspended or closed, a key that is revoked, an agent
// or an end user that is gone.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { RUN_QUOTA_RETRY_MS } from "../../../protocol/triggers/limits.ts";
import { eraseEndUserTriggers } from "../../../worker/triggers/erase-triggers.ts";
import { eraseStep } from "../../../worker/jobs/erase-tenant.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { seen, triggerDesk, WAITING, type Desk, type OpenTrigger } from "./trigger-desk.ts";

const HOUR_MS = 3_600_000;
const HOURLY = { type: "cron", expression: "0 * * * *", timezone: "UTC" } as const;

afterEach(() => vi.useRealTimers());

/** The next full hour, with the jitter of what is due then. */
function passHour(): void {
  vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 10);
}

/** Lets so many hours pass, one by one. */
async function passHours(trigger: OpenTrigger, hours: number) {
  for (let hour = 0; hour < hours; hour += 1) {
    passHour();
    await trigger.settle();
  }
  return (await trigger.runs("?limit=100")).toReversed().map((run) => seen(run).slice(1));
}

async function publishedBy(desk: Desk, type: string): Promise<readonly unknown[]> {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM webhook_deliveries WHERE tenant_id = ? AND type = ? ORDER BY id",
  )
    .bind(desk.tenant_id, type)
    .all<{ payload: string }>();
  return results.map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data);
}

test("five failures in a row pause a trigger, and its webhooks say what has become of its runs", async () => {
  const desk = await triggerDesk();
  const url = "https://receiver.example/hooks";
  const json = { url, events: ["*"] };
  expect((await ask("POST", "/v1/webhook-endpoints", { ...desk.call, json })).status).toBe(201);
  const trigger = await desk.make({ schedule: HOURLY, input: "/fail model_request" });
  const failed = ["failed", "reply_failed"];
  expect(await passHours(trigger, 4)).toEqual([failed, failed, failed, failed]);
  await trigger.change({ input: "/say Better." });
  expect(await passHours(trigger, 1)).toEqual([failed, failed, failed, failed, ["succeeded"]]);
  expect(await trigger.read()).toMatchObject({ status: "active", failures_in_row: 0 });
  await trigger.change({ input: "/fail model_request" });
  // A failure by hand is a person's.
  await trigger.run();
  await trigger.settle();
  const all = await passHours(trigger, 8);
  expect(all.slice(5)).toEqual(Array.from({ length: 6 }, () => failed));
  await waitFor(async () => {
    expect(await trigger.read()).toMatchObject({
      status: "paused",
      paused_reason: { type: "error", error: { type: "reply_failed" } },
      failures_in_row: 5,
    });
  });
  const paused = await publishedBy(desk, "trigger.paused");
  expect(paused).toEqual([
    {
      trigger_id: trigger.made.id,
      agent_id: desk.agent_id,
      room_id: null,
      error_type: "reply_failed",
    },
  ]);
  const events = ["started", "succeeded", "failed"].map((what) =>
    publishedBy(desk, `trigger_run.${what}`),
  );
  expect((await Promise.all(events)).map(({ length }) => length)).toEqual([11, 1, 10]);
  expect((await trigger.post("unpause")).json).toMatchObject({
    status: "active",
    failures_in_row: 0,
  });
});

test("a quota's refusal is tried for an hour, then the run has failed, which pauses nothing", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ schedule: HOURLY });
  await changeTenant(desk.tenant_id, { quotas: { sessions: 0 } });
  passHour();
  await trigger.ring();
  const [run] = await trigger.runs();
  expect(run).toMatchObject({ status: "pending", session_id: null });
  // Later times are left out while it goes on trying; it is not over before the hour.
  vi.setSystemTime(Date.now() + RUN_QUOTA_RETRY_MS - 60_000);
  await trigger.ring();
  expect((await trigger.readRun(run!.id)).status).toBe("pending");
  vi.setSystemTime(Date.now() + 120_000);
  await trigger.ring();
  const { status, error } = await trigger.until(run!.id, "failed");
  expect([status, error?.type]).toEqual(["failed", "quota_exceeded"]);
  await changeTenant(desk.tenant_id, { quotas: { sessions: 100 } });
  expect(await trigger.read()).toMatchObject({ status: "active", failures_in_row: 0 });
  const after = await passHours(trigger, 1);
  expect(after.at(-1)).toEqual(["succeeded"]);
});

test("a suspended tenant's triggers stand still, and make up for what was missed by their policy", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ schedule: HOURLY, missed: "run_once" });
  await changeTenant(desk.tenant_id, { status: "suspended" });
  for (let hour = 0; hour < 3; hour += 1) {
    passHour();
    await trigger.ring();
  }
  expect((await trigger.stub().listRuns({ limit: 5 })).data).toEqual([]);
  await changeTenant(desk.tenant_id, { status: "active" });
  vi.setSystemTime(Date.now() + 60_000 * 11);
  const runs = await trigger.settle();
  expect(runs.map((run) => seen(run).slice(1))).toEqual([["succeeded"]]);
  expect((await trigger.read()).missed_runs).toBe(2);
});

test("a closed tenant's triggers are erased with their objects", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ schedule: HOURLY });
  await trigger.run();
  await trigger.settle();
  await ask("DELETE", `/v1/tenants/${desk.tenant_id}`, { key: env.OPERATOR_KEY });
  while (!(await eraseStep(env, desk.tenant_id)));
  expect(await tablesOf(trigger)).toBe(0);
  const { results } = await env.DB.prepare("SELECT 1 FROM triggers WHERE tenant_id = ?")
    .bind(desk.tenant_id)
    .all();
  expect(results).toEqual([]);
});

test("the trigger of a deleted agent is paused, and a run by hand says why it fails", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ schedule: HOURLY });
  expect((await ask("DELETE", `/v1/agents/${desk.agent_id}`, desk.call)).status).toBe(204);
  expect(await trigger.read()).toMatchObject({
    status: "paused",
    paused_reason: { type: "error", error: { type: "agent_deleted" } },
  });
  expect(await passHours(trigger, 2)).toEqual([]);
  const { json } = await trigger.run();
  expect(seen(await trigger.until(json.id, "failed"))).toEqual([
    "manual",
    "failed",
    "agent_deleted",
  ]);
  expect((await trigger.post("unpause")).status).toBe(409);
});

test("a key that is revoked with what it has made pauses its triggers, and no others", async () => {
  const desk = await triggerDesk();
  const json = { name: "ci", scopes: ["triggers:read", "triggers:write"] };
  const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...desk.call, json });
  const call = { key: key.api_key };
  const made = { name: "Daily", agent_id: desk.agent_id, input: "Hello", schedule: HOURLY };
  const theirs = await ask<{ id: string }>("POST", "/v1/triggers", { ...call, json: made });
  expect(theirs.status).toBe(201);
  const ours = await desk.make({ schedule: HOURLY });
  await ask("POST", `/v1/api-keys/${key.id}/revoke`, { ...desk.call, json: { cascade: true } });
  const read = await ask("GET", `/v1/triggers/${theirs.json.id}`, desk.call);
  expect(read.json).toMatchObject({ status: "paused", paused_reason: { type: "key_revoked" } });
  expect((await ours.read()).status).toBe("active");
});

test("the erasure of an end user takes their triggers, and their runs of others, along", async () => {
  const desk = await triggerDesk({ tools: [WAITING] });
  const own = await desk.make({ end_user_id: "gh-ada", schedule: HOURLY });
  const named = await desk.make({
    webhook: { form: "github" },
    input: "/call refund {{}}\n/say {name}",
    overlap: "allow",
    session: { mode: "kept" },
    end_user_id: { pointer: "/name", prefix: "gh-" },
  });
  const ada = await named.run({ payload: { name: "ada" } });
  const bob = await named.run({ payload: { name: "bob" } });
  const open = await named.until(ada.json.id, "waiting");
  await named.until(bob.json.id, "waiting");
  const place = { tenant_id: desk.tenant_id, end_user_id: "gh-ada" };
  expect(await eraseEndUserTriggers(env, place, new Date().toISOString())).toBe(false);
  expect((await ask("GET", own.path, desk.call)).status).toBe(404);
  expect(await tablesOf(own)).toBe(0);
  expect(await named.readRun(ada.json.id)).toMatchObject({
    status: "failed",
    error: { type: "end_user_erased" },
    session_id: null,
    reply_id: null,
  });
  expect(await textOf(named)).not.toContain("gh-ada");
  expect((await named.readRun(bob.json.id)).status).toBe("waiting");
  const again = await named.run({ payload: { name: "ada" } });
  const next = await named.until(again.json.id, "waiting");
  expect(next.session_id).not.toBe(open.session_id);
});

test("an end user's export has their triggers, for a key that may read them", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ end_user_id: "ada" });
  await desk.make({ end_user_id: "bob" });
  const path = "/v1/end-users/ada/export";
  const { text } = await ask("GET", path, desk.call);
  const lines = text.trimEnd().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toEqual({ type: "trigger", trigger: await trigger.read() });
  expect(text).not.toContain("bob");
  const json = { name: "export", scopes: ["sessions:read", "files:read", "memories:read"] };
  const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...desk.call, json });
  expect((await ask("GET", path, { key: key.api_key })).json).toMatchObject({
    code: "insufficient_scope",
    required_scope: "triggers:read",
  });
  expect((await ask("GET", "/v1/end-users/carl/export", { key: key.api_key })).status).toBe(200);
});

test("a run whose session is deleted has failed by that, which is nobody's failure", async () => {
  const desk = await triggerDesk({ tools: [WAITING] });
  const trigger = await desk.make({ input: "/call refund {}\n/say Done.", schedule: HOURLY });
  const { json } = await trigger.run();
  const { session_id } = await trigger.until(json.id, "waiting");
  expect((await ask("DELETE", `/v1/sessions/${session_id}`, desk.call)).status).toBe(204);
  vi.setSystemTime(Date.now() + 3 * 60_000);
  await trigger.ring();
  expect(seen(await trigger.until(json.id, "failed"))).toEqual([
    "manual",
    "failed",
    "session_deleted",
  ]);
});

test("the sweep arms a trigger whose object was not told, and finishes an erasure", async () => {
  const desk = await triggerDesk();
  const [trigger, gone] = [await desk.make({ schedule: HOURLY }), await desk.make()];
  const dueOf = () => runInDurableObject(trigger.stub(), (_, { storage }) => storage.getAlarm());
  await trigger.stub().erase();
  await env.DB.batch([
    env.DB.prepare("UPDATE triggers SET armed_revision = 0 WHERE id = ?").bind(trigger.made.id),
    env.DB.prepare("UPDATE triggers SET deleted_at = ? WHERE id = ?").bind(
      new Date().toISOString(),
      gone.made.id,
    ),
  ]);
  expect(await dueOf()).toBeNull();
  vi.setSystemTime(Date.now() + 120_000);
  await sweep(env, { kind: "walk", after: "" });
  expect(await dueOf()).not.toBeNull();
  expect(await tablesOf(gone)).toBe(0);
  expect((await passHours(trigger, 1)).at(-1)).toEqual(["succeeded"]);
});

function tablesOf(trigger: OpenTrigger): Promise<number> {
  return runInDurableObject(
    trigger.stub(),
    (_, { storage }) =>
      storage.sql.exec("SELECT 1 FROM sqlite_schema WHERE name NOT GLOB '_cf_*'").toArray().length,
  );
}

/** All that the object has stored. */
function textOf(trigger: OpenTrigger): Promise<string> {
  return runInDurableObject(trigger.stub(), (_, { storage: { sql } }) => {
    const tables = ["trigger_state", "runs", "kept_sessions", "announcements"];
    return JSON.stringify(tables.map((table) => sql.exec(`SELECT * FROM ${table}`).toArray()));
  });
}
