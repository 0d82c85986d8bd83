// ListTasks: in one context and over contexts, its order, pages and filters.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  ASKING,
  callA2a,
  messageOf,
  openA2aAgent,
  openA2aDesk,
  readTask,
  sendA2a,
  type A2aBinding,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { waitFor } from "../../support/wait-for.ts";

interface Page {
  readonly tasks: readonly A2aTask[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

async function list(
  desk: A2aDesk,
  params: Record<string, unknown> = {},
  binding: A2aBinding = "JSONRPC",
): Promise<Page> {
  const { result, error } = await callA2a<Page>(desk, binding, "ListTasks", params);
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}

/** Tasks of a context and of others, as rows have them a moment later. */
async function openTasks(count = 3) {
  const desk = await openA2aDesk();
  const tasks: A2aTask[] = [];
  for (let number = 0; number < count; number += 1) {
    const place = number < 2 ? { contextId: "orders" } : {};
    tasks.push(await sendA2a(desk, messageOf(`/say ${number}`, place)));
  }
  await waitFor(async () => {
    const { tasks: rows } = await list(desk);
    expect(rows.map(({ status }) => status.state)).toEqual(tasks.map(() => "TASK_STATE_COMPLETED"));
  });
  return { desk, tasks };
}

const idsOf = (tasks: readonly A2aTask[]) => tasks.map(({ id }) => id);

it("3.1.4-1: listed tasks have no member for artifacts, unless they are asked for", async () => {
  const { desk } = await openTasks();
  const seen = [];
  for (const place of [{}, { contextId: "orders" }]) {
    for (const binding of A2A_BINDINGS) {
      const without = await list(desk, place, binding);
      const refused = await list(desk, { ...place, includeArtifacts: false }, binding);
      const with_ = await list(desk, { ...place, includeArtifacts: true }, binding);
      seen.push(
        [without, refused, with_].map(({ tasks }) => tasks.every((task) => "artifacts" in task)),
      );
      seen.push([without, refused].map(({ tasks }) => tasks.some((task) => "artifacts" in task)));
    }
  }

  expect(seen).toEqual(
    seen.map((_, index) => (index % 2 === 0 ? [false, false, true] : [false, false])),
  );
});

it("3.1.4-2: every page names the next one, also where there is none", BROAD, async () => {
  const { desk } = await openTasks();
  const pages = [];
  for (const binding of A2A_BINDINGS) {
    for (const params of [
      {},
      { pageSize: 1 },
      { contextId: "orders" },
      { status: "TASK_STATE_FAILED" },
    ]) {
      pages.push(await list(desk, params, binding));
    }
  }

  expect(pages.map(({ nextPageToken }) => typeof nextPageToken)).toEqual(pages.map(() => "string"));
});

it("3.1.4-3: the name of the next page is empty on the last one", BROAD, async () => {
  const { desk } = await openTasks();
  const empties = [];
  for (const place of [{}, { contextId: "orders" }]) {
    const { totalSize } = await list(desk, place);
    const whole = await list(desk, { ...place, pageSize: totalSize });
    const first = await list(desk, { ...place, pageSize: totalSize - 1 });
    const last = await list(desk, {
      ...place,
      pageSize: totalSize - 1,
      pageToken: first.nextPageToken,
    });
    empties.push([whole.nextPageToken, first.nextPageToken === "", last.nextPageToken]);
  }

  expect(empties).toEqual([
    ["", false, ""],
    ["", false, ""],
  ]);
});

it("3.1.4-5: pages follow a cursor: a task that comes between two of them moves none", async () => {
  const { desk, tasks } = await openTasks(4);
  const first = await list(desk, { pageSize: 2 });
  await sendA2a(desk, messageOf("/say Later."));
  const second = await list(desk, { pageSize: 2, pageToken: first.nextPageToken });
  const made_up = await callA2a(desk, "JSONRPC", "ListTasks", { pageToken: "made-up" });

  expect([...idsOf(first.tasks), ...idsOf(second.tasks)]).toEqual(idsOf(tasks).toReversed());
  expect(made_up.error?.code).toBe(-32_602);
});

it("3.1.4-6: the task that has changed last is the first", BROAD, async () => {
  const desk = await openA2aDesk();
  const asked = await sendA2a(desk, messageOf(ASKING));
  const later = await sendA2a(desk, messageOf("/say Later."));
  await callA2a(desk, "JSONRPC", "CancelTask", { id: asked.id });
  await waitFor(async () => {
    const { tasks } = await list(desk);
    expect(idsOf(tasks)).toEqual([asked.id, later.id]);
  });
});

it("3.1.4-8: tasks are sorted by the time of their status, the newest first", BROAD, async () => {
  const { desk } = await openTasks();
  for (const params of [{}, { contextId: "orders" }]) {
    for (const binding of A2A_BINDINGS) {
      const { tasks } = await list(desk, params, binding);
      const times = tasks.map(({ status }) => Date.parse(status.timestamp ?? ""));

      expect(times.every(Number.isFinite)).toBe(true);
      expect(times.toSorted((one, other) => other - one)).toEqual(times);
    }
  }
});

it("3.1.4-4: a list has no tasks of another agent, nor of another tenant", BROAD, async () => {
  const { desk, tasks } = await openTasks();
  const other = { ...desk, ...(await openA2aAgent(desk.key)) };
  const foreign = await openA2aDesk();
  await sendA2a(foreign, messageOf("/say Foreign."));
  await sendA2a(other, messageOf("/say Other."));

  expect(idsOf((await list(desk)).tasks).toSorted()).toEqual(idsOf(tasks).toSorted());
  expect((await list(other)).tasks).toHaveLength(1);
});

it("tasks are filtered by status and by the time of the last change", BROAD, async () => {
  const { desk, tasks } = await openTasks();
  const asked = await sendA2a(desk, messageOf(ASKING));
  const after = asked.status.timestamp!;
  const found = await waitFor(async () => {
    const [waiting, later, ended] = [
      await list(desk, { status: "TASK_STATE_INPUT_REQUIRED" }, "HTTP+JSON"),
      await list(desk, { statusTimestampAfter: after }),
      await list(desk, { status: "TASK_STATE_COMPLETED" }),
    ];
    expect(idsOf(waiting.tasks)).toEqual([asked.id]);
    return [idsOf(later.tasks), idsOf(ended.tasks)];
  });
  const wrong = [];
  for (const params of [
    { status: "TASK_STATE_RUNNING" },
    { pageSize: 0 },
    { pageSize: 101 },
    { statusTimestampAfter: "yesterday" },
    { historyLength: -1 },
  ]) {
    wrong.push((await callA2a(desk, "JSONRPC", "ListTasks", params)).error?.code);
  }

  expect(found).toEqual([[asked.id], idsOf(tasks).toReversed()]);
  expect(wrong).toEqual(wrong.map(() => -32_602));
});

it(
  "a context's tasks are those of its session, and have as much history as is asked for",
  BROAD,
  async () => {
    const { desk, tasks } = await openTasks();
    const {
      tasks: found,
      totalSize,
      pageSize,
    } = await list(desk, {
      contextId: "orders",
      includeArtifacts: true,
    });
    const short = await list(desk, { contextId: "orders", historyLength: 0 });

    expect([totalSize, pageSize]).toEqual([2, expect.any(Number)]);
    expect(idsOf(found)).toEqual(idsOf(tasks.slice(0, 2)).toReversed());
    expect(short.tasks.map(({ history = [] }) => history)).toEqual([[], []]);
    expect(found[1]).toMatchObject({
      id: tasks[0]?.id,
      artifacts: (await readTask(desk, tasks[0]!.id)).artifacts,
    });
  },
);
