// Creates a session with a long log: one reply is streamed at reading speed, so that its rows are as in production, and
// its rows are then duplicated.
import type { Reprise, RepriseSession } from "./peers/reprise.ts";
import { replyOf } from "./sessions.ts";

const TOKENS = 240;
const TOKENS_PER_SECOND = 50;

export interface LongLog {
  readonly session: RepriseSession;
  /** Events in its log: the requested number, or slightly fewer. */
  readonly events: number;
  readonly replies: number;
}

export async function openLongLog(reprise: Reprise, events: number): Promise<LongLog> {
  const session = await reprise.openSession();
  await replyOf(session, { tokens: TOKENS, rate: TOKENS_PER_SECOND });
  const length = await reprise.repeatReply(session.id, 1);
  const replies = Math.max(1, Math.floor(events / length));
  await reprise.repeatReply(session.id, replies);
  await reprise.putAway(session.id);
  return { session, events: replies * length, replies };
}
