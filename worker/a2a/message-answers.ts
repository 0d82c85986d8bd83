// Answers in a message, as the events that calls wait for. Each kind is one act on the session: all of them or none.
import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import { type WaitingCall, waitingCalls } from "../../protocol/agent-mcp/waiting-calls.ts";
import {
  extensionField,
  extensionParts,
  ReceivedAnswersSchema,
  type ReceivedAnswer,
} from "../../protocol/a2a/read-message.ts";
import type { ReceivedMessage } from "../../protocol/a2a/read-requests.ts";
import { PostedEventSchema } from "../../protocol/events/contract.ts";
import type { ShownElicitation } from "../../protocol/mcp/elicitation.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { HttpError } from "../http-error.ts";
import { checkFields } from "../requests/check-fields.ts";
import { invalidField } from "./a2a-error.ts";

/** The answers of a message; null for a message without any. @throws for one that has something else beside them. */
export function readAnswers({ parts }: ReceivedMessage): readonly ReceivedAnswer[] | null {
  const { answers: found } = extensionParts(parts);
  if (found.length === 0) return null;
  if (found.length < parts.length) {
    throw invalidField("message.parts", "answers come in a message of their own");
  }
  return found.flatMap(({ index, value }) => {
    const read = checkFields(ReceivedAnswersSchema, value, ["message", "parts", index, "data"]);
    if (read.ok) return read.value.answers;
    const { errors } = read;
    throw new HttpError("validation_failed", `${extensionField(index)} has no answers`, { errors });
  });
}

/** The events, in the order in which they are posted. */
export function toEvents(
  reply: Reply,
  answers: readonly ReceivedAnswer[],
): readonly WrittenEvent[] {
  const waiting = new Map(
    waitingCalls(reply)
      .toReversed()
      .map((one) => [one.call.tool_call.id, one]),
  );
  const ofReply = ({ call_id }: ReceivedAnswer) => waiting.get(call_id)?.reply_id ?? reply.id;
  return [...Map.groupBy(answers, ofReply)].flatMap(([replyId, own]) =>
    eventsOf(replyId, own, waiting),
  );
}

/** Confirmations first: a result may be wanted by a call that they allow. */
function eventsOf(
  reply_id: string,
  answers: readonly ReceivedAnswer[],
  waiting: ReadonlyMap<string, WaitingCall>,
): readonly WrittenEvent[] {
  const confirmed = answers.filter((answer) => answer.kind === "confirmation");
  const given = answers.filter((answer) => answer.kind !== "confirmation");
  const hashes = confirmed.flatMap(({ call_id, input_hash }) =>
    input_hash === undefined ? [] : [[call_id, input_hash] as const],
  );
  const confirmation = {
    type: "USER_CONFIRM_RESULT",
    reply_id,
    metadata: { input_hashes: Object.fromEntries(hashes) },
    confirm_results: confirmed.map(({ call_id, confirmed: is, reason }) => ({
      confirmed: is,
      tool_call: { id: call_id },
      ...(reason !== undefined && { reason }),
    })),
  };
  const execution = {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id,
    execution_results: given.map((answer) => ({
      id: answer.call_id,
      output: outputOf(answer, waiting.get(answer.call_id)?.call.elicitation),
      state: answer.kind === "external_result" && answer.is_error === true ? "error" : "success",
    })),
  };
  return [
    ...(confirmed.length > 0 ? [asEvent(confirmation)] : []),
    ...(given.length > 0 ? [asEvent(execution)] : []),
  ];
}

function asEvent(event: object): WrittenEvent {
  const read = checkFields(PostedEventSchema, event, ["message", "parts"]);
  if (read.ok) return read.value;
  throw new HttpError("validation_failed", "the answers do not fit", { errors: read.errors });
}

/** A text as it is, anything else as JSON; an input as the session reads it. */
function outputOf(
  answer: Exclude<ReceivedAnswer, { kind: "confirmation" }>,
  elicitation: ShownElicitation | undefined,
): string {
  if (answer.kind === "external_result") {
    const { output = null } = answer;
    return typeof output === "string" ? output : JSON.stringify(output);
  }
  const { action, content } = answer;
  const keys = Object.keys(elicitation?.requests ?? {});
  if (keys.length <= 1)
    return JSON.stringify({ action, ...(content !== undefined && { content }) });
  const responses =
    action === "accept" ? content : Object.fromEntries(keys.map((key) => [key, { action }]));
  return JSON.stringify({ responses });
}
