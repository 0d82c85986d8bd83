import { useCallback, useEffect, useState } from "react";

import type { LoggedEvent } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";

interface Events {
  readonly events: readonly LoggedEvent[];
  readonly isReading: boolean;
  readonly error: Error | null;
  readonly readAgain: () => void;
}

/** Milliseconds between two drawings of what has come: a token is an event, and a screen shows sixty frames a second. */
const DRAW_MS = 50;
/** Milliseconds after which a log without a running reply is looked at again. */
const PAUSE_MS = 5_000;

/** All events of a session from its first, and the new ones as they come, while the caller is shown. */
export function useEvents(sessionId: string): Events {
  const reprise = useReprise();
  const [events, setEvents] = useState<readonly LoggedEvent[]>([]);
  const [isReading, setIsReading] = useState(true);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let waiting: LoggedEvent[] = [];
    let after = 0;
    setEvents([]);
    const timer = setInterval(() => {
      if (waiting.length === 0) return;
      const more = waiting;
      waiting = [];
      setEvents((before) => [...before, ...more]);
    }, DRAW_MS);

    async function read(): Promise<void> {
      while (!signal.aborted) {
        setIsReading(true);
        for await (const event of reprise.session(sessionId).events({ after, signal })) {
          after = event.seq;
          waiting.push(event);
        }
        setIsReading(false);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
    setError(null);
    read().catch((failure: unknown) => {
      if (signal.aborted) return;
      setIsReading(false);
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    });
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [reprise, sessionId, round]);

  return { events, isReading, error, readAgain: useCallback(() => setRound((one) => one + 1), []) };
}
