// Reads events by polling pages, for runtimes that cannot read a body incrementally.
import type { Reply } from "../../protocol/replies/contract.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { ConnectOptions, EventConnection, EventRange } from "./event-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** Milliseconds between two polls of a running reply. */
const POLL_MS = 700;
/** Events of one page. */
const POLL_LIMIT = 100;

interface EventPage {
  readonly data: readonly LoggedEvent[];
  readonly has_more: boolean;
}

/** One page as a connection; null at the end. */
export async function readEventPage(
  transport: Transport,
  { of, replyId, isFollowing }: EventRange,
  { after, signal, onChunk }: ConnectOptions,
): Promise<EventConnection | null> {
  const query = { after, reply_id: replyId, limit: POLL_LIMIT };
  const read = () => transport.get<EventPage>([...of, "events"], { signal }, query);
  // The first answer of a runtime shows whether it can stream; then a page is the beginning only.
  const isPassing = transport.canStream === null;
  let page = await read();
  onChunk();
  if (page.data.length === 0 && !isFollowing) {
    const path = replyId === undefined ? of : [...of, "replies", replyId];
    const { status } = await transport.get<Pick<Session | Reply, "status">>(path, { signal });
    if (status !== "running") {
      // The reply's last events may have been written between the two requests.
      page = await read();
      if (page.data.length === 0) return null;
    }
  }
  return { batches: [page.data], nextPageMs: page.has_more || isPassing ? 0 : POLL_MS };
}
