import { useEffect, useMemo, useReducer, useRef, useState } from "react";

import { ConnectionError, type Confirmation, type ConfirmationFilter } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { failureText } from "../../components/failure-text.ts";
import { answerCalls, type CallAnswer } from "./answer-calls.ts";
import { openStorage } from "./inbox-settings.ts";
import { isHeld, outdated } from "./undo-queue.ts";
import { openNotes, type UnsentNotes } from "./unsent-notes.ts";
import { useUndo, type Undo } from "./use-undo.ts";
import { useWaitingCalls } from "./use-waiting-calls.ts";
import {
  changeOf,
  keyOfCall,
  NO_CARDS,
  reduceList,
  type ListEvent,
  type WaitingList,
} from "./waiting-list.ts";

interface InboxState extends Pick<
  ReturnType<typeof useWaitingCalls>,
  "isLoading" | "isWhole" | "error" | "loadMore" | "look"
> {
  readonly list: WaitingList;
  readonly change: (event: ListEvent) => void;
  readonly undo: Undo;
  readonly notes: UnsentNotes;
  readonly answer: (answers: readonly CallAnswer[]) => void;
  readonly signedIn: (call: Confirmation) => void;
}

interface InboxSettings {
  readonly filter: ConfirmationFilter;
  readonly tenantId: string;
  readonly delayMs: number;
  /** Calls that came and went, in words, for who does not see them. */
  readonly onSay: (words: string) => void;
}

/** The waiting calls with their answers: what is shown, what is held back for an undo, and what was sent. */
export function useInbox({ filter, tenantId, delayMs, onSay }: InboxSettings): InboxState {
  const reprise = useReprise();
  const waiting = useWaitingCalls(filter);
  const { calls, isWhole, lookedAt, error, look } = waiting;
  const [list, change] = useReducer(reduceList, NO_CARDS);
  const [page] = useState(() => crypto.randomUUID());
  const notes = useMemo(() => openNotes(openStorage(), tenantId, page), [tenantId, page]);
  const undo = useUndo(notes, (answers) => void send(answers));

  async function send(answers: readonly CallAnswer[]): Promise<void> {
    const left = new Set(answers.map(({ call }) => keyOfCall(call)));
    change({ type: "sent", keys: [...left] });
    try {
      await answerCalls(reprise, answers, (outcomes) => {
        for (const { call } of outcomes) {
          left.delete(keyOfCall(call));
          notes.forget(keyOfCall(call));
        }
        change({ type: "told", outcomes, nowMs: Date.now() });
      });
    } catch (failure) {
      change({ type: "failed", keys: [...left], failure: sendingFailure(failure) });
    }
    await look();
  }

  const filterText = JSON.stringify(filter);
  const shown = useRef({ list, filterText, isFirst: true });
  useEffect(() => {
    shown.current.list = list;
  });
  useEffect(() => {
    if (shown.current.filterText !== filterText) {
      shown.current = { list: NO_CARDS, filterText, isFirst: true };
      change({ type: "filtered" });
    }
    if (!calls) return;
    const event = { type: "looked", calls, isWhole, nowMs: Date.now() } as const;
    change(event);
    const words = changeWords(changeOf(shown.current.list, reduceList(shown.current.list, event)));
    if (words !== "" && !shown.current.isFirst) onSay(words);
    shown.current.isFirst = false;
    // Announcements are left out: a new one is no reason to look again.
  }, [calls, isWhole, lookedAt, filterText]);

  const { queue, drop, giveUp } = undo;
  useEffect(() => {
    const keys = outdated(queue, list.cards);
    if (keys.length === 0) return;
    const outcomes = keys.flatMap((key) => {
      const call = queue.get(key)?.answer.call;
      return call ? [{ call, intent: "approved", kind: "elsewhere", detail: LATE } as const] : [];
    });
    drop(keys);
    change({ type: "told", outcomes, nowMs: Date.now() });
  }, [queue, list.cards, drop]);
  // The browser may not know that the platform is out of reach.
  const isCutOff = ConnectionError.isInstance(error);
  useEffect(() => {
    if (isCutOff) giveUp("network");
  }, [isCutOff, giveUp]);

  return {
    ...waiting,
    list,
    change,
    undo,
    notes,
    answer(answers) {
      const held = answers.filter((answer) => isHeld(answer, delayMs));
      const direct = answers.filter((answer) => !isHeld(answer, delayMs));
      if (held.length > 0) undo.hold(held, delayMs);
      if (direct.length > 0) void send(direct);
    },
    signedIn(call) {
      const outcome = { call, intent: "signed in", kind: "done", detail: "signed in" } as const;
      change({ type: "told", outcomes: [outcome], nowMs: Date.now() });
      void look();
    },
  };
}

const LATE = "answered by someone else before your approval was sent";

function sendingFailure(error: unknown): string {
  if (!ConnectionError.isInstance(error)) return failureText(error);
  return "The platform did not answer, so it is not known whether your answer arrived. If this call still waits when the platform is back, answer it again.";
}

function changeWords({ arrived, gone }: ReturnType<typeof changeOf>): string {
  const parts = [
    arrived > 0 && `${arrived} new ${arrived === 1 ? "call waits" : "calls wait"}.`,
    gone > 0 && `${gone} ${gone === 1 ? "call waits" : "calls wait"} no more.`,
  ];
  return parts.filter((part) => part !== false).join(" ");
}
