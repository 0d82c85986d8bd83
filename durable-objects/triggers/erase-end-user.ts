import type { RunError } from "../../protocol/triggers/contract.ts";
import type { RunSteps } from "./run-steps.ts";
import { endRun } from "./settle-run.ts";
import type { TriggerTables } from "./trigger-tables.ts";

const ERASED: RunError = { type: "end_user_erased", message: "The end user was erased." };

/**
 * Ends the open runs of an end user, and takes their sessions out of all others: a run stays as one that was there, since its
 * occasion must not come again. A step that is under way ends first, so that no session is opened behind this.
 */
export async function eraseEndUser(
  tables: TriggerTables,
  steps: Pick<RunSteps, "advance">,
  endUserId: string,
): Promise<void> {
  if (!tables.state) return;
  const open = tables.runs.ofEndUser(endUserId).filter(({ due_at }) => due_at !== null);
  tables.inTransaction(() => {
    for (const run of open) endRun(tables, run, ERASED);
  });
  await Promise.all(open.map(({ id }) => steps.advance(id)));
  if (!tables.state) return;
  tables.inTransaction(() => {
    tables.forgetSessionsOf(endUserId);
    for (const run of tables.runs.ofEndUser(endUserId)) {
      const place = { slot: ERASED.type, session_id: null, reply_id: null };
      tables.runs.put({ ...run, ...place, end_user_id: null });
    }
  });
}
