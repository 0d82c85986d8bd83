import { useCallback, useEffect, useState } from "react";

import type { LoggedEvent } from "../../../../sdk/index.ts";
import { useReprise } from "../../../access/access-context.ts";
import type { EventLog } from "../event-log.ts";
import { usePlayground } from "../playground-context.ts";

interface EarlierEvents {
  readonly isReading: boolean;
  readonly error: string | null;
  readonly readAgain: () => void;
}

/** Reads the events from before this page heard the first one, once. */
export function useEarlierEvents(log: EventLog): EarlierEvents {
  const reprise = useReprise();
  const { sessionId } = usePlayground();
  const [isReading, setIsReading] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    setError(null);
    setIsReading(true);

    async function read(): Promise<void> {
      const session = reprise.session(sessionId);
      const { cursor } = await session.get({ signal });
      // The page hears everything behind the cursor of its own first answer, which was earlier.
      const last = (log.firstSeq ?? cursor + 1) - 1;
      const earlier: LoggedEvent[] = [];
      if (last > 0) {
        for await (const event of session.events({ signal })) {
          if (event.seq <= last) earlier.push(event);
          if (event.seq >= last) break;
        }
      }
      if (!signal.aborted) log.putInFront(earlier);
    }
    read()
      .catch((failure: unknown) => {
        if (signal.aborted) return;
        setError(failure instanceof Error ? failure.message : String(failure));
      })
      .finally(() => {
        if (!signal.aborted) setIsReading(false);
      });
    return () => ending.abort();
  }, [reprise, sessionId, log, round]);
  return { isReading, error, readAgain: useCallback(() => setRound((one) => one + 1), []) };
}
