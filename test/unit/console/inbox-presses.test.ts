// Presses that count, and approvals that wait for an undo.
import { expect, test } from "vitest";

import { judgePress, standOf, type Stand } from "../../../console/pages/inbox/aim.ts";
import type { CallAnswer } from "../../../console/pages/inbox/answer-calls.ts";
import {
  hold,
  isHeld,
  nextDueMs,
  NOTHING_HELD,
  outdated,
  secondsLeft,
  take,
  takeDue,
} from "../../../console/pages/inbox/undo-queue.ts";
import { openNotes } from "../../../console/pages/inbox/unsent-notes.ts";
import type { Confirmation } from "../../../sdk/index.ts";

const HERE = { left: 10, top: 100 };

/** A control that was seen at these moments and heights. */
function seen(
  ...looks: readonly (readonly [atMs: number, top: number, edition?: string])[]
): Stand {
  let stand: Stand | undefined;
  for (const [atMs, top, edition = "call 1"] of looks) {
    stand = standOf(stand, { edition, place: { left: 10, top } }, atMs);
  }
  return stand ?? { edition: "", place: HERE, sinceMs: 0 };
}

const pointer = { focusedSinceMs: null, isRepeat: false };

test("a click counts on what has been in its place for half a second", () => {
  const still = seen([0, 100], [400, 100]);
  const moved = seen([0, 100], [300, 300]);

  expect(judgePress({ stand: still, ...pointer }, 499)).toBe("moved");
  expect(judgePress({ stand: still, ...pointer }, 500)).toBe("aimed");
  expect(judgePress({ stand: moved, ...pointer }, 700)).toBe("moved");
  expect(judgePress({ stand: moved, ...pointer }, 800)).toBe("aimed");
});

test("a pixel of rounding is no move, slow drifting and another question in the same place are", () => {
  const rounded = seen([0, 100], [400, 101]);
  const drifting = seen([0, 100], [100, 101], [200, 102], [300, 103]);
  const another = seen([0, 100], [400, 100, "call 1, asked again"]);

  expect(rounded.sinceMs).toBe(0);
  expect(drifting.sinceMs).toBe(300);
  expect(another.sinceMs).toBe(400);
});

test("a key counts on a card that has had the focus for half a second, and once while it is held down", () => {
  const stand = seen([0, 100]);

  expect(judgePress({ stand, focusedSinceMs: 700, isRepeat: false }, 1_000)).toBe("just focused");
  expect(judgePress({ stand, focusedSinceMs: 500, isRepeat: false }, 1_000)).toBe("aimed");
  expect(judgePress({ stand, focusedSinceMs: 500, isRepeat: true }, 1_000)).toBe("held down");
});

function approve(number: number): CallAnswer & { readonly call: Confirmation } {
  const call: Confirmation = {
    kind: "permission",
    session_id: `ses_${number}`,
    reply_id: "rep_1",
    agent_id: "agt_1",
    end_user_id: null,
    tool_call_id: "call_1",
    tool_name: "refund",
    tool_call: null,
    input_hash: null,
    suggested_rules: [],
    asked_at: "2026-11-29T12:00:00.000Z",
    expires_at: null,
  };
  return { call, confirm: { confirmed: true } };
}

const KEY = "ses_1 call_1";
const EDITION = "2026-11-29T12:00:00.000Z  ";

test("approvals are held; denials, results and approvals without a delay are not", () => {
  const { call } = approve(1);

  expect(isHeld(approve(1), 5_000)).toBe(true);
  expect(isHeld({ call, confirm: { input: "{}" } }, 5_000)).toBe(true);
  expect(isHeld(approve(1), 0)).toBe(false);
  expect(isHeld({ call, confirm: { confirmed: false } }, 5_000)).toBe(false);
  expect(isHeld({ call, result: { output: "" } }, 5_000)).toBe(false);
});

test("an approval leaves once: when it is due, or before by Now, and never after an Undo", () => {
  const queue = hold(NOTHING_HELD, [approve(1), approve(2)], { nowMs: 1_000, delayMs: 5_000 });
  const now = take(queue, [KEY]);
  const due = takeDue(now.queue, 6_000);

  expect(nextDueMs(queue)).toBe(6_000);
  expect(takeDue(queue, 5_999).toSend).toEqual([]);
  expect(now.taken.map(({ key }) => key)).toEqual([KEY]);
  expect(take(now.queue, [KEY]).taken).toEqual([]);
  expect(due.toSend.map(({ key }) => key)).toEqual(["ses_2 call_1"]);
  expect(due.queue.size).toBe(0);
  expect(nextDueMs(due.queue)).toBe(null);
});

test("what comes seconds too late is not sent: the machine was asleep", () => {
  const queue = hold(NOTHING_HELD, [approve(1)], { nowMs: 0, delayMs: 5_000 });
  const keysOf = (nowMs: number) => {
    const { toSend, tooLate } = takeDue(queue, nowMs);
    return [toSend.length, tooLate.length];
  };

  expect(keysOf(8_000)).toEqual([1, 0]);
  expect(keysOf(8_001)).toEqual([0, 1]);
});

test("another approval of the same call takes the place of the first, and one of a call that waits no more is given up", () => {
  const first = hold(NOTHING_HELD, [approve(1)], { nowMs: 0, delayMs: 5_000 });
  const second = hold(first, [approve(1)], { nowMs: 3_000, delayMs: 5_000 });
  const card = { key: KEY, edition: EDITION, state: { type: "waiting" } };

  expect([...second.values()].map(({ dueAtMs }) => dueAtMs)).toEqual([8_000]);
  expect(outdated(second, [card])).toEqual([]);
  expect(outdated(second, [{ ...card, state: { type: "settled" } }])).toEqual([KEY]);
  expect(outdated(second, [{ ...card, edition: "another question" }])).toEqual([KEY]);
});

test("the countdown ends with 1", () => {
  expect([5_000, 4_999, 1_001, 900, 0].map((left) => secondsLeft(left, 0))).toEqual([
    5, 5, 2, 1, 1,
  ]);
});

/** Storage as a browser has it. */
function openMemory(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

test("a page that was closed, or died, has left word that nothing was sent; another tenant's page does not see it", () => {
  const storage = openMemory();
  const before = openNotes(storage, "ten_1", "page 1");
  before.count(KEY, EDITION, 5_000);
  const again = openNotes(storage, "ten_1", "page 2");
  const counting = again.find(KEY, EDITION, 4_000);
  const died = again.find(KEY, EDITION, 15_001);
  before.mark(KEY, "closed");

  expect([counting, died]).toEqual([null, "closed"]);
  expect(before.find(KEY, EDITION, 15_001)).toBe("closed");
  expect(again.find(KEY, EDITION, 5_500)).toBe("closed");
  expect(again.find(KEY, "another question", 5_500)).toBe(null);
  expect(openNotes(storage, "ten_2", "page 2").find(KEY, EDITION, 99_000)).toBe(null);
});

test("an approval that left or was undone leaves no word, old notes go, and a browser without storage has none", () => {
  const storage = openMemory();
  storage.setItem("reprise.theme", "dark");
  storage.setItem("reprise.unsent.ten_1.broken", "{");
  const notes = openNotes(storage, "ten_1", "page 1");
  notes.count(KEY, EDITION, 5_000);
  notes.forget(KEY);
  notes.mark(KEY, "network");
  const forgotten = notes.find(KEY, EDITION, 99_000);
  storage.removeItem("reprise.unsent.ten_1.broken");
  notes.count("ses_2 call_1", EDITION, 5_000);
  notes.count("ses_3 call_1", EDITION, 5_000 + 25 * 3_600_000);
  const none = openNotes(null, "ten_1", "page 1");
  none.count(KEY, EDITION, 5_000);
  none.mark(KEY, "closed");

  expect(forgotten).toBe(null);
  expect(storage.length).toBe(2);
  expect(none.find(KEY, EDITION, 99_000)).toBe(null);
});
