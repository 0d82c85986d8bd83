import { describe, expect, it } from "vitest";

import {
  heardOf,
  isSilentTooLong,
  isTaskDue,
  keepTask,
  unheardOf,
  type KeptTask,
} from "../../../agent/mcp/kept-task.ts";
import { readCreatedTask, readTask, type TaskRead } from "../../../agent/mcp/read-task.ts";

const ORIGIN = { server_id: "mcp_1", server: "wh", session_id: null };
const NOW = 1_000_000;
const DAY = 86_400_000;
const read = (more: Partial<TaskRead> = {}): TaskRead => ({
  id: "t",
  status: "working",
  message: null,
  ttlMs: null,
  pollMs: null,
  ...more,
});
const kept = (more: Partial<TaskRead> = {}): KeptTask => keepTask(read(more), ORIGIN, NOW);

describe("the time of a task", () => {
  it.each([
    [null, 5_000],
    [0, 1_000],
    [-7, 1_000],
    [3_000, 3_000],
    [1e12, 60_000],
  ])("with a poll interval of %s begins with a wait of %s", (pollMs, waitMs) => {
    expect(kept({ pollMs }).poll_at - NOW).toBe(waitMs);
  });

  it.each([
    [null, DAY],
    [0, 2_000],
    [60_000, 60_000],
    [1e15, DAY],
  ])("with a ttl of %s is %s in all", (ttlMs, totalMs) => {
    expect(kept({ ttlMs }).expires_at - NOW).toBe(totalMs);
  });

  it("is asked for less often the older it is, and at its end at the latest", () => {
    const task = kept({ pollMs: 1_000, ttlMs: 3_600_000 });
    const waits = [1_000, 60_000, 600_000, 3_000_000, 3_590_000].map((ageMs) => {
      const heard = heardOf(task, read({ pollMs: 1_000, ttlMs: 3_600_000 }), NOW + ageMs);
      return heard.poll_at - NOW - ageMs;
    });
    expect(waits).toEqual([1_000, 3_000, 30_000, 60_000, 10_000]);
  });

  it("may change, but never beyond a day", () => {
    const heard = heardOf(kept({ ttlMs: 60_000 }), read({ ttlMs: 1e15 }), NOW + 10);
    expect(heard.expires_at - NOW).toBe(DAY);
    expect(heardOf(kept({ ttlMs: 60_000 }), read(), NOW + 10).expires_at - NOW).toBe(60_000);
  });
});

describe("a server that is silent", () => {
  it("is asked less and less, and left after a quarter of an hour", () => {
    const first = unheardOf(kept({ pollMs: 1_000 }), NOW);
    const later = unheardOf(first, NOW + 20_000);
    const last = unheardOf(later, NOW + 900_000);
    expect([first, later, last].map(({ poll_at }) => poll_at - NOW)).toEqual([
      1_000, 40_000, 960_000,
    ]);
    expect([isSilentTooLong(later, NOW + 20_000), isSilentTooLong(last, NOW + 900_000)]).toEqual([
      false,
      true,
    ]);
  });

  it("begins anew when it was heard in between", () => {
    const heard = heardOf(unheardOf(kept(), NOW), read(), NOW + 1_000);
    expect(isSilentTooLong(unheardOf(heard, NOW + 900_000), NOW + 900_000)).toBe(false);
  });

  it("is waited for no longer when the clock was set back", () => {
    expect(unheardOf(unheardOf(kept(), NOW), NOW - DAY).failing_since).toBe(NOW - DAY);
  });
});

describe("a call goes on", () => {
  it("with every state but work", () => {
    const states = ["working", "completed", "failed", "cancelled"] as const;
    const due = states.map((status) => isTaskDue(kept({ status }), [], NOW));
    expect(due).toEqual([false, true, true, true]);
  });

  it("with questions that were not answered, or that nobody can see", () => {
    const asking = { ...kept({ status: "input_required" }), answered: ["a"] };
    const due = [[], ["a"], ["a", "b"]].map((keys) => isTaskDue(asking, keys, NOW));
    expect(due).toEqual([true, false, true]);
  });

  it("when its time is over", () => {
    expect(isTaskDue(kept({ ttlMs: 5_000 }), [], NOW + 5_000)).toBe(true);
  });
});

describe("a server's words", () => {
  const flat = { resultType: "task", taskId: "t", status: "working", ttlMs: 5, pollIntervalMs: 6 };

  it("are a task in the form of their era, and only there", () => {
    const nested = { task: { taskId: "t", status: "working", ttl: 5, pollInterval: 6 } };
    const task = { id: "t", status: "working", message: null, ttlMs: 5, pollMs: 6 };
    expect([
      readCreatedTask(flat, { era: "modern", isAsked: false }),
      readCreatedTask(nested, { era: "legacy", isAsked: true }),
      readCreatedTask(nested, { era: "legacy", isAsked: false }),
      readCreatedTask(nested, { era: "modern", isAsked: true }),
      readCreatedTask(flat, { era: "legacy", isAsked: true }),
      readCreatedTask({ ...flat, taskId: "" }, { era: "modern", isAsked: false }),
    ]).toEqual([task, task, null, null, null, "unreadable"]);
  });

  it("about it are one line of two hundred characters", () => {
    const message = readTask({ ...flat, statusMessage: `a\nb${"c".repeat(900)}` })?.message ?? "";
    expect([message.slice(0, 4), message.includes("\n"), message.length <= 201]).toEqual([
      "a bc",
      false,
      true,
    ]);
    expect(readTask({ ...flat, statusMessage: " \n " })?.message).toBeNull();
  });
});
