import { useEffect, useState } from "react";

import {
  appendRoomEvent,
  EMPTY_CONVERSATION,
  type LoggedEvent,
  type RoomConversation,
} from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";

interface RoomLog {
  readonly conversation: RoomConversation;
  readonly error: Error | null;
  readonly readAgain: () => void;
}

/** Milliseconds between two drawings of what has come: a token is an event, and a screen shows sixty frames a second. */
const DRAW_MS = 50;
/** Milliseconds after which a room in which nothing goes on is looked at again. */
const PAUSE_MS = 2_000;

/** The conversation of a room from its first event, and what is said as it comes, while the caller is shown. */
export function useRoomLog(roomId: string): RoomLog {
  const reprise = useReprise();
  const [conversation, setConversation] = useState(EMPTY_CONVERSATION);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let waiting: LoggedEvent[] = [];
    let after = 0;
    setConversation(EMPTY_CONVERSATION);
    setError(null);
    const timer = setInterval(() => {
      if (waiting.length === 0) return;
      const more = waiting;
      waiting = [];
      setConversation((before) => more.reduce(appendRoomEvent, before));
    }, DRAW_MS);

    async function read(): Promise<void> {
      while (!signal.aborted) {
        for await (const event of reprise.room(roomId).events({ after, follow: true, signal })) {
          waiting.push(event);
          after = event.seq;
        }
        await pause(PAUSE_MS, signal);
      }
    }
    read().catch((failure: unknown) => {
      if (!signal.aborted)
        setError(failure instanceof Error ? failure : new Error(String(failure)));
    });
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [reprise, roomId, round]);

  return { conversation, error, readAgain: () => setRound(round + 1) };
}

function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => resolve(), waitMs);
  signal.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      resolve();
    },
    { once: true },
  );
  return promise;
}
