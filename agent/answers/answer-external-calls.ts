// Accepts or refuses an `EXTERNAL_EXECUTION_RESULT`: results of calls that ran outside the platform. One event is
// accepted as a whole or not at all.
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import { readBase64 } from "../../protocol/read-base64.ts";
import { accept, type Refusal, type Result } from "../../protocol/errors.ts";
import type { EventDraft, EventOf } from "../../protocol/events.ts";
import { MAX_EVENT_METADATA_BYTES } from "../../protocol/confirmations/limits.ts";
import type { InputResponses } from "../../protocol/mcp/events.ts";
import { MAX_TOOL_BLOCKS } from "../../protocol/tools/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { AnswerContext, Answered } from "./answer-context.ts";
import {
  acceptedMetadata,
  checkAnswerEvent,
  findCall,
  invalid,
  refuseAnswer,
  roomForAnswer,
} from "./answer-refusal.ts";
import { outputPieces, pieceCharacters, pieceDeltas, type OutputPiece } from "./external-output.ts";
import type { AskedInput } from "../state/input-record.ts";
import { inputAnswered } from "../inputs/input-answered.ts";
import { readInputAnswer } from "../inputs/read-input-answer.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";
import { isSameJson } from "../json/is-same-json.ts";

interface Received {
  readonly result: ToolResultBlock;
  readonly pieces: readonly OutputPiece[];
  /** Answers to what the call asked for, which do not end it; null for a result. */
  readonly responses: InputResponses | null;
}

/**
 * Refusals have the extensions of `answerConfirmations`, and `same_answer` where the call has a result. `answers` stays
 * empty: the result itself is the record.
 */
export function answerExternalCalls(
  state: ReplyState,
  event: EventOf<"EXTERNAL_EXECUTION_RESULT">,
  context: Pick<AnswerContext, "rights" | "decided_by">,
): Result<Answered> {
  const { execution_results, metadata } = event;
  const list = "#/execution_results";
  const ids = execution_results.map(({ id }) => id);
  const valid = checkAnswerEvent(ids, metadata, list);
  if (!valid.ok) return valid;

  const received: Received[] = [];
  let room = roomForAnswer(state);
  for (const [index, result] of execution_results.entries()) {
    const pointer = `${list}/${index}`;
    const call = findCall(state, event.reply_id, result.id, context.rights);
    const waiting = checkWaiting(state, call, result, pointer);
    if (!waiting.ok) return waiting;
    const usable = checkResult(result, pointer);
    if (!usable.ok) return usable;
    const asked = state.inputs.get(result.id);
    // A call that was answered before and waits for a sign-in now takes a result.
    if (asked?.responses === null) {
      if (asked.elicitation.confirms && context.rights.may_confirm === false) {
        return refuseUnconfirmed(context.decided_by, { pointer, tool_call_id: result.id });
      }
      const read = readInputAnswer(result, asked.elicitation);
      if (!read.ok) return invalid(`${pointer}/output`, read.detail);
      received.push({ result, pieces: [], responses: read.responses });
      continue;
    }
    const pieces = outputPieces(result.output);
    room -= pieces.reduce((sum, piece) => sum + pieceCharacters(piece), 0);
    if (room < 0) {
      const detail = "The reply has no room for an output of this size; a short one still fits.";
      const at = { pointer: `${pointer}/output`, tool_call_id: result.id };
      return refuseAnswer("body_too_large", detail, at);
    }
    received.push({ result, pieces, responses: null });
  }
  const accepted: EventDraft = {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: event.reply_id,
    execution_results,
    metadata: acceptedMetadata(metadata, context.decided_by),
  };
  const events = [accepted, ...received.flatMap((each) => effectsOf(state, each))];
  return accept({ applied: true, events, rules: [], answers: new Map() });
}

/** An agent that may not make its call without a person is not told yes by one who may only give results. */
function refuseUnconfirmed(
  { kind }: AnswerContext["decided_by"],
  at: { readonly pointer: string; readonly tool_call_id: string },
): { ok: false; refusal: Refusal } {
  // The address is for results, and knows of no confirmation.
  if (kind === "callback") return refuseAnswer("call_not_pending", "No such call waits.", at);
  const isHandedOut = kind === "client_token" || kind === "end_user";
  const detail = `The agent asks whether it may make a call, which ${isHandedOut ? "the verb confirm" : "the scope confirmations:write"} answers.`;
  return refuseAnswer(isHandedOut ? "verb_missing" : "insufficient_scope", detail, at);
}

function checkWaiting(
  state: ReplyState,
  call: ToolCallBlock | null,
  result: ToolResultBlock,
  pointer: string,
): Result<null> {
  const at = { pointer, tool_call_id: result.id };
  if (call?.state !== "submitted") {
    const standing = call?.state ?? null;
    const { message } = state;
    const before = call && message.content.find((block) => isEndedResult(block, result.id));
    const asked = call && state.inputs.get(call.id);
    const same_answer = asked
      ? isSameInput(result, asked)
      : before && isSameResult(before as ToolResultBlock, result);
    const detail = standing
      ? `The call is ${standing}: it waits for no result.`
      : "No such call waits.";
    const more = typeof same_answer === "boolean" ? { same_answer } : {};
    return refuseAnswer("call_not_pending", detail, { ...at, state: standing, ...more });
  }
  if (result.name === call.name) return accept(null);
  const detail = `The call is one of ${call.name}; a result cannot make it one of another tool.`;
  return refuseAnswer("tool_name_changed", detail, { ...at, pointer: `${pointer}/name` });
}

/** Whether a call that continues was given this. */
function isSameInput(result: ToolResultBlock, { elicitation, responses }: AskedInput): boolean {
  const read = readInputAnswer(result, elicitation);
  return read.ok && isSameJson(read.responses, responses);
}

function isEndedResult(block: { type: string; id: string }, id: string): boolean {
  return block.type === "tool_result" && block.id === id;
}

/** The ids of data blocks are not compared: a client that names none gets new ones each time. */
function isSameResult(before: ToolResultBlock, after: ToolResultBlock): boolean {
  return before.state === after.state && isSameJson(essence(before), essence(after));
}

function essence({ output }: ToolResultBlock): unknown {
  return outputPieces(output).map((piece) => ({ ...piece, block_id: null }));
}

/** Checks that the log and the fold can hold the result. */
function checkResult({ state, output, metadata }: ToolResultBlock, pointer: string): Result<null> {
  if (state !== "success" && state !== "error") {
    return invalid(`${pointer}/state`, "A result is a success or an error.");
  }
  if (utf8Bytes(JSON.stringify(metadata)) > MAX_EVENT_METADATA_BYTES) {
    const detail = `The metadata has more than ${MAX_EVENT_METADATA_BYTES} bytes.`;
    return invalid(`${pointer}/metadata`, detail);
  }
  if (typeof output === "string") return accept(null);
  if (output.length > MAX_TOOL_BLOCKS) {
    return invalid(`${pointer}/output`, `An output has at most ${MAX_TOOL_BLOCKS} blocks.`);
  }
  const ids = new Set<string>();
  for (const [index, block] of output.entries()) {
    if (block.type !== "data") continue;
    const at = `${pointer}/output/${index}`;
    if (ids.has(block.id)) return invalid(`${at}/id`, "Two blocks of the output have this id.");
    ids.add(block.id);
    if (block.source.type === "base64" && readBase64(block.source.data) === null) {
      return invalid(`${at}/source/data`, "The data is not base64.");
    }
  }
  return accept(null);
}

function effectsOf(
  state: ReplyState,
  { result, pieces, responses }: Received,
): readonly EventDraft[] {
  if (responses) return [inputAnswered(state, result.id, responses)];
  const target = { reply_id: state.message.id, tool_call_id: result.id };
  return [
    ...pieces.flatMap((piece) => pieceDeltas(piece, target)),
    {
      type: "TOOL_RESULT_END",
      ...target,
      state: result.state,
      metadata: resultMetadata(state, result.id, result.metadata),
    },
  ];
}
