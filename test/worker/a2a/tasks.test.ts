// Replies of a session as tasks: one, and pages of them.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import type { A2aTasksQuestion } from "../../../durable-objects/a2a/list-tasks.ts";
import { sessionObjectName, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import { formatId, ID_RANDOM_BYTES } from "../../../protocol/ids.ts";
import { confirmation, parkedSession, post, REFUND, withTools } from "../confirmations/parked.ts";
import { createdSession, readReply, reply, stubOf, valueOf } from "../sessions/session.ts";
import { readTask, runTask } from "./task-frames.ts";

const COUNT = expect.any(Number) as number;

async function list(init: SessionInit, question: Partial<A2aTasksQuestion> = {}) {
  const { tasks, next, total } = valueOf(
    await stubOf(init).act("a2aTasks", { limit: 10, ...question }),
  );
  return { ids: tasks.map(({ id }) => id), next, total, tasks };
}

/** Rows as that of a task, of older replies without messages; the newest first. */
async function addOlder(init: SessionInit, id: string, count: number): Promise<readonly string[]> {
  const random = new Uint8Array(ID_RANDOM_BYTES);
  const firstMs = Date.parse("2026-01-01T00:00:00Z");
  const ids = Array.from({ length: count }, (_, index) => formatId("rep", firstMs - index, random));
  await runInDurableObject(
    env.SESSION.getByName(sessionObjectName(init.tenant_id, init.session_id)),
    (_, { storage: { sql } }) => {
      const columns = sql.exec<{ name: string }>("PRAGMA table_info(replies)").toArray();
      const rest = columns.flatMap(({ name }) => (name === "id" ? [] : [name])).join(", ");
      const clone = `INSERT INTO replies (id, ${rest}) SELECT ?, ${rest} FROM replies WHERE id = ?`;
      for (const one of ids) sql.exec(clone, one, id);
    },
  );
  return ids;
}

describe("a reply as a task", () => {
  it("has its outputs, its history, and the names of its client", async () => {
    const init = await createdSession();
    const a2a = { context_id: "order-7", message_id: "m-1" };
    const input = {
      id: "m-1",
      role: "user",
      name: "user",
      content: "/say Hello",
      metadata: {},
    } as const;
    const started = await stubOf(init).act("startReply", { input, on_busy: "reject", a2a });
    const { id } = valueOf(started);
    const task = valueOf(await stubOf(init).act("a2aTask", { reply_id: id, wait_ms: 60_000 }));
    expect(task).toEqual({
      id,
      contextId: "order-7",
      status: { state: "TASK_STATE_COMPLETED", timestamp: expect.any(String) as string },
      artifacts: [{ artifactId: expect.any(String) as string, parts: [{ text: "Hello" }] }],
      history: [
        {
          messageId: "m-1",
          contextId: "order-7",
          taskId: id,
          role: "ROLE_USER",
          parts: [{ text: "/say Hello" }],
        },
      ],
      metadata: { [A2A_EXTENSION]: { usage: { input_tokens: COUNT, output_tokens: COUNT } } },
    });
    const { artifacts: _, history: __, ...bare } = task;
    expect(await readTask(init, id, { include_artifacts: false, history_length: 0 })).toEqual(bare);
  });

  it("is submitted while it is queued, with its names and its history", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession();
      const a2a = { context_id: "order-8", message_id: "m-2" };
      const queued = await stubOf(init).act("startReply", {
        input: "/say Later",
        on_busy: "queue",
        a2a,
      });
      const { id } = valueOf(queued);
      const task = await readTask(init, id);
      expect(task).toMatchObject({
        contextId: "order-8",
        status: { state: "TASK_STATE_SUBMITTED" },
        history: [{ parts: [{ text: "/say Later" }] }],
      });
      expect((await list(init)).ids).toEqual([id]);
      valueOf(await post(init, confirmation(parked.id, call)));
      await readReply(init, id, 60_000);
      expect((await readTask(init, id)).status.state).toBe("TASK_STATE_COMPLETED");
    }));

  it("that never was is not found", async () => {
    const init = await createdSession();
    expect(await stubOf(init).act("a2aTask", { reply_id: "rep_0" })).toMatchObject({
      ok: false,
      refusal: { code: "not_found" },
    });
  });
});

describe("the tasks of a session", () => {
  it("are pages, the newest first, with what the question leaves in", async () => {
    const init = await createdSession();
    const ids: string[] = [];
    for (const word of ["One", "Two", "Three"]) ids.push(await runTask(init, `/say ${word}`));
    const [first, second, third] = ids as [string, string, string];
    const page = await list(init, { limit: 2 });
    expect(page).toMatchObject({ ids: [third, second], next: second, total: 3 });
    expect(page.tasks.map(({ artifacts }) => artifacts)).toEqual([undefined, undefined]);
    expect(await list(init, { limit: 2, before: second })).toMatchObject({
      ids: [first],
      next: null,
      total: 3,
    });
    const [whole] = (await list(init, { limit: 1, include_artifacts: true })).tasks;
    expect(whole).toEqual(await readTask(init, third));
    expect(await stubOf(init).act("a2aTasks", { limit: 2, before: "rep_0" })).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed" },
    });
  });

  it("are paged to the oldest, however many there are", async () => {
    const init = await createdSession();
    const newest = await runTask(init, "/say One");
    const ids = await addOlder(init, newest, 1_234);
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const page = await list(init, { limit: 100, ...(before !== undefined && { before }) });
      expect(page.total).toBe(1_235);
      seen.push(...page.ids);
      if (page.next === null) break;
      before = page.next;
    }

    expect(seen).toEqual([newest, ...ids]);
    const canceled = await list(init, { state: "TASK_STATE_CANCELED" });
    expect(canceled).toMatchObject({ ids: [], next: null, total: 0 });
  });

  it("are those that A2A has begun, and no other replies", async () => {
    const init = await createdSession();
    const task = await runTask(init, "/say One");
    await reply(init, "/say Two");
    expect(await list(init)).toMatchObject({ ids: [task], next: null, total: 1 });
  });

  it("are those in a state, and those whose status is from a time on", () =>
    withTools(async () => {
      const init = await createdSession({ tools: [REFUND] });
      const canceled = await runTask(init, '/call refund {"q":1}');
      await stubOf(init).act("interrupt", {});
      await readReply(init, canceled, 60_000);
      const done = await runTask(init, "/say Done");
      const { timestamp } = (await readTask(init, done)).status;
      const open = await runTask(init, '/call refund {"q":1}');
      const inState = (state: A2aTasksQuestion["state"]) => list(init, state && { state });
      expect((await inState("TASK_STATE_CANCELED")).ids).toEqual([canceled]);
      expect((await inState("TASK_STATE_COMPLETED")).ids).toEqual([done]);
      expect((await inState("TASK_STATE_INPUT_REQUIRED")).ids).toEqual([open]);
      expect(await inState("TASK_STATE_WORKING")).toMatchObject({ ids: [], total: 0 });
      const since = await list(init, { status_after: timestamp ?? "" });
      expect(since).toMatchObject({ ids: [open, done], total: 2 });
    }));
});
