// Findings of a simulation's pages so far.
import type { SimulatedCall, Simulation } from "../../../sdk/index.ts";

export interface Findings {
  readonly calls: readonly SimulatedCall[];
  readonly compared: number;
  readonly skipped: number;
  readonly sessions: number;
  readonly failed: number;
  readonly nextPage: string | null;
}

export const FIRST_FINDINGS: Findings = {
  calls: [],
  compared: 0,
  skipped: 0,
  sessions: 0,
  failed: 0,
  nextPage: null,
};

export function addPage(before: Findings, page: Simulation): Findings {
  return {
    calls: [...before.calls, ...page.data],
    compared: before.compared + page.calls,
    skipped: before.skipped + page.calls_skipped,
    sessions: before.sessions + page.sessions,
    failed: before.failed + page.sessions_failed,
    nextPage: page.next_page,
  };
}
