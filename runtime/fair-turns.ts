// Turns of replies, one of a tenant at a time: a reply that continues without waiting for anything would otherwise be
// served as often as everything else together. So would sessions that are opened by the hundred.
import { MAX_TURN_LINES, SPACED_START_MS } from "../protocol/replies/limits.ts";
import { TurnLine } from "./turn-line.ts";

type Lines = Map<string, TurnLine>;

/** The lines of this isolate's tenants, the one that was used longest ago first. */
const turns: Lines = new Map();
const starts: Lines = new Map();

/**
 * The wait of a reply before each of its turns. The first one begins at once, and so does one that comes when no other
 * of the tenant's is due. A reply that waits for its model or its tools delays no other.
 * @param stop Ends the waiting.
 */
export function fairTurns(tenantId: string, stop: AbortSignal): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (isFirst) isFirst = false;
    else await takeTurn(lineOf(turns, tenantId), stop);
  };
}

/**
 * Does the work once what the tenant has begun before it in this isolate is done, or has taken {@link SPACED_START_MS}:
 * between two of them others are served.
 */
export async function spacedStart<Value>(
  tenantId: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const line = lineOf(starts, tenantId);
  await takeTurn(line);
  const held = line.hold(Date.now(), SPACED_START_MS);
  try {
    return await work();
  } finally {
    held.release();
  }
}

async function takeTurn(line: TurnLine, stop?: AbortSignal): Promise<void> {
  const ticket = line.join(Date.now());
  if (!ticket) return;
  for (let waitMs: number | null = 1; waitMs !== null; waitMs = line.look(ticket, Date.now())) {
    await scheduler.wait(waitMs);
    if (stop?.aborted) return line.leave(ticket);
  }
}

/** One that is forgotten is finished by those who stand in it. */
function lineOf(lines: Lines, tenantId: string): TurnLine {
  const line = lines.get(tenantId) ?? new TurnLine();
  lines.delete(tenantId);
  lines.set(tenantId, line);
  const [oldest] = lines.keys();
  if (lines.size > MAX_TURN_LINES && oldest !== undefined) lines.delete(oldest);
  return line;
}
