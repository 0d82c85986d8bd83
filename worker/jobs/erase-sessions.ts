import { ERASED_SESSIONS_AT_ONCE } from "../../protocol/operator/limits.ts";
import { inTurns } from "../../runtime/in-turns.ts";
import { timeSlice } from "../../runtime/time-slice.ts";

/**
 * Erases the sessions of a step, a few at a time. One that cannot be erased now does not block the others.
 * @throws the first failure, when all others are erased.
 */
export async function eraseSessions(
  ids: readonly string[],
  erase: (id: string) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await inTurns(ids, ERASED_SESSIONS_AT_ONCE, async (id) => {
    // Lets other requests run between two sessions.
    await timeSlice();
    await erase(id).catch((error: unknown) => failures.push(error));
  });
  if (failures.length > 0) throw failures[0];
}
