import type { AgUiFrame } from "../protocol/dialects/ag-ui/events.ts";
import { AgUiTranslator } from "../protocol/dialects/ag-ui/translator.ts";
import { accept, type Result } from "../protocol/errors.ts";
import { HISTORY_PAGE_EVENTS } from "../protocol/limits-streams.ts";
import { AgUiEvents } from "./ag-ui-events.ts";
import type { SessionStub } from "./session-stub.ts";

export interface JoinedAgUi {
  /** The log is read from the event after this seq. */
  readonly after: number;
  readonly events: AgUiEvents;
  /** Frames that come first; none in a session without a reply. */
  readonly prelude: string;
}

/**
 * For a reader that has nothing: the conversation as it is, and the newest reply as if the reader had been there. What
 * is not on disk yet follows as it would have.
 * @param replyId Instead of the newest.
 */
export async function joinAgUi(stub: SessionStub, replyId?: string): Promise<Result<JoinedAgUi>> {
  const newest = await findReply(stub, replyId);
  if (!newest.ok) return newest;
  const translator = new AgUiTranslator();
  const reply = newest.value;
  let after = replyId === undefined ? (reply?.cursor ?? 0) : 0;
  let seen: Pick<AgUiFrame, "seq" | "k"> = { seq: 0, k: 0 };
  if (!reply) return accept({ after, events: new AgUiEvents(stub, seen), prelude: "" });
  for (let next: number | null = 0; next !== null;) {
    const range = { after: next, reply_id: reply.id, limit: HISTORY_PAGE_EVENTS };
    const rows = await stub.listEvents(range);
    if (!rows.ok) return rows;
    for (const row of rows.value.data) {
      after = row.seq;
      seen = translator.push(row).at(-1) ?? seen;
    }
    next = rows.value.has_more ? rows.value.cursor : null;
  }
  if (reply.isWaiting) seen = translator.rest().at(-1) ?? seen;
  const events = new AgUiEvents(stub, seen, translator);
  return accept({ after, events, prelude: await events.join() });
}

interface FoundReply {
  readonly id: string;
  /** The position up to which it is known; before its first event when it has not begun. */
  readonly cursor: number;
  readonly isWaiting: boolean;
}

async function findReply(stub: SessionStub, replyId?: string): Promise<Result<FoundReply | null>> {
  const found =
    replyId === undefined ? await stub.listReplies({ limit: 1 }) : await stub.readReply(replyId, 0);
  if (!found.ok) return found;
  const reply = "data" in found.value ? found.value.data[0] : found.value;
  if (!reply) return accept(null);
  const isWaiting =
    reply.status === "awaiting_permission" || reply.status === "awaiting_external_result";
  return accept({ id: reply.id, cursor: reply.cursor, isWaiting });
}
