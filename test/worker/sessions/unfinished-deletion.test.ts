// Deletions whose Worker died on the way, and that nobody asks for again.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { QueueJob, RemovalJob } from "../../../storage/sessions/queue-job.ts";
import { app } from "../../../worker/app.ts";
import { queue } from "../../../worker/jobs/queue.ts";
import { ask, makeAgent, makeTenant, openSession } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";
import { CALLS_THAT_HIDE, brokenDatabase } from "../support/broken-database.ts";
import { BROAD } from "../../support/breadth.ts";

type Opened = Awaited<ReturnType<typeof openSession>>;

/** The queue without its consumer, which keeps what it is given. */
function heldQueue() {
  const jobs: { readonly job: RemovalJob; readonly delaySeconds: number }[] = [];
  const send = async (job: RemovalJob, { delaySeconds = 0 } = {}) => {
    jobs.push({ job, delaySeconds });
  };
  const sendBatch = async () => {};
  return { jobs, binding: { send, sendBatch } as unknown as Queue<RemovalJob> };
}

async function erase({ path, call }: Opened, bindings: Partial<Env>): Promise<number> {
  const headers = { Authorization: `Bearer ${call.key}` };
  const response = await app.request(path, { method: "DELETE", headers }, { ...env, ...bindings });
  return response.status;
}

/** Gives the consumer a job. @returns whether it is done, or after how many seconds it wants it again. */
async function consume(body: QueueJob, { attempts = 1, bindings = {} } = {}) {
  const message = { id: "m1", timestamp: new Date(), attempts, body };
  const batch = createMessageBatch<QueueJob>("reprise-removals", [message]);
  let againInSeconds: number | null = null;
  for (const given of batch.messages) {
    const retry = given.retry.bind(given);
    Object.assign(given, {
      retry(options?: QueueRetryOptions) {
        againInSeconds = options?.delaySeconds ?? 0;
        retry(options);
      },
    });
  }
  const context = createExecutionContext();
  await queue(batch, { ...env, ...bindings }, context);
  const { explicitAcks } = await getQueueResult(batch, context);
  return { isDone: explicitAcks.length === 1, againInSeconds };
}

/** The objects, with something that happens while one is asked to erase itself. */
function removingSlowly(meanwhile: <Value>(act: () => Promise<Value>) => Promise<Value>) {
  const getByName = (name: string) => {
    const stub = env.SESSION.getByName(name);
    const remove = (...values: Parameters<typeof stub.remove>) =>
      meanwhile(async () => stub.remove(...values));
    return { remove };
  };
  return { getByName } as unknown as Env["SESSION"];
}

async function rowsOf(tenantId: string): Promise<readonly number[]> {
  const tables = ["sessions", "session_states"];
  const query = (table: string) => `SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`;
  const results = await Promise.all(
    tables.map((table) => env.DB.prepare(query(table)).bind(tenantId).first<{ n: number }>()),
  );
  return results.map((row) => row!.n);
}

function tablesOf({ tenantId, session }: Opened): Promise<number> {
  const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  return runInDurableObject(
    object,
    (_, { storage }) => storage.sql.exec("SELECT name FROM sqlite_master").toArray().length,
  );
}

async function told({ tenantId }: Opened): Promise<number> {
  const query =
    "SELECT count(*) AS n FROM webhook_deliveries WHERE tenant_id = ? AND type = 'session.deleted'";
  return (await env.DB.prepare(query).bind(tenantId).first<{ n: number }>())!.n;
}

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

describe("a deletion", () => {
  test(
    "that was cut off at any step after the first is finished by the queue, and told of once",
    BROAD,
    async () => {
      const statuses: number[] = [];
      for (let calls = 0; calls < 6; calls += 1) {
        const opened = await openSession();
        const { tenantId, path, call } = opened;
        const json = {
          url: `${inject("webhookReceiverUrl")}/hook/200`,
          events: ["session.deleted"],
        };
        await ask("POST", "/v1/webhook-endpoints", { ...call, json });
        await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
        const held = heldQueue();
        const DB = brokenDatabase(CALLS_THAT_HIDE + calls);
        statuses.push(await erase(opened, { DB, REMOVAL_QUEUE: held.binding }));
        const [{ job, delaySeconds }] = held.jobs as [(typeof held.jobs)[0]];
        const isListed = (await ask("GET", `/v1/sessions`, call)).text.includes(opened.session.id);
        const done = await consume(job);
        const again = await consume(job);

        expect([delaySeconds, isListed, done.isDone, again.isDone]).toEqual([
          60,
          false,
          true,
          true,
        ]);
        expect([await rowsOf(tenantId), await tablesOf(opened)]).toEqual([[0, 0], 0]);
        expect(await told(opened)).toBe(1);
      }
      expect(statuses).toContain(503);
    },
  );

  test.each(["before", "after"] as const)(
    "leaves a thread alone that was opened anew %s the object is asked",
    async (side) => {
      const { id: tenant_id, call } = await makeTenant();
      const agent = await makeAgent(call);
      const say = () =>
        ask("POST", `/v1/agents/${agent.id}/ag-ui`, { ...call, json: runInput("ours", "Hello") });
      const session_id = (await say()).headers.get("Reprise-Session-Id") ?? "";
      const path = `/v1/sessions/${session_id}`;
      const headers = { Authorization: `Bearer ${call.key}` };
      await app.request(
        path,
        { method: "DELETE", headers },
        { ...env, DB: brokenDatabase(CALLS_THAT_HIDE) },
      );
      const job = { kind: "session_removal", tenant_id, session_id } as const;
      const reopen = async () => {
        const deleted = await ask("DELETE", path, call);
        return [deleted.status, (await say()).status];
      };
      let reopened: readonly number[] = [];
      const meanwhile = async <Value>(act: () => Promise<Value>): Promise<Value> => {
        if (side === "before") reopened = await reopen();
        const value = await act();
        if (side === "after") reopened = await reopen();
        return value;
      };
      const done = await consume(job, { bindings: { SESSION: removingSlowly(meanwhile) } });
      const session = await ask("GET", path, call);
      const replies = await ask<Page<unknown>>("GET", `${path}/replies`, call);
      const listed = await ask<Page<{ id: string }>>("GET", "/v1/sessions", call);

      expect([done.isDone, reopened]).toEqual([true, [204, 200]]);
      expect([session.status, replies.json.data.length]).toEqual([200, 1]);
      expect(listed.json.data.map(({ id }) => id)).toEqual([session_id]);
      const states = "SELECT session_id FROM session_states WHERE tenant_id = ?";
      expect((await env.DB.prepare(states).bind(tenant_id).all()).results).toEqual([
        { session_id },
      ]);
    },
  );

  test("that did not begin leaves its session alone", async () => {
    const opened = await openSession();
    const held = heldQueue();
    const DB = brokenDatabase();
    const status = await erase(opened, { DB, REMOVAL_QUEUE: held.binding });
    const done = await consume(held.jobs[0]!.job);

    expect([status, done.isDone]).toEqual([503, true]);
    expect((await ask("GET", opened.path, opened.call)).status).toBe(200);
  });

  test("comes to its end without the queue", async () => {
    const opened = await openSession();
    const send = () => Promise.reject(new Error("the queue is down"));
    const down = { send, sendBatch: send } as unknown as Queue;

    expect(await erase(opened, { WEBHOOK_QUEUE: down, REMOVAL_QUEUE: down })).toBe(204);
    expect([await rowsOf(opened.tenantId), await tablesOf(opened)]).toEqual([[0, 0], 0]);
  });

  test("is tried again while D1 is down, each time later", async () => {
    const { tenantId: tenant_id, session } = await openSession();
    const job = { kind: "session_removal", tenant_id, session_id: session.id } as const;
    const bindings = { DB: brokenDatabase() };
    const waits = [1, 2, 5].map((attempts) => consume(job, { attempts, bindings }));

    expect((await Promise.all(waits)).map((tried) => tried.againInSeconds)).toEqual([30, 60, 480]);
  });
});
