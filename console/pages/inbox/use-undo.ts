import { useEffect, useRef, useState } from "react";

import type { CallAnswer } from "./answer-calls.ts";
import {
  hold,
  nextDueMs,
  NOTHING_HELD,
  take,
  takeDue,
  type UndoQueue,
  type Unsent,
} from "./undo-queue.ts";
import type { UnsentNotes } from "./unsent-notes.ts";

export interface Undo {
  readonly queue: UndoQueue;
  readonly hold: (answers: readonly CallAnswer[], delayMs: number) => void;
  /** Drops these: nothing is sent. */
  readonly drop: (keys: readonly string[]) => void;
  /** Sends these at once. */
  readonly sendNow: (keys: readonly string[]) => void;
  /** Gives all up, for a reason that the cards then say. */
  readonly giveUp: (reason: Unsent) => void;
}

/** Approvals on their way to be sent, with the page's clock; what ends the page or the network ends them. */
export function useUndo(
  notes: UnsentNotes,
  onSend: (answers: readonly CallAnswer[]) => void,
): Undo {
  const [queue, setQueue] = useState<UndoQueue>(NOTHING_HELD);
  // Two presses before the next drawing must not find the same approval.
  const current = useRef(queue);
  const latest = useRef({ notes, onSend });
  useEffect(() => {
    latest.current = { notes, onSend };
  });

  function change(next: UndoQueue): void {
    current.current = next;
    setQueue(next);
  }
  function drop(keys: readonly string[]): void {
    const { queue: left, taken } = take(current.current, keys);
    for (const { key } of taken) latest.current.notes.forget(key);
    change(left);
  }
  function sendNow(keys: readonly string[]): void {
    if (!navigator.onLine) return giveUp("network");
    const { queue: left, taken } = take(current.current, keys);
    for (const { key } of taken) latest.current.notes.forget(key);
    change(left);
    if (taken.length > 0) latest.current.onSend(taken.map(({ answer }) => answer));
  }
  function giveUp(reason: Unsent): void {
    if (current.current.size === 0) return;
    for (const key of current.current.keys()) latest.current.notes.mark(key, reason);
    change(NOTHING_HELD);
  }
  function sendDue(): void {
    if (!navigator.onLine) return giveUp("network");
    const { toSend, tooLate } = takeDue(current.current, Date.now());
    for (const { key } of tooLate) latest.current.notes.mark(key, "slept");
    change(
      take(
        current.current,
        tooLate.map(({ key }) => key),
      ).queue,
    );
    sendNow(toSend.map(({ key }) => key));
  }

  const acts = useRef({ giveUp, sendDue });
  useEffect(() => {
    acts.current = { giveUp, sendDue };
  });
  useEffect(() => {
    const due = nextDueMs(queue);
    if (due === null) return undefined;
    const timer = setTimeout(() => acts.current.sendDue(), Math.max(0, due - Date.now()));
    return () => clearTimeout(timer);
  }, [queue]);
  useEffect(() => {
    const { signal, abort } = withAbort();
    window.addEventListener("offline", () => acts.current.giveUp("network"), { signal });
    // Also when the browser only puts the page away: it may come back in an hour.
    window.addEventListener("pagehide", () => acts.current.giveUp("closed"), { signal });
    document.addEventListener("freeze", () => acts.current.giveUp("slept"), { signal });
    return () => {
      abort();
      acts.current.giveUp("left");
    };
  }, []);

  return {
    queue,
    hold(answers, delayMs) {
      const next = hold(current.current, answers, { nowMs: Date.now(), delayMs });
      for (const { key, edition, dueAtMs } of next.values()) notes.count(key, edition, dueAtMs);
      change(next);
      if (!navigator.onLine) giveUp("network");
    },
    drop,
    sendNow,
    giveUp,
  };
}

function withAbort(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
