import { useEffect, useMemo, useState, useSyncExternalStore } from "react";

import { useReprise } from "../../../access/access-context.ts";
import type { EventLog } from "../event-log.ts";
import type { PageNetwork } from "../page-network.ts";

/** Outcome of a cut. */
export type Resume =
  | { readonly kind: "cut"; readonly after: number | null }
  | { readonly kind: "resuming" }
  /** `missed`: events between that were not replayed, which is 0 unless something is broken. */
  | {
      readonly kind: "resumed";
      readonly after: number;
      readonly replayed: number;
      readonly missed: number;
    };

/** Continuation of the session's stream after {@link PageNetwork.cut}; null before the first one. */
export function useResume(network: PageNetwork, log: EventLog, sessionId: string): Resume | null {
  const reprise = useReprise();
  const { isCut, cuts, streamAfter, resumedAfter } = useSyncExternalStore(
    network.subscribe,
    network.getState,
  );
  useSyncExternalStore(log.subscribe, log.getVersion);
  /** The log's end when the stream was there again: what is newer has come live. */
  const [end, setEnd] = useState<number | null>(null);
  useEffect(() => {
    setEnd(null);
    if (resumedAfter === null) return undefined;
    let isCurrent = true;
    reprise
      .session(sessionId)
      .get()
      .then(
        ({ cursor }) => isCurrent && setEnd(cursor),
        () => isCurrent && setEnd(resumedAfter),
      );
    return () => {
      isCurrent = false;
    };
  }, [reprise, sessionId, resumedAfter, cuts]);

  const isThere =
    resumedAfter !== null && end !== null && (end <= resumedAfter || (log.lastSeq ?? 0) >= end);
  const replayed = useMemo(
    () => (isThere ? log.countBetween(resumedAfter, end) : 0),
    [log, isThere, resumedAfter, end],
  );

  if (cuts === 0) return null;
  if (isCut) return { kind: "cut", after: log.lastSeq ?? streamAfter };
  if (!isThere) return { kind: "resuming" };
  const missed = Math.max(0, end - resumedAfter - replayed);
  return { kind: "resumed", after: resumedAfter, replayed, missed };
}
