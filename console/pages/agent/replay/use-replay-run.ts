import { useCallback, useEffect, useRef, useState } from "react";

import type { Replay, ReplayProgress, Reprise } from "../../../../sdk/index.ts";
import { useReprise } from "../../../access/access-context.ts";

export type ReplayRequest = Parameters<Reprise["agents"]["replay"]>[1];

export type ReplayRunState =
  | { readonly kind: "none" }
  /** `progress` is null until the first reply begins. */
  | { readonly kind: "running"; readonly progress: ReplayProgress | null }
  | { readonly kind: "done"; readonly replay: Replay }
  | { readonly kind: "failed"; readonly error: unknown };

interface ReplayRun {
  readonly state: ReplayRunState;
  readonly start: (request: ReplayRequest) => void;
  readonly stop: () => void;
}

/** One replay of an agent's session at a time. It ends with the page: the platform notices a client that has left. */
export function useReplayRun(agentId: string): ReplayRun {
  const reprise = useReprise();
  const [state, setState] = useState<ReplayRunState>({ kind: "none" });
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setState({ kind: "none" });
  }, []);
  useEffect(() => () => running.current?.abort(), []);

  const start = useCallback(
    (request: ReplayRequest) => {
      running.current?.abort();
      const leaving = new AbortController();
      running.current = leaving;
      const tell = (next: ReplayRunState) => {
        if (!leaving.signal.aborted) setState(next);
      };
      tell({ kind: "running", progress: null });
      reprise.agents
        .replay(agentId, request, {
          signal: leaving.signal,
          onProgress: (progress) => tell({ kind: "running", progress }),
        })
        .then(
          (replay) => tell({ kind: "done", replay }),
          (error: unknown) => tell({ kind: "failed", error }),
        );
    },
    [reprise, agentId],
  );
  return { state, start, stop };
}
