// Turns of replies, one of a tenant at a time: a reply that continues without waiting for anything would otherwise be
// served as often as everything else together.
import { MAX_TURN_LINES } from "../protocol/replies/limits.ts";
import { TurnLine } from "./turn-line.ts";

/** The lines of this isolate's tenants, the one that was used longest ago first. */
const lines = new Map<string, TurnLine>();

/**
 * The wait of a reply before each of its turns. The first one begins at once, and so does one that comes when no other
 * of the tenant's is due. A reply that waits for its model or its tools delays no other.
 * @param stop Ends the waiting.
 */
export function fairTurns(tenantId: string, stop: AbortSignal): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (isFirst) isFirst = false;
    else await takeTurn(lineOf(tenantId), stop);
  };
}

async function takeTurn(line: TurnLine, stop: AbortSignal): Promise<void> {
  const ticket = line.join(Date.now());
  if (!ticket) return;
  for (let waitMs: number | null = 1; waitMs !== null; waitMs = line.look(ticket, Date.now())) {
    await scheduler.wait(waitMs);
    if (stop.aborted) return line.leave(ticket);
  }
}

/** One that is forgotten is finished by those who stand in it. */
function lineOf(tenantId: string): TurnLine {
  const line = lines.get(tenantId) ?? new TurnLine();
  lines.delete(tenantId);
  lines.set(tenantId, line);
  const [oldest] = lines.keys();
  if (lines.size > MAX_TURN_LINES && oldest !== undefined) lines.delete(oldest);
  return line;
}
