// The module that answers calls, a chunk of its own for bundlers: `loadAnswering` in events/load-parts.ts is the only
// place that imports its values.
import type { EventReceipt } from "../../protocol/events/contract.ts";
import { answerEach, type AnswerOf } from "./answer-each.ts";
import {
  confirmEvent,
  toolResultEvent,
  type ConfirmAnswer,
  type ToolOutput,
} from "./answer-event.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { findCalls, type CallsToAnswer } from "./find-calls.ts";
import { postEvent } from "./post-event.ts";
import type { Transport } from "../transport/transport.ts";

export { CallAnswerer } from "./call-answerer.ts";

/** {@link SessionHandle.confirm} of this session. */
export async function confirmCalls(
  transport: Transport,
  sessionId: string,
  calls: CallsToAnswer,
  answer: AnswerOf<ConfirmAnswer>,
  options?: RequestOptions,
): Promise<EventReceipt> {
  const found = await findCalls(transport, sessionId, calls, options);
  const answers = await answerEach(found.calls, "permission", answer);
  return postEvent(transport, sessionId, confirmEvent(found.replyId, answers), options);
}

/** {@link SessionHandle.submitToolResults} of this session. */
export async function submitResults(
  transport: Transport,
  sessionId: string,
  calls: CallsToAnswer,
  result: AnswerOf<ToolOutput>,
  options?: RequestOptions,
): Promise<EventReceipt> {
  const found = await findCalls(transport, sessionId, calls, options);
  const results = await answerEach(found.calls, "external_result", result);
  return postEvent(transport, sessionId, toolResultEvent(found.replyId, results), options);
}
