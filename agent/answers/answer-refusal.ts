// Checks and refusals that confirmations and external results have in common.
import { withoutRunMark } from "../../protocol/ag-ui/ag-ui-run.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { accept, refuse, type Refusal, type Result } from "../../protocol/errors.ts";
import {
  MIN_ANSWER_CHARACTERS,
  MAX_EVENT_METADATA_BYTES,
} from "../../protocol/confirmations/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { AnswerRights, DecidedBy } from "./answer-context.ts";
import { roomForResults } from "../state/budget.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** Refuses an answer to one call; the refusal has its pointer in the event and the call's id. */
export function refuseAnswer(
  code: Refusal["code"],
  detail: string,
  { pointer, ...extensions }: { pointer: string; tool_call_id: string; [more: string]: unknown },
): { ok: false; refusal: Refusal } {
  return refuse(code, detail, { errors: [{ pointer, detail }], extensions });
}

/**
 * @param ids The calls that the event answers.
 * @param list JSON pointer of the event's answers.
 * @returns A refusal for an event that answers no call, one call twice, or has too much metadata for the log.
 */
export function checkAnswerEvent(
  ids: readonly string[],
  metadata: Readonly<Record<string, unknown>>,
  list: string,
): Result<null> {
  if (ids.length === 0) return invalid(list, "The event answers no call.");
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice !== -1) {
    return invalid(`${list}/${twice}`, "The event answers this call twice.");
  }
  if (utf8Bytes(JSON.stringify(metadata)) > MAX_EVENT_METADATA_BYTES) {
    return invalid("#/metadata", `The metadata has more than ${MAX_EVENT_METADATA_BYTES} bytes.`);
  }
  return accept(null);
}

export function invalid(pointer: string, detail: string): { ok: false; refusal: Refusal } {
  return refuse("validation_failed", detail, { errors: [{ pointer, detail }] });
}

/** The call that an answer names; null for one that the reply does not have or the credential is not limited to. */
export function findCall(
  { message }: ReplyState,
  replyId: string,
  callId: string,
  { tool_call_ids }: AnswerRights,
): ToolCallBlock | null {
  if (replyId !== message.id || (tool_call_ids && !tool_call_ids.includes(callId))) return null;
  return (
    message.content.find(
      (block): block is ToolCallBlock => block.type === "tool_call" && block.id === callId,
    ) ?? null
  );
}

/** UTF-16 units that an answer may add to the message. */
export function roomForAnswer(state: ReplyState): number {
  return Math.max(roomForResults(state), MIN_ANSWER_CHARACTERS);
}

/**
 * The metadata of an accepted event: the client's own and `decided_by`. Members that only the platform sets are
 * removed.
 */
export function acceptedMetadata(
  { settled_by_rules: _ours, ...metadata }: Readonly<Record<string, unknown>>,
  decided_by: DecidedBy,
): Record<string, unknown> {
  return { ...withoutRunMark(metadata), decided_by };
}

/** The entry of a call in one of the metadata's records, such as `input_hashes`; undefined when there is none. */
export function metadataOfCall(
  metadata: Readonly<Record<string, unknown>>,
  name: string,
  callId: string,
): unknown {
  const record = metadata[name];
  if (typeof record !== "object" || record === null || !Object.hasOwn(record, callId)) {
    return undefined;
  }
  return (record as Readonly<Record<string, unknown>>)[callId];
}
