// Runs one model call with its retries, from `MODEL_CALL_START` to its end. It does not choose the model, decide what
// follows, or run tools.
import { USAGE_TOLD } from "../../protocol/a2a/told-usage.ts";
import type { TurnNext } from "../../protocol/agents/turn-next.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_UNSETTLED_CHARACTERS } from "../../protocol/events/limits.ts";
import type { ErrorInfo, Usage } from "../../protocol/messages/messages.ts";
import type { MediaStore } from "../media-store.ts";
import { budgetError } from "../state/budget.ts";
import { closeReply, endModelCall } from "../state/close-reply.ts";
import type { FailureReport } from "../failure-report.ts";
import type {
  Diagnostics,
  EarlyEnd,
  Model,
  ModelRequest,
  Random,
  Sleep,
  StopSignal,
} from "../ports.ts";
import { turnBlocks } from "../state/reply-state.ts";
import { turnStep } from "../state/turn-next.ts";
import { cutOffResults } from "./cut-off-calls.ts";
import { emptyAnswer, isAnswered } from "./empty-answer.ts";
import { failureKindOf } from "./failure-kind.ts";
import { decideRetry } from "./retry-policy.ts";
import { takeBack } from "../recovery/take-back.ts";
import type { HeldBlock } from "./media-writer.ts";
import { TurnWriter, type TurnTarget } from "./turn-writer.ts";

export interface ModelTurn extends TurnTarget {
  readonly session_id: string;
  readonly model: Model;
  readonly request: ModelRequest;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly stop: StopSignal;
  readonly diagnostics?: Diagnostics;
  /** A failed call is not made again: there is no time for it. */
  readonly isOnlyTry?: boolean;
  /** Without it, media of any size stays in the log. */
  readonly mediaStore?: MediaStore;
}

export type ModelTurnOutcome =
  | { readonly type: "completed" }
  /** The call is still open: the caller ends it, or the reply. */
  | {
      readonly type: "failed";
      readonly error: ErrorInfo;
      /** Calls of the model, repeated ones included. */
      readonly attempts: number;
      /** The provider refused the request because the conversation does not fit into the model's window. */
      readonly isTooLong: boolean;
    }
  | { readonly type: "stopped" }
  /** The reply's output limit is reached: its `REPLY_END` is in the log. */
  | { readonly type: "ended" };

type Attempt =
  | Exclude<ModelTurnOutcome, { type: "failed" }>
  | {
      readonly type: "failed";
      readonly error: ErrorInfo;
      readonly retryAfterMs?: number;
      readonly isTooLong?: boolean;
    };

const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/**
 * Retries a failed call as often as {@link decideRetry} says. A try without output continues the same
 * `MODEL_CALL_START`; the output of any other is taken back, and a new one follows. Usage counts only the last try, and
 * only when it ends well.
 * Contract: rejects only when the log refuses the runner. Errors of the model are outcomes.
 */
export async function runModelTurn(turn: ModelTurn): Promise<ModelTurnOutcome> {
  const { log, model, stop } = turn;
  const reply_id = log.state.message.id;
  for (;;) {
    if (!log.state.is_model_call_open) {
      log.append([{ type: "MODEL_CALL_START", reply_id, model_name: model.name }]);
    }
    const attempt = await callOnce(turn);
    if (attempt.type !== "failed") return attempt;
    const { error, retryAfterMs, isTooLong = false } = attempt;
    const attempts = log.failedTries + 1;
    if (turn.isOnlyTry) return { type: "failed", error, attempts, isTooLong };
    const retry = decideRetry(attempts, error, { retryAfterMs, random: turn.random() });
    if (!retry || isTooLong) return { type: "failed", error, attempts, isTooLong };
    const hasOutput = turnBlocks(log.state).length > 0;
    if (hasOutput) log.append(takeBack(log.state, [], { error }));
    log.noteFailedTry(retry.waitMs);
    await turn.sleep(retry.waitMs, stop);
    if (stop.aborted) return { type: "stopped" };
  }
}

async function callOnce(turn: ModelTurn): Promise<Attempt> {
  const { log, model, request, stop, diagnostics } = turn;
  const writer = new TurnWriter(turn);
  let failure: FailureReport | null = null;
  let hasOutput = false;
  let finishReason: string | null = null;
  let endedEarly: EarlyEnd | null = null;
  diagnostics?.note({ type: "model_try", model, request });
  let usage = NO_USAGE;
  let isTold = false;
  /** Of a turn that a server gives. */
  let next: TurnNext | null | undefined;
  let settledCharacters = log.state.logged_characters;
  const chunks = model.stream(request, stop, (found) => {
    if ("failure" in found) {
      failure = found.failure;
      return;
    }
    finishReason = found.finish_reason;
    diagnostics?.note({ type: "model_finish", finish_reason: found.finish_reason });
  });
  for await (const chunk of chunks) {
    if (stop.aborted) return { type: "stopped" };
    const isSpent = chunk.error?.type === "output_limit";
    if (chunk.error && !isSpent) {
      noteFailure(chunk.error);
      const { error, retry_after_ms: retryAfterMs, context_too_long: isTooLong } = chunk;
      return { type: "failed", error, retryAfterMs, isTooLong };
    }
    if (!hasOutput && !chunk.error && !chunk.learned && !chunk.remote && chunk.next === undefined) {
      hasOutput = true;
      diagnostics?.note({ type: "model_output" });
    }
    if (chunk.usage) usage = chunk.usage;
    if (chunk.next !== undefined) next = chunk.next;
    isTold ||= chunk.is_usage_told === true;
    if (chunk.ended_early) endedEarly = chunk.ended_early;
    // Awaited only when there is some: most chunks are text.
    const whole = isSpent ? [] : writer.media.takeWhole(chunk);
    if (whole.length > 0 && !(await writeMedia(turn, writer, whole))) return { type: "stopped" };
    if (isSpent || !writer.write(chunk)) {
      writeRest(writer);
      // One commit with the end of the call, before any await: after a crash in between the call would be made again.
      // Its usage is unknown.
      noteFailure(budgetError("output"));
      log.append(endSpent(turn));
      return { type: "ended" };
    }
    if (
      chunk.remote ||
      log.state.logged_characters - settledCharacters > MAX_UNSETTLED_CHARACTERS
    ) {
      await log.settled();
      settledCharacters = log.state.logged_characters;
    }
  }
  const last = writer.media.takeWhole(null);
  if (stop.aborted || !(await writeMedia(turn, writer, last))) return { type: "stopped" };
  // An empty answer is a failure: the loop would call the model again at once and without end. A server says what follows.
  const said = turnBlocks(log.state);
  if ((!isAnswered(said) && next === undefined) || writer.hasNamelessCall()) {
    const isMalformed = isAnswered(said) && endedEarly === null;
    const empty = emptyAnswer(said, endedEarly);
    const code = endedEarly && finishReason !== null ? { code: finishReason } : {};
    failure = { kind: isMalformed ? "malformed_answer" : empty.kind, ...code };
    noteFailure(empty.error);
    return { type: "failed", error: empty.error };
  }
  const { signatures } = writer;
  const metadata = isTold ? { [USAGE_TOLD]: true } : undefined;
  const ending = { signatures, ...(metadata && { metadata }) };
  const ended = [
    ...writer.closingHints(),
    ...(next === undefined ? [] : [turnStep(log.state, next)]),
    ...endModelCall(log.state, usage, ending),
  ];
  log.append(endedEarly ? [...ended, ...cutOffResults(log.state, endedEarly)] : ended);
  return { type: "completed" };

  function noteFailure(error: ErrorInfo): void {
    const known = failure ?? { kind: failureKindOf(error.type) };
    diagnostics?.note({ type: "model_failed", error, failure: known });
  }
}

/** A file is stored before an event names it. @returns False when the reply was stopped meanwhile. */
async function writeMedia(
  { stop, mediaStore }: ModelTurn,
  writer: TurnWriter,
  blocks: readonly HeldBlock[],
): Promise<boolean> {
  for (const block of blocks) {
    const kept = mediaStore && writer.media.isLarge(block) ? await mediaStore.keep(block) : null;
    if (stop.aborted) return false;
    writer.writeMedia(block, kept);
  }
  return true;
}

/** Writes what is left when the reply's room is used up, at once: small media, and notes about large. */
function writeRest(writer: TurnWriter): void {
  for (const block of writer.media.takeWhole(null)) {
    const isLarge = writer.media.isLarge(block);
    writer.writeMedia(block, isLarge ? { ok: false, loss: "output_limit" } : null);
  }
}

function endSpent({ log, session_id }: ModelTurn): EventDraft[] {
  return closeReply(log.state, {
    session_id,
    finished_reason: "error",
    error: budgetError("output"),
    metadata: { budget: "output" },
  });
}
