// Background tasks of sessions that sleep, of tenants that are stopped, and tasks that nobody ends.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { BackgroundTable } from "../../../durable-objects/tables/background-table.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, OPERATOR } from "../support/api.ts";
import { openWorking } from "./working-session.ts";

test("a task ends while its session's object sleeps", async () => {
  const { stub, post, said, tasks } = await openWorking();
  await evictDurableObject(stub());

  expect((await post("/say Good morning.")).status).toBe(200);
  expect(await said()).toBe("Good morning.");
  expect(await tasks()).toMatchObject([{ status: "completed", paused: false }]);
});

test("a task that nobody ends fails when its day is over, and begins a reply that says so", async () => {
  const { ring, said, tasks, post } = await openWorking();
  await ring("callback");
  expect(await tasks()).toMatchObject([{ status: "working" }]);
  advanceClock(3_700_000);
  await ring("callback");
  await said();

  expect(await tasks()).toMatchObject([
    { status: "failed", message: "No result was posted in time." },
  ]);
  expect((await post("late")).status).toBe(401);
});

test("a request that no machine holds any more is lost at the next look", async () => {
  const { ring, said, tasks, post } = await openWorking();
  await ring("request");
  await said();

  expect(await tasks()).toMatchObject([
    {
      status: "failed",
      message: "Its request was lost with its machine: the outcome is unknown.",
    },
  ]);
  expect((await post("late")).status).toBe(409);
});

test("the end of a suspended tenant's task is taken, and begins its reply when the tenant is back", async () => {
  const { tenantId, stub, post, ring, said, task_id } = await openWorking();
  const set = (status: string) =>
    ask("PATCH", `/v1/tenants/${tenantId}`, { ...OPERATOR, json: { status } });
  expect((await set("suspended")).status).toBe(200);
  await evictDurableObject(stub());

  expect((await post("/say Back again.")).status).toBe(200);
  const wakes = () =>
    runInDurableObject(stub(), (_, { storage }) =>
      storage.sql
        .exec<{ wake: string; woken_reply_id: string | null }>(
          "SELECT wake, woken_reply_id FROM background_tasks WHERE id = ?",
          task_id,
        )
        .one(),
    );
  await ring("callback", "wake");
  expect(await wakes()).toEqual({ wake: "due", woken_reply_id: null });
  expect((await set("active")).status).toBe(200);
  await ring("callback", "wake");

  expect(await said()).toBe("Back again.");
});

test("a call that has ended without its machine takes no result", async () => {
  const { stub, post, task_id } = await openWorking();
  const rowOf = () =>
    runInDurableObject(stub(), (_, { storage }) =>
      storage.sql
        .exec("SELECT status, fingerprint IS NULL AS is_free, parts FROM background_tasks")
        .toArray(),
    );
  await runInDurableObject(stub(), (_, { storage }) => {
    const query = "UPDATE background_tasks SET status = 'attached', waits_for = NULL WHERE id = ?";
    storage.sql.exec(query, task_id);
  });

  const { status, json } = await post("late");

  expect([status, json.code]).toEqual([404, "not_found"]);
  expect(await rowOf()).toEqual([{ status: "attached", is_free: 1, parts: 0 }]);
});

test("a large result that was posted to a call is kept until it is in the log, and no longer", async () => {
  const { stub } = await openWorking();
  const call = { tool_call_id: "call_9", reply_id: "rep_9", tool_name: "report" };
  const end = { type: "TOOL_RESULT_END", reply_id: "rep_9", tool_call_id: "call_9" };

  const sizes = await runInDurableObject(stub(), (_, { storage }) => {
    const table = new BackgroundTable(storage.sql, {} as never);
    const times = { created_at: Date.now(), expires_at: Date.now() + 1_000 };
    table.attach({ id: "task_9", ...call, max_bytes: 4_000_000 }, times);
    table.keepAnswer("task_9", "hash", { output: "x".repeat(3_000_000) });
    const before = JSON.stringify(table.kept("task_9")).length;
    table.detach("task_9");
    table.record([end as never]);
    return [before, table.kept("task_9"), table.find("task_9")?.fingerprint];
  });

  expect(sizes).toEqual([3_000_013, null, "hash"]);
});

test("a session that was deleted takes no result, and none of its tasks is found", async () => {
  const { call, path, post, session, tenantId } = await openWorking();
  await ask("DELETE", path, call);

  expect((await post("too late")).status).toBe(404);
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  const tables = await runInDurableObject(stub, (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray(),
  );
  expect(tables).toEqual([]);
});

test("a task of another session, another tenant's and none at all are the same", async () => {
  const [own, other] = [await openWorking(), await openWorking()];
  const ids = [other.task_id, "task_00000000000000000000000000"];
  const answers = [];
  for (const id of ids) answers.push(await ask("POST", `${own.path}/tasks/${id}/cancel`, own.call));

  expect(answers.map(({ status, json }) => [status, json.detail])).toEqual([
    [404, "there is no such task"],
    [404, "there is no such task"],
  ]);
});

test("a client token lists with the verb read and stops with interrupt, in its own session", async () => {
  const { call, path, task_id } = await openWorking();
  const tokenOf = async (verbs: readonly string[]) => {
    const made = await ask<{ token: string }>("POST", `${path}/tokens`, {
      ...call,
      json: { verbs },
    });
    return { key: made.json.token };
  };
  const reader = await tokenOf(["read"]);
  const stopper = await tokenOf(["interrupt"]);
  const cancel = `${path}/tasks/${task_id}/cancel`;
  const statuses = [
    await ask("GET", `${path}/tasks`, reader),
    await ask("POST", cancel, reader),
    await ask("GET", `${path}/tasks`, stopper),
    await ask("POST", cancel, stopper),
  ].map(({ status }) => status);

  expect(statuses).toEqual([200, 403, 403, 200]);
});
