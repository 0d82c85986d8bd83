// Rows of tasks in D1: one for each task, as its session's outbox tells it, and what takes them away.
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";

import { A2A_TASKS_KEPT_MS } from "../../../protocol/a2a/limits.ts";
import { formatId, ID_RANDOM_BYTES } from "../../../protocol/ids.ts";
import { purgeA2aTasks } from "../../../storage/a2a/a2a-task-storage.ts";
import type { TaskListRequest } from "../../../storage/a2a/a2a-task-storage.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { ask, makeTenant } from "../support/api.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";
import { sessionDesk, taskDesk, type TaskDesk } from "./task-desk.ts";

beforeEach(() => void hearLog());

const DAY_MS = 86_400_000;
const YESTERDAY_MS = Date.now() - DAY_MS;

function at(second: number): string {
  return new Date(YESTERDAY_MS + second * 1_000).toISOString();
}

function idOf(timeMs: number): string {
  return formatId("rep", timeMs, crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES)));
}

/** The id of a reply that began so many seconds after yesterday's moment. */
function idAt(second: number): string {
  return idOf(YESTERDAY_MS + second * 1_000);
}

/** An entry of the session's outbox that tells of a task. */
function entryOf(desk: TaskDesk, reply_id: string, changes: Parameters<typeof makeEntry>[1]) {
  const session = { tenantId: desk.tenant_id, id: desk.session_id, agent_id: desk.agent.id };
  const a2a = { context_id: "chat", state: "TASK_STATE_WORKING", created_at: at(0) } as const;
  return makeEntry(session, { reply_id, a2a, ...changes });
}

async function listAll(desk: TaskDesk, request: Partial<TaskListRequest> = {}) {
  const list = await desk.tasks.list({ agent_id: desk.agent.id, limit: 50, ...request });
  return list!.tasks.map(({ id }) => id);
}

describe("a task's row", () => {
  test("is there from the task's beginning, and says each status that follows", async () => {
    const desk = await taskDesk({ end_user_id: "ann" });

    const id = await desk.beginWaiting();
    const waiting = await desk.untilListed(id, "TASK_STATE_INPUT_REQUIRED");
    await desk.answer(id);
    const { status_at, ...ended } = await desk.untilListed(id, "TASK_STATE_COMPLETED");

    expect(ended).toEqual({
      id,
      agent_id: desk.agent.id,
      session_id: desk.session_id,
      context_id: desk.session_id,
      end_user_id: "ann",
      state: "TASK_STATE_COMPLETED",
      created_at: waiting.created_at,
    });
    expect(status_at > waiting.status_at).toBe(true);
  });

  test("is written for a reply that a client of A2A has begun, and for no other one", async () => {
    const desk = await taskDesk();
    const other = await desk.open();
    await ask("POST", `/v1/sessions/${other.id}/replies`, { ...desk.call, json: { input: "hi" } });

    const id = await desk.begin("/say Hello.", "chat 1");
    const row = await desk.untilListed(id, "TASK_STATE_COMPLETED");

    expect([row.context_id, await listAll(desk)]).toEqual(["chat 1", [id]]);
  });

  test("is one for each task, however often and in whatever order it is told", async () => {
    const desk = await taskDesk();
    const id = idAt(1);
    const begun = entryOf(desk, id, { entry: 1, at: at(1) });
    const state = "TASK_STATE_COMPLETED";
    const a2a = { context_id: "chat", state, created_at: at(0) } as const;
    const ended = entryOf(desk, id, { entry: 9, at: at(9), a2a });

    await deliverOutbox(env.DB, [ended]);
    await deliverOutbox(env.DB, [begun]);
    await deliverOutbox(env.DB, [begun, ended]);
    const { agent, session_id } = desk;
    await desk.tasks.note({
      id,
      agent_id: agent.id,
      session_id,
      context_id: "x",
      end_user_id: null,
    });

    const list = await desk.tasks.list({ agent_id: desk.agent.id, limit: 10 });
    expect([
      list?.total,
      list?.tasks.map((task) => [task.id, task.state, task.context_id]),
    ]).toEqual([1, [[id, state, "chat"]]]);
    expect((await readLimits(desk.call)).used.a2a_tasks).toBe(1);
  });

  test("comes when the object has died between the commit and its outbox", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    await desk.untilListed(id, "TASK_STATE_INPUT_REQUIRED");
    await env.DB.prepare("DELETE FROM a2a_tasks WHERE id = ?").bind(id).run();
    await desk.rows(
      `INSERT INTO outbox (entry, reply_id, status, created_at)
       SELECT end_seq, id, status, created_at FROM replies`,
    );
    await desk.rows(
      "INSERT OR REPLACE INTO timers (kind, id, due_at) VALUES ('watch', 'session', 1)",
    );

    await abortAllDurableObjects();

    const again = sessionDesk(desk, desk.session_id);
    await again.act.act("read");
    const row = await again.untilListed(id, "TASK_STATE_INPUT_REQUIRED");
    expect(row.context_id).toBe(desk.session_id);
  });

  test("is noted by the one who begins it, before the outbox tells of it", async () => {
    const desk = await taskDesk();
    const { agent, session_id } = desk;
    const task = {
      id: idAt(1),
      agent_id: agent.id,
      session_id,
      context_id: "c",
      end_user_id: null,
    };
    const noted = desk.tasks.note(task);

    await noted;

    expect(await desk.tasks.find(task.id)).toMatchObject({
      ...task,
      state: "TASK_STATE_SUBMITTED",
    });
  });
});

test("a task's row is in the export of its end user", async () => {
  const desk = await taskDesk({ end_user_id: "ann" });
  const id = await desk.begin("/say Hello.", "chat 1");
  const { state, status_at, created_at } = await desk.untilListed(id, "TASK_STATE_COMPLETED");

  const { text } = await ask("GET", "/v1/end-users/ann/export", desk.call);

  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(lines.filter(({ type }) => type === "a2a_task")).toEqual([
    {
      type: "a2a_task",
      session_id: desk.session_id,
      task: { id, context_id: "chat 1", state, status_at, created_at },
    },
  ]);
});

describe("a list of tasks", () => {
  test("has the newest status first, in pages that leave out nothing", async () => {
    const desk = await taskDesk();
    const ids = [1, 2, 3, 4, 5].map(idAt);
    const times = [at(50), at(10), at(50), at(90), at(20)];
    await deliverOutbox(
      env.DB,
      ids.map((id, index) => entryOf(desk, id, { entry: index + 1, at: times[index]! })),
    );

    const pages: (readonly string[])[] = [];
    let page_token: string | undefined;
    do {
      const list = await desk.tasks.list({ agent_id: desk.agent.id, limit: 2, page_token });
      pages.push(list!.tasks.map(({ id }) => id));
      expect(list!.total).toBe(5);
      page_token = list!.next_page_token;
    } while (page_token !== "");

    expect(pages).toEqual([[ids[3], ids[2]], [ids[0], ids[4]], [ids[1]]]);
  });

  test("is of one agent and tenant, and of what its filters let through", async () => {
    const desk = await taskDesk();
    const [first, second] = [idAt(1), idAt(2)];
    const done = { context_id: "b", state: "TASK_STATE_COMPLETED", created_at: at(0) } as const;
    await deliverOutbox(env.DB, [
      entryOf(desk, first, { entry: 1, at: at(1), end_user_id: "ann" }),
      entryOf(desk, second, { entry: 2, at: at(2), end_user_id: "bob", a2a: done }),
    ]);
    const stranger = await taskDesk();
    const foreign = await stranger.tasks.list({ agent_id: desk.agent.id, limit: 10 });

    expect([
      await listAll(desk, { end_user_id: "ann" }),
      await listAll(desk, { context_id: "b" }),
      await listAll(desk, { state: "TASK_STATE_WORKING" }),
      await listAll(desk, { after: at(2) }),
      await listAll(desk, { agent_id: stranger.agent.id }),
      foreign,
      await stranger.tasks.find(first),
    ]).toEqual([
      [first],
      [second],
      [first],
      [second],
      [],
      { tasks: [], total: 0, next_page_token: "" },
      null,
    ]);
  });

  test.each(["x", "", "!!", btoa("2026-01-01T00:00:00.000Z rep_1"), btoa("a b c")])(
    "takes no page token %j that is none of its own",
    async (page_token) => {
      const desk = await taskDesk();

      expect(await desk.tasks.list({ agent_id: desk.agent.id, limit: 2, page_token })).toBeNull();
    },
  );
});

describe("rows of tasks go", () => {
  test("with their session, at once", async () => {
    const desk = await taskDesk();
    const id = await desk.begin("/say Hello.");
    await desk.untilListed(id, "TASK_STATE_COMPLETED");

    await ask("DELETE", desk.path, desk.call);
    await deliverOutbox(env.DB, [entryOf(desk, id, { entry: 99, at: at(99) })]);

    expect(await desk.tasks.find(id)).toBeNull();
    expect((await readLimits(desk.call)).used.a2a_tasks).toBe(0);
  });

  test("with their end user", async () => {
    const desk = await taskDesk({ end_user_id: "ann" });
    const id = await desk.begin("/say Hello.");
    await desk.untilListed(id, "TASK_STATE_COMPLETED");

    await ask("DELETE", "/v1/end-users/ann", desk.call);

    await waitUntil(async () => ((await countRows(desk.tenant_id)) === 0 ? true : undefined));
  });

  test("with their tenant", async () => {
    const desk = await taskDesk();
    const id = await desk.begin("/say Hello.");
    await desk.untilListed(id, "TASK_STATE_COMPLETED");

    await changeTenant(desk.tenant_id, { status: "closed" });

    await waitUntil(async () => ((await countRows(desk.tenant_id)) === 0 ? true : undefined));
  });

  test("a month after the task began, also when it is told of then", async () => {
    const desk = await taskDesk();
    const nowMs = Date.now();
    const old = idOf(nowMs - A2A_TASKS_KEPT_MS - DAY_MS);
    const young = idAt(1);
    const { agent, session_id } = desk;
    const of = { agent_id: agent.id, session_id, context_id: "c", end_user_id: null };
    await desk.tasks.note({ id: old, ...of });
    await desk.tasks.note({ id: young, ...of });

    const purged = await purgeA2aTasks(env.DB, { nowMs, most: 100 });
    const created_at = new Date(nowMs - A2A_TASKS_KEPT_MS - DAY_MS).toISOString();
    const a2a = { context_id: "c", state: "TASK_STATE_COMPLETED", created_at } as const;
    await deliverOutbox(env.DB, [entryOf(desk, old, { entry: 9, a2a })]);

    expect([purged >= 1, await listAll(desk)]).toEqual([true, [young]]);
  });
});

describe("the quota of tasks", () => {
  test("leaves room up to its number, and each end user a tenth of it", async () => {
    const desk = await taskDesk();
    await changeTenant(desk.tenant_id, { quotas: { a2a_tasks: 12 } });
    const { agent, session_id } = desk;
    const note = (second: number, end_user_id: string | null) => {
      const of = { agent_id: agent.id, session_id, context_id: "c", end_user_id };
      return desk.tasks.note({ id: idAt(second), ...of });
    };
    const room = async () => [
      await desk.tasks.hasRoom(null),
      await desk.tasks.hasRoom("ann"),
      await desk.tasks.hasRoom("bob"),
    ];
    const empty = await room();
    await note(1, "ann");
    await note(2, "ann");
    const annsFull = await room();
    for (let second = 3; second <= 12; second += 1) await note(second, null);

    expect([empty, annsFull, await room()]).toEqual([
      [true, true, true],
      [true, false, true],
      [false, false, false],
    ]);
    const stranger = await makeTenant();
    expect((await readLimits(stranger.call)).used.a2a_tasks).toBe(0);
  });
});

async function countRows(tenantId: string): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS rows FROM a2a_tasks WHERE tenant_id = ?")
    .bind(tenantId)
    .first<number>("rows");
}
