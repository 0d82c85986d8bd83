import { LOG_FORMAT } from "../../protocol/dialects/dialects.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import type { SessionLog } from "../log/session-log.ts";
import { openEventStream } from "../streams/event-stream.ts";
import type { StreamCredential } from "../streams/stream-credentials.ts";
import type { Subscribers } from "../streams/subscribers.ts";
import { pumpFrames, type FrameSink } from "./pump-frames.ts";

interface LogFollower extends FrameSink {
  /** Events above this seq. */
  readonly after: number;
  /** Of the connection; the caller closes its socket when that ends (`Subscribers` does, by its attachment). */
  readonly credential: StreamCredential | null;
  /** Called each time when all events that may be seen were sent. */
  readonly caughtUp?: () => void;
  /** There are no more events: the session was deleted, or the credential has ended. */
  readonly ended: (code: ErrorCode | null) => void;
}

/**
 * Sends the events of a log into a socket that has other frames beside them, from a cursor on, until it is stopped: a voice
 * connection. `send` gets `{"type":"event","seq":…,"event":{…}}` as text, one call an event, live and replayed alike.
 * Before it: `subscribers.refuseMore(tokenId, 0)`, as any reader. To go on after a sleep: `after` is the last id that
 * `sent` was called with. @returns Stops it: call it when the socket has closed.
 */
export function followLog(
  { log, subscribers }: { readonly log: SessionLog; readonly subscribers: Subscribers },
  { after, credential, caughtUp, ended, ...sink }: LogFollower,
): () => void {
  const stream = openEventStream({
    log,
    subscribers,
    after,
    credential,
    prelude: [],
    translation: null,
    folded: null,
    start: () => 0,
    upTo: () => null,
    isOver: () => false,
    isFollowing: true,
    socket: { caughtUp, ended },
  });
  return pumpFrames({ stream, format: LOG_FORMAT }, sink);
}
