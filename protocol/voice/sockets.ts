// WebSockets of the API: names of their subprotocols, and the codes with which they are closed. No zod: clients use it.
import type { ErrorCode } from "../errors.ts";

/** The subprotocol of a voice connection. */
export const REALTIME_PROTOCOL = "reprise.realtime.v1";
/** The subprotocol of readers of events. */
export const EVENTS_PROTOCOL = "reprise.events.v1";
/** The subprotocol with which a browser, which sends no headers, shows its stream ticket; it is never answered. */
export const TICKET_PROTOCOL_PREFIX = "reprise.ticket.";

/** The text with which a client asks whether the connection is there, and its answer, which wakes no object. */
export const PING_TEXT = "ping";
export const PONG_TEXT = "pong";

/** The close of a socket whose object starts anew: the client connects again at once. */
const RESTART_CLOSE_CODE = 1012;
/** The close of a reader whose stream has ended. */
export const END_CLOSE_CODE = 1000;
/** The close for all errors without one of their own. */
const FAILED_CLOSE_CODE = 1011;

/** The codes with which we close a socket; the reason is the code of the error. */
const CLOSE_CODES: Partial<Record<ErrorCode, number>> = {
  malformed_json: 1007,
  validation_failed: 1007,
  input_too_deep: 1007,
  invalid_cursor: 1007,
  cursor_ahead: 1007,
  audio_format_unsupported: 1007,
  unauthenticated: 4401,
  tenant_suspended: 4403,
  insufficient_scope: 4403,
  verb_missing: 4403,
  origin_forbidden: 4403,
  not_found: 4404,
  connection_expired: 4408,
  voice_connected: 4409,
  voice_off: 4409,
  session_in_room: 4409,
  body_too_large: 4413,
  too_much_audio: 4413,
  quota_exceeded: 4429,
  rate_limited: 4429,
  too_many_subscribers: 4429,
  reader_too_slow: 4429,
  unavailable: RESTART_CLOSE_CODE,
};

export function closeCodeOf(code: ErrorCode): number {
  return CLOSE_CODES[code] ?? FAILED_CLOSE_CODE;
}
