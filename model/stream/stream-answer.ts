// One call of a model over HTTP, whatever its wire: reads the events of the answer with all bounds of time and size,
// and ends with what has failed. Retries and fallbacks are done by the loop.
import { modelError } from "../../agent/state/model-error.ts";
import type { ModelReporter } from "../../agent/failure-report.ts";
import type { ModelChunk, StopSignal } from "../../agent/ports.ts";
import {
  MAX_MODEL_ANSWER_BYTES,
  MAX_MODEL_EVENT_CHARACTERS,
  MAX_MODEL_IDLE_BYTES,
  MODEL_STALL_MS,
} from "../../protocol/models/limits.ts";
import type { LearnedForm } from "../../protocol/models/events.ts";
import type { EndpointRefusal } from "./adapted-requests.ts";
import { BodyTooBig, readEvents } from "../../outgoing/body.ts";
import { toProviderEvent, type ProviderEvent } from "./provider-event.ts";
import { isWindowFull } from "./context-too-long.ts";
import { earlyEndOf } from "./ended-early.ts";
import {
  redactCode,
  redactReport,
  TOO_LARGE,
  WINDOW_FULL,
  type ModelFailure,
} from "./model-failure.ts";
import { StallWatchdog } from "./stall-watchdog.ts";

/** Reads the events of one stream of a wire; events are given in order. */
export interface AnswerReader {
  /** True after the end marker or a failure: later events are ignored. */
  readonly isOver: boolean;
  /** The reason that the stream failed, once it has ended; null when it is complete. */
  readonly failure: ModelFailure | null;
  /** The endpoint's word about why it ended; null before there is one. */
  readonly finishReason: string | null;
  /** The events of one read. */
  read(events: readonly ProviderEvent[]): readonly ModelChunk[];
  /** The remaining chunk at the end of a complete stream; null when there is none. */
  finish(): ModelChunk | null;
}

export interface AnswerCall {
  /** The secret that is sent: no report has it. */
  readonly apiKey: string;
  /** Milliseconds without a byte, {@link MODEL_STALL_MS} when left out. */
  readonly stallMs: number | undefined;
  /** Sends the request and resolves with the response of a success. Rejects with anything else. */
  send(signal: AbortSignal): Promise<Response>;
  /** A refusal in place of an answer. @returns Whether {@link send} makes another request now. */
  refused(refusal: EndpointRefusal): boolean;
  /**
   * The answer has begun. @returns The form that was found out that the endpoint takes; null when it was the known one.
   */
  taken(): LearnedForm | null;
  /** Classifies what {@link send} has rejected with. */
  classify(error: unknown): ModelFailure;
  /** @param isEventStream Whether the response is declared an event stream. */
  createReader(isEventStream: boolean): AnswerReader;
}

const READ_OPTIONS = { maxEventCharacters: MAX_MODEL_EVENT_CHARACTERS, readsBareJson: true };

/** As `Model.stream`. */
export async function* streamAnswer(
  call: AnswerCall,
  stop: StopSignal,
  report?: ModelReporter,
): AsyncGenerator<ModelChunk, void> {
  if (stop.aborted) return;
  const watchdog = new StallWatchdog(stop, call.stallMs ?? MODEL_STALL_MS);
  let failure: ModelFailure | null = null;
  let reader: AnswerReader | null = null;
  let isTaken = false;
  try {
    do {
      reader = null;
      watchdog.pause();
      const response = await call.send(watchdog.signal);
      watchdog.start();
      reader = call.createReader(isEventStream(response));
      let bytes = 0;
      let idleBytes = 0;
      let hasAnswered = false;
      const onPiece = (pieceBytes: number): void => {
        watchdog.heard();
        bytes += pieceBytes;
        idleBytes += pieceBytes;
        if (idleBytes > MAX_MODEL_IDLE_BYTES) throw new BodyTooBig();
      };
      const reads = readEvents(response, { ...READ_OPTIONS, onPiece }, toProviderEvent);
      // Inlined instead of a generator of its own, which would cost each token about as much as its parsing.
      for await (const events of reads) {
        watchdog.attend();
        let hasSaid = false;
        for (const chunk of reader.read(events)) {
          if (stop.aborted) return;
          hasSaid ||= hasContent(chunk);
          hasAnswered ||= isAnswer(chunk);
          if (!isTaken) {
            isTaken = true;
            yield* learnedBy(call);
          }
          yield chunk;
        }
        if (bytes > MAX_MODEL_ANSWER_BYTES) {
          // Yielded before the connection is closed, which takes time: the reply must end now.
          yield { error: modelError("output_limit") };
          return;
        }
        if (hasSaid) idleBytes = 0;
        watchdog.listen(hasSaid);
        if (reader.isOver) break;
      }
      const { finishReason } = reader;
      failure = reader.failure ?? (!hasAnswered && isWindowFull(finishReason) ? WINDOW_FULL : null);
      // Said of what was asked for in the same words as with a status, and before any of the answer.
    } while (!isTaken && !stop.aborted && isAdapted(call, failure));
    if (!isTaken && !failure && !stop.aborted) yield* learnedBy(call);
    const { finishReason } = reader;
    if (finishReason !== null) report?.({ finish_reason: redactCode(finishReason, call.apiKey) });
    const last = failure ? null : reader.finish();
    if (last && !stop.aborted) yield last;
    const ended_early = failure ? null : earlyEndOf(finishReason);
    if (ended_early !== null && !stop.aborted) yield { ended_early };
  } catch (error) {
    if (!reader) failure = call.classify(error);
    else failure = error instanceof BodyTooBig ? TOO_LARGE : reader.failure;
  } finally {
    watchdog.release();
  }
  if (!failure || stop.aborted) return;
  const { type, retryAfterMs } = failure;
  const stalled = { kind: "stalled" } as const;
  report?.({
    failure: watchdog.hasStalled ? stalled : redactReport(failure.report, call.apiKey),
  });
  yield {
    error: modelError(type),
    ...(failure.report.kind === "context_too_long" && { context_too_long: true }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  };
}

function* learnedBy(call: AnswerCall): Generator<ModelChunk, void> {
  const learned = call.taken();
  if (learned) yield { learned };
}

function isAdapted(call: AnswerCall, failure: ModelFailure | null): boolean {
  return failure?.refusal !== undefined && call.refused(failure.refusal);
}

/** Whether a chunk has content. Usage alone, or a call without new input, could be repeated without end. */
function hasContent({ text, thinking, thinking_signature, tool_calls, data }: ModelChunk): boolean {
  if (text || thinking || thinking_signature) return true;
  return (tool_calls?.some(({ delta }) => delta !== "") ?? false) || isMedia(data);
}

/** Whether a chunk has something of an answer; thinking alone is none. */
function isAnswer({ text, tool_calls, data }: ModelChunk): boolean {
  return Boolean(text) || (tool_calls?.length ?? 0) > 0 || isMedia(data);
}

function isMedia(data: ModelChunk["data"]): boolean {
  return data?.some((piece) => piece.data !== "") ?? false;
}

function isEventStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/event-stream");
}
