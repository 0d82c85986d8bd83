// Approvals that a person has given and that are not sent yet: they wait some seconds for an *Undo*. What does not leave
// in time is never sent: the person is told, and approves again.
import type { CallAnswer } from "./answer-calls.ts";
import { editionOf, keyOfCall } from "./waiting-list.ts";

export interface Held {
  readonly key: string;
  readonly edition: string;
  readonly answer: CallAnswer;
  /** UTC milliseconds at which it is sent. */
  readonly dueAtMs: number;
}

/** By the key of the call, in the order of the approvals. */
export type UndoQueue = ReadonlyMap<string, Held>;

export const NOTHING_HELD: UndoQueue = new Map();

/** Reasons for which an approval was never sent. */
export type Unsent = "closed" | "left" | "network" | "slept";

/** Milliseconds behind its moment until which an approval is sent. Later the machine has slept, and the person is gone. */
const LATE_MS = 3_000;

/** Seconds that a person can choose, with the default. */
export const DELAYS_SECONDS = [0, 3, 5, 10, 30] as const;
export const DEFAULT_DELAY_SECONDS = 5;

/** Whether an answer waits for an undo: approvals do, anything else is sent at once. */
export function isHeld(answer: CallAnswer, delayMs: number): boolean {
  return delayMs > 0 && "confirm" in answer && answer.confirm.confirmed !== false;
}

/** With these approvals. One for a call that has one already takes its place. */
export function hold(
  queue: UndoQueue,
  answers: readonly CallAnswer[],
  { nowMs, delayMs }: { readonly nowMs: number; readonly delayMs: number },
): UndoQueue {
  const next = new Map(queue);
  for (const answer of answers) {
    const key = keyOfCall(answer.call);
    next.delete(key);
    next.set(key, { key, edition: editionOf(answer.call), answer, dueAtMs: nowMs + delayMs });
  }
  return next;
}

interface Taken {
  readonly queue: UndoQueue;
  readonly taken: readonly Held[];
}

/** Takes these out: by *Undo* to drop them, by *Now* to send them. A second press finds nothing. */
export function take(queue: UndoQueue, keys: readonly string[]): Taken {
  const next = new Map(queue);
  const taken = keys.flatMap((key) => {
    const held = next.get(key);
    next.delete(key);
    return held ? [held] : [];
  });
  return { queue: next, taken };
}

interface Due {
  readonly queue: UndoQueue;
  readonly toSend: readonly Held[];
  readonly tooLate: readonly Held[];
}

/** Takes out what is due. */
export function takeDue(queue: UndoQueue, nowMs: number): Due {
  const due = [...queue.values()].filter(({ dueAtMs }) => dueAtMs <= nowMs);
  const { queue: left } = take(
    queue,
    due.map(({ key }) => key),
  );
  return {
    queue: left,
    toSend: due.filter(({ dueAtMs }) => nowMs - dueAtMs <= LATE_MS),
    tooLate: due.filter(({ dueAtMs }) => nowMs - dueAtMs > LATE_MS),
  };
}

/** Keys of approvals whose calls wait no more, or ask something else by now. */
export function outdated(
  queue: UndoQueue,
  cards: readonly {
    readonly key: string;
    readonly edition: string;
    readonly state: { type: string };
  }[],
): readonly string[] {
  return cards.flatMap(({ key, edition, state }) => {
    const held = queue.get(key);
    return held && (state.type === "settled" || held.edition !== edition) ? [key] : [];
  });
}

/** Moment of the next approval to be sent; null when there is none. */
export function nextDueMs(queue: UndoQueue): number | null {
  return queue.size === 0 ? null : Math.min(...[...queue.values()].map(({ dueAtMs }) => dueAtMs));
}

/** Whole seconds until a moment, as a countdown shows them: it ends with 1. */
export function secondsLeft(dueAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((dueAtMs - nowMs) / 1_000));
}

export const UNSENT_WORDS: Readonly<Record<Unsent, string>> = {
  closed: "Your approval was not sent: the page was closed before its time to undo was over.",
  left: "Your approval was not sent: you left this page before its time to undo was over.",
  network: "Your approval was not sent: the network was gone.",
  slept: "Your approval was not sent: this device was asleep when its time to undo was over.",
};
