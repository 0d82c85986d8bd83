// The table of error codes. No zod at run time: the SDK uses this file.
import type { FieldError } from "./field-error.ts";

/** Machine code → HTTP status and the short title of the problem type. */
export const ERRORS = {
  malformed_json: { status: 400, title: "The body is not JSON" },
  validation_failed: { status: 400, title: "The request does not fit its schema" },
  input_too_deep: { status: 400, title: "The body is nested too deeply" },
  invalid_cursor: { status: 400, title: "The cursor is no stream position" },
  cursor_ahead: { status: 400, title: "The cursor lies beyond the end of the log" },
  tool_name_changed: { status: 400, title: "A confirmation cannot change the tool" },
  edited_input_invalid: { status: 400, title: "The edited input does not fit the tool" },
  audio_format_unsupported: { status: 400, title: "Audio has no such format here" },
  input_hash_missing: { status: 400, title: "The hash of the input has to come back" },
  unauthenticated: { status: 401, title: "The credential is missing or not valid" },
  signature_invalid: { status: 401, title: "The signature does not fit" },
  tenant_suspended: { status: 403, title: "The tenant is suspended" },
  insufficient_scope: { status: 403, title: "The credential lacks a scope" },
  verb_missing: { status: 403, title: "The credential lacks a verb" },
  origin_forbidden: { status: 403, title: "The client token is not for this origin" },
  denied_by_rule: { status: 403, title: "A deny rule forbids this call" },
  rule_not_suggested: { status: 403, title: "The rule was not suggested" },
  hook_blocked: { status: 403, title: "A hook has refused the messages" },
  rules_forbidden: { status: 403, title: "The credential may not write permission rules" },
  not_found: { status: 404, title: "There is no such resource" },
  method_not_allowed: { status: 405, title: "The resource does not take this method" },
  connection_expired: { status: 408, title: "The time of the connection is over" },
  reply_running: { status: 409, title: "A reply is running" },
  reply_awaiting: { status: 409, title: "A reply waits for answers" },
  memory_store_full: { status: 409, title: "The memory store is full" },
  search_off: { status: 409, title: "The search over sessions is off" },
  replay_running: { status: 409, title: "A replay of this tenant is running" },
  session_in_room: { status: 409, title: "The session is a participant of a room" },
  room_busy: { status: 409, title: "Something runs or waits in the room" },
  room_not_copied: { status: 409, title: "A room is neither forked nor replayed" },
  participants_mismatch: { status: 409, title: "The state has not the participants of the room" },
  queue_full: { status: 409, title: "Too many replies wait for their turn" },
  call_not_pending: { status: 409, title: "The call does not wait for this answer" },
  confirmation_used: { status: 409, title: "The confirmation was answered already" },
  input_hash_mismatch: { status: 409, title: "The input is not the one that was asked about" },
  trigger_paused: { status: 409, title: "The trigger is paused" },
  webhook_replayed: { status: 409, title: "The webhook was received before" },
  message_conflict: { status: 409, title: "The message id was used for other content" },
  idempotency_in_flight: { status: 409, title: "The request with this key is under way" },
  answer_not_kept: { status: 409, title: "The request was carried out; its answer was not kept" },
  state_conflict: { status: 409, title: "The state is not as the patch takes it for" },
  conflict: { status: 409, title: "The resource is in another state" },
  message_too_large: { status: 409, title: "A message is too large to be copied" },
  agent_mismatch: { status: 409, title: "The thread is another agent's" },
  interrupts_open: { status: 409, title: "Open interrupts have to be answered, all of them" },
  interrupt_unknown: { status: 409, title: "There is no such interrupt" },
  run_empty: { status: 409, title: "The run brings nothing new" },
  session_unreadable: { status: 409, title: "What is stored of the session cannot be read" },
  floor_taken: { status: 409, title: "Somebody else speaks" },
  voice_off: { status: 409, title: "The agent has no voice" },
  voice_connected: { status: 409, title: "The session has a voice connection" },
  text_turn_unsupported: { status: 409, title: "The voice takes no typed text" },
  version_mismatch: { status: 412, title: "The resource is at another version" },
  body_too_large: { status: 413, title: "The body is too large" },
  too_much_audio: { status: 413, title: "Audio came faster than it is spoken" },
  unsupported_media_type: { status: 415, title: "The body must be application/json" },
  range_invalid: { status: 416, title: "The file has no such range" },
  resume_invalid: { status: 422, title: "The answer does not fit the interrupt" },
  state_invalid: { status: 422, title: "The state would not be an allowed one" },
  idempotency_key_reused: { status: 422, title: "The key was used for another request" },
  upgrade_required: { status: 426, title: "The resource is a WebSocket" },
  quota_exceeded: { status: 429, title: "A quota of the tenant is used up" },
  rate_limited: { status: 429, title: "Too many requests" },
  too_many_subscribers: { status: 429, title: "The session has too many open streams" },
  reader_too_slow: { status: 429, title: "The client does not read what it is sent" },
  internal: { status: 500, title: "Something failed on our side" },
  hook_failed: { status: 502, title: "A hook gave no valid answer" },
  mcp_failed: { status: 502, title: "The MCP server did not do what was asked" },
  compression_failed: { status: 502, title: "The context could not be summarised" },
  speech_not_transcribed: { status: 502, title: "What was said could not be written down" },
  voice_failed: { status: 502, title: "The model that hears or speaks has failed" },
  unavailable: { status: 503, title: "A part of the platform is not available" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** An expected failure that becomes a problem response: plain data, so that it crosses RPC. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Additional members of the problem, specific to the code, such as `pending`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The return type of functions that can fail in expected ways. */
export type Result<Value> = { ok: true; value: Value } | { ok: false; refusal: Refusal };

export function accept<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function refuse(
  code: ErrorCode,
  detail: string,
  more: Pick<Refusal, "errors" | "extensions"> = {},
): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { code, detail, ...more } };
}
