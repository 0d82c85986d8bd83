// The removal of an end user: everything of one, nothing of another, and to the end whatever fails on the way.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { memoryObjectName, type MemoryApi } from "../../../durable-objects/api/memory-api.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { END_USER_REMOVAL_SETTLE_MS } from "../../../protocol/end-users/limits.ts";
import type { EndUserRemoval } from "../../../protocol/end-users/contract.ts";
import { REMOVAL_OVERDUE_MS } from "../../../protocol/operator/limits.ts";
import type { StoredFile } from "../../../protocol/files/contract.ts";
import type { MemoryStoreRecord } from "../../../protocol/memory/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { memoryStoreId } from "../../../storage/memory/store-id.ts";
import type { EndUserRemovalJob, QueueJob } from "../../../storage/sessions/queue-job.ts";
import { queue } from "../../../worker/jobs/queue.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";
import { brokenDatabase } from "../support/broken-database.ts";
import { BROAD } from "../../support/breadth.ts";

/** The queue without its consumer, which keeps what it is given. */
function heldQueue() {
  const jobs: { readonly job: QueueJob; readonly delaySeconds: number }[] = [];
  const send = async (job: QueueJob, { delaySeconds = 0 } = {}) => {
    jobs.push({ job, delaySeconds });
  };
  const sendBatch = async (messages: Iterable<MessageSendRequest<QueueJob>>) => {
    for (const { body } of messages) jobs.push({ job: body, delaySeconds: 0 });
  };
  return { jobs, binding: { send, sendBatch } as unknown as Env["REMOVAL_QUEUE"] };
}

type HeldQueue = ReturnType<typeof heldQueue>;

function bindingsOf(held: HeldQueue, bindings: Partial<Env> = {}): Env {
  return { ...env, REMOVAL_QUEUE: held.binding, ...bindings };
}

/** Gives the consumer a job. @returns whether it is done, and not to be tried again. */
async function consume(body: QueueJob, bindings: Env): Promise<boolean> {
  const message = { id: "m1", timestamp: new Date(), attempts: 1, body };
  const batch = createMessageBatch<QueueJob>("reprise-removals", [message]);
  const context = createExecutionContext();
  await queue(batch, bindings, context);
  return (await getQueueResult(batch, context)).explicitAcks.length === 1;
}

/** Runs the jobs that follow from each other, until one waits for the last look. @returns it. */
async function runToLastLook(held: HeldQueue, bindings = bindingsOf(held)): Promise<QueueJob> {
  for (;;) {
    const next = held.jobs.shift();
    if (!next) throw new Error("no job is left");
    if (next.delaySeconds > 0) return next.job;
    if (!(await consume(next.job, bindings))) held.jobs.push(next);
  }
}

async function erase(call: Call, endUserId: string, held: HeldQueue) {
  const path = `/v1/end-users/${encodeURIComponent(endUserId)}`;
  return ask<EndUserRemoval>("DELETE", path, { ...call, bindings: bindingsOf(held) });
}

const REMEMBERING = { name: "Refund desk", memory: {} };

/** A session in which the end user says the word, with a file that has it as its name, and a memory of it. */
async function talk(call: Call, agentId: string, end_user_id: string, word: string) {
  const session = await makeSession(call, {
    agent_id: agentId,
    end_user_id,
    title: `About ${word}`,
  });
  const path = `/v1/files?filename=${word}.txt&session_id=${session.id}`;
  const headers = { "Content-Type": "text/plain" };
  const { json: file } = await ask<StoredFile>("POST", path, { ...call, headers, body: word });
  await ask("POST", `/v1/sessions/${session.id}/replies`, {
    ...call,
    json: { input: `/say ${word}` },
  });
  const { json: store } = await ask<MemoryStoreRecord>("POST", "/v1/memory-stores", {
    ...call,
    json: { agent_id: agentId, end_user_id },
  });
  await ask("POST", `/v1/memory-stores/${store.id}/memories`, {
    ...call,
    json: { content: `Has asked about ${word}.` },
  });
  return { session, file, store };
}

async function connect(tenantId: string, serverId: string, endUserId: string): Promise<void> {
  const now = new Date().toISOString();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT OR IGNORE INTO mcp_servers (id, tenant_id, name, definition, credential_ids, version,
         created_at, updated_at) VALUES (?1, ?2, ?1, '{}', '[]', 1, ?3, ?3)`,
    ).bind(serverId, tenantId, now),
    env.DB.prepare(
      `INSERT INTO connections (id, tenant_id, mcp_server_id, end_user_id, status, version, bound_to,
         expires_at, leased_until, attempt_until, session_ids, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, 'active', 1, '{}', 0, 0, 0, '[]', ?5, ?5)`,
    ).bind(`con_${crypto.randomUUID()}`, tenantId, serverId, endUserId, now),
  ]);
}

/** The tables of D1 with a row of the tenant in which the text stands somewhere. */
async function tablesWith(tenantId: string, text: string): Promise<readonly string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%tenant_id%'",
  ).all<{ name: string }>();
  const found: string[] = [];
  for (const { name } of results) {
    const rows = await env.DB.prepare(`SELECT * FROM ${name} WHERE tenant_id = ?`)
      .bind(tenantId)
      .all();
    if (JSON.stringify(rows.results).includes(text)) found.push(name);
  }
  return found.toSorted();
}

function objectTables(tenantId: string, sessionId: string): Promise<number> {
  const object = env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
  return runInDurableObject(
    object,
    (_, { storage }) => storage.sql.exec("SELECT name FROM sqlite_master").toArray().length,
  );
}

function storeTables(tenantId: string, storeId: string): Promise<number> {
  const object = env.MEMORY.getByName(memoryObjectName(tenantId, storeId));
  return runInDurableObject(
    object,
    (_, { storage }) =>
      storage.sql.exec("SELECT 1 FROM sqlite_schema WHERE name NOT GLOB '_cf_*'").toArray().length,
  );
}

async function objectsOf(tenantId: string): Promise<number> {
  return (await env.FILES.list({ prefix: `tenant/${tenantId}/` })).objects.length;
}

function setClock(ms: number): void {
  vi.setSystemTime(ms);
  onTestFinished(() => void vi.useRealTimers());
}

describe("the removal of an end user", () => {
  test("erases sessions, files, memories, connections and sums of that one alone", async () => {
    const [ours, other] = [await makeTenant(), await makeTenant()];
    const [agent, others] = [
      await makeAgent(ours.call, REMEMBERING),
      await makeAgent(other.call, REMEMBERING),
    ];
    const server = `mcp_${crypto.randomUUID()}`;
    const erased = [
      await talk(ours.call, agent.id, "ada", "pelican"),
      await talk(ours.call, agent.id, "ada", "pelican"),
    ];
    const kept = await talk(ours.call, agent.id, "adam", "heron");
    const foreign = await talk(other.call, others.id, "ada", "pelican");
    await connect(ours.id, server, "ada");
    await connect(ours.id, server, "adam");

    const held = heldQueue();
    const answer = await erase(ours.call, "ada", held);
    const last = await runToLastLook(held);
    setClock(Date.now() + END_USER_REMOVAL_SETTLE_MS + 1);
    const isDone = await consume(last, bindingsOf(held));

    expect([answer.status, answer.json.end_user_id, isDone]).toEqual([202, "ada", true]);
    for (const { session, store } of erased) {
      expect(await objectTables(ours.id, session.id)).toBe(0);
      expect(await storeTables(ours.id, store.id)).toBe(0);
    }
    const memories = await ask("GET", `/v1/memory-stores/${kept.store.id}/memories`, ours.call);
    expect(memories.text).toContain("heron");
    expect(await tablesWith(ours.id, "pelican")).toEqual([]);
    // The audit has who was erased, and the kept answers of the requests that opened the sessions are none.
    expect(await tablesWith(ours.id, '"ada"')).toEqual(["audit_entries"]);
    expect(await objectsOf(ours.id)).toBe(1);
    const { json: left } = await ask<{ data: readonly Session[] }>(
      "GET",
      "/v1/sessions",
      ours.call,
    );
    expect(left.data.map(({ id }) => id)).toEqual([kept.session.id]);
    const usage = await ask<{ data: readonly object[] }>(
      "GET",
      "/v1/usage?group_by=end_user",
      ours.call,
    );
    expect(usage.json.data).toEqual([
      expect.objectContaining({ end_user_id: "adam", replies: 1 }),
      expect.objectContaining({ end_user_id: null, replies: 2 }),
    ]);
    const theirs = await ask("GET", `/v1/sessions/${foreign.session.id}/messages`, other.call);
    expect(theirs.text).toContain("pelican");
  });

  test("answers for an unknown end user as for a known one", async () => {
    const { call } = await makeTenant();
    const held = heldQueue();
    const { status, json } = await erase(call, "no/body ü", held);
    expect([status, json]).toEqual([
      202,
      { end_user_id: "no/body ü", requested_at: expect.any(String) },
    ]);
    await runToLastLook(held);
  });

  test("goes on to the end whichever call of D1 fails", BROAD, async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call, REMEMBERING);
    let retried = 0;
    for (let calls = 0; calls < 8; calls += 1) {
      await talk(call, agent.id, "ada", "pelican");
      const held = heldQueue();
      await erase(call, "ada", held);
      const [first] = held.jobs.splice(0) as [HeldQueue["jobs"][0]];
      const broken = bindingsOf(held, { DB: brokenDatabase(calls) });
      if (!(await consume(first.job, broken))) {
        retried += 1;
        held.jobs.push(first);
        await runToLastLook(held);
      }
      expect(await tablesWith(id, "pelican")).toEqual([]);
    }
    expect(retried).toBeGreaterThan(3);
  });

  test("is not kept by one session that cannot be erased", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call, REMEMBERING);
    const stuck = await talk(call, agent.id, "ada", "pelican");
    const other = await talk(call, agent.id, "ada", "heron");
    const held = heldQueue();
    await erase(call, "ada", held);
    const getByName = (name: string) =>
      name === sessionObjectName(id, stuck.session.id)
        ? { remove: () => Promise.reject(new Error("the object does not answer")) }
        : env.SESSION.getByName(name);
    const SESSION = { getByName } as unknown as Env["SESSION"];
    const [first] = held.jobs as [HeldQueue["jobs"][0]];
    expect(await consume(first.job, bindingsOf(held, { SESSION }))).toBe(false);
    expect(await objectTables(id, other.session.id)).toBe(0);
    expect(await storeTables(id, other.store.id)).toBe(0);
    expect(await tablesWith(id, "heron")).toEqual([]);
    expect(await consume(first.job, bindingsOf(held))).toBe(true);
    expect(await tablesWith(id, "pelican")).toEqual([]);
  });

  test(
    "finds at its last look what was being opened when it was asked for, and nothing newer",
    BROAD,
    async () => {
      const { id, call } = await makeTenant();
      const agent = await makeAgent(call, REMEMBERING);
      const held = heldQueue();
      await erase(call, "ada", held);
      const last = await runToLastLook(held);
      const late = await talk(call, agent.id, "ada", "pelican");
      const newer = await talk(call, agent.id, "ada", "heron");
      await env.DB.prepare(
        "UPDATE sessions SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = ?",
      )
        .bind(late.session.id)
        .run();
      setClock(Date.now() + END_USER_REMOVAL_SETTLE_MS + 1);
      await consume(last, bindingsOf(held));

      const listed = await ask<{ data: readonly Session[] }>(
        "GET",
        "/v1/sessions?end_user_id=ada",
        call,
      );
      expect(listed.json.data.map((session) => session.id)).toEqual([newer.session.id]);
      expect(await tablesWith(id, late.session.id)).toEqual(["usage"]);
      expect(await tablesWith(id, '"chain"')).toEqual([]);
    },
  );

  test("leaves no store to a reply that remembers something while its session is about to go", async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call, REMEMBERING);
    const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ada" });
    const owner = { tenant_id: id, agent_id: agent.id, end_user_id: "ada" };
    const name = memoryObjectName(id, await memoryStoreId(env, owner));
    const store = env.MEMORY.getByName(name) as unknown as MemoryApi;
    const held = heldQueue();
    await erase(call, "ada", held);
    const source = { session_id: session.id, reply_id: "rep_1", tool_call_id: null };
    const memories = [{ content: "Has asked about pelican.", untrusted: null, source }];

    const late = await store.record({ owner, embedding: null, record_id: "rep_1", memories });
    await runToLastLook(held);

    expect(late).toMatchObject({ ok: false, failure: { code: "store_gone" } });
    expect((await store.list({ limit: 10 })).data).toEqual([]);
  });

  test(
    "begins anew when it is asked for again: jobs of the first one do nothing more",
    BROAD,
    async () => {
      const { id, call } = await makeTenant();
      const agent = await makeAgent(call, REMEMBERING);
      const [first, second] = [heldQueue(), heldQueue()];
      await erase(call, "ada", first);
      await talk(call, agent.id, "ada", "pelican");
      await erase(call, "ada", second);
      expect(await consume(first.jobs[0]!.job, bindingsOf(first))).toBe(true);
      expect(first.jobs).toHaveLength(1);
      expect(await tablesWith(id, "pelican")).not.toEqual([]);
      await runToLastLook(second);
      expect(await tablesWith(id, "pelican")).toEqual([]);
    },
  );

  test("is given a new job by the sweep when its own was lost", BROAD, async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call, REMEMBERING);
    await talk(call, agent.id, "ada", "pelican");
    const [lost, found] = [heldQueue(), heldQueue()];
    await erase(call, "ada", lost);
    setClock(Date.now() + REMOVAL_OVERDUE_MS + 1);
    await sweep(bindingsOf(found), { kind: "walk", after: "" });
    const isOurs = ({ job }: HeldQueue["jobs"][0]) => (job as EndUserRemovalJob).tenant_id === id;
    const own = found.jobs.filter(isOurs);
    expect(own.map(({ job }) => (job as EndUserRemovalJob).end_user_id)).toEqual(["ada"]);
    expect(await consume(lost.jobs[0]!.job, bindingsOf(lost))).toBe(true);
    expect(await tablesWith(id, "pelican")).not.toEqual([]);
    expect(await consume(own[0]!.job, bindingsOf(found))).toBe(true);
    expect(await tablesWith(id, "pelican")).toEqual([]);
  });

  test("takes the files of a conversation that was copied to somebody else", BROAD, async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call, REMEMBERING);
    const { session, file } = await talk(call, agent.id, "ada", "pelican");
    const block = {
      type: "data",
      source: { type: "url", url: file.url, media_type: "text/plain" },
    };
    await ask("POST", `/v1/sessions/${session.id}/replies`, { ...call, json: { input: [block] } });
    const fork = await ask<Session>("POST", `/v1/sessions/${session.id}/fork`, {
      ...call,
      json: { end_user_id: "adam" },
    });
    expect((await ask("GET", `/v1/files/${file.id}`, call)).status).toBe(200);
    const held = heldQueue();
    await erase(call, "ada", held);
    await runToLastLook(held);
    expect(fork.json.end_user_id).toBe("adam");
    expect((await ask("GET", `/v1/files/${file.id}`, call)).status).toBe(404);
    expect([await objectsOf(id), await tablesWith(id, file.id)]).toEqual([0, []]);
  });
});
