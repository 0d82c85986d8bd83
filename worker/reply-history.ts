import type { LoggedEvent } from "../protocol/events.ts";
import {
  HISTORY_PAGE_EVENTS,
  HISTORY_RETRY_MS,
  HISTORY_WAIT_MS,
} from "../protocol/limits-streams.ts";
import { unwrap } from "./http-error.ts";
import type { SessionStub } from "./session-stub.ts";

/**
 * The events of a reply that stand before one of its events, oldest first.
 *
 * Deltas run ahead of the disk, and only what is on disk is listed: so it goes on until the event itself is listed.
 * @throws Error when that does not happen in time; the reader then reconnects.
 */
export async function* replyHistory(
  stub: SessionStub,
  reply_id: string,
  event: LoggedEvent,
): AsyncGenerator<LoggedEvent, void> {
  const deadlineMs = Date.now() + HISTORY_WAIT_MS;
  for (let after = 0; ;) {
    const answer = await stub.listEvents({ after, reply_id, limit: HISTORY_PAGE_EVENTS });
    // Events may name a reply of which there is nothing to tell.
    if (!answer.ok && answer.refusal.code === "not_found") return;
    const page = unwrap(answer);
    for (const row of page.data) {
      if (row.seq >= event.seq) return;
      yield row;
    }
    // What names a reply after its end is not among its events.
    if (page.data.at(-1)?.type === "REPLY_END") return;
    after = page.cursor;
    if (page.has_more) continue;
    if (Date.now() >= deadlineMs) throw new Error(`event ${event.seq} does not reach the disk`);
    await new Promise((resolve) => setTimeout(resolve, HISTORY_RETRY_MS));
  }
}
