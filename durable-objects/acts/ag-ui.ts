import type { RunStart, StartedRun } from "../api/session-api.ts";
import { act, actorAct, type Untraced } from "./act.ts";
import { startRun } from "../ag-ui/start-run.ts";
import { isKnownRun } from "../ag-ui/repeat-run.ts";
import { accept } from "../../protocol/errors.ts";
import { keepForkedRun } from "../ag-ui/leave-thread.ts";

export const AG_UI_ACTS = {
  /**
   * Starts an AG-UI run: a new reply, the continuation of one that waits, or a run that was started before. All or
   * nothing; resolves when it is durable. Idempotent by `run_id`.
   */
  startRun: actorAct<Untraced<RunStart>, StartedRun>({
    run: (session, start, { actor, trace }) => startRun(session, { ...start, trace }, actor),
  }),

  /** Keeps that an AG-UI run is in a fork. Returns the fork that has it. */
  keepForkedRun: act<{ readonly run_id: string; readonly session_id: string }, string>({
    run: keepForkedRun,
  }),

  /** Whether an AG-UI run is one of this session's, or of a fork of it that was asked for here. */
  knowsRun: act<string, boolean>({
    run: (session, runId) =>
      accept(isKnownRun(session, runId) || session.tables.forkedRuns.find(runId) !== null),
  }),
} as const;
