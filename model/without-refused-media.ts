// A model that is asked once more when it refuses a request for its media, and is not shown again what it has refused:
// else one picture that a provider cannot read would fail every later message of its session.
import type { FailureReport, ModelReporter } from "../agent/failure-report.ts";
import type { Model, ModelChunk, ModelRequest, StopSignal } from "../agent/ports.ts";
import type { DataBlock, TextBlock } from "../protocol/messages/blocks.ts";
import { dataIn, hasData, noteInPlaceOf, replaceData } from "./conversation/data-blocks.ts";
import { referToMedia } from "./conversation/refer-to-media.ts";
import { suspectMedia } from "./conversation/suspect-media.ts";
import type { AskedModel, MediaMemory } from "./media-memory.ts";
import { saysTooLong } from "./stream/context-too-long.ts";

/**
 * A refusal before any answer is followed by one more request, with notes in the place of the media that the model has
 * never taken. What that leaves out is remembered when the request is answered; when it is not, the first refusal stands.
 */
export function withoutRefusedMedia(model: Model, memory: MediaMemory): Model {
  const asked: AskedModel = { name: model.name, host: model.origin?.host ?? null };
  return {
    ...model,
    stream: (request, stop, report) =>
      hasData(request.messages)
        ? new CarefulCall({ model, asked, memory }, request, { stop, report })
        : model.stream(request, stop, report),
  };
}

interface Ports {
  readonly model: Model;
  readonly asked: AskedModel;
  readonly memory: MediaMemory;
}

interface Listeners {
  readonly stop: StopSignal;
  readonly report: ModelReporter | undefined;
}

/** Decides at the first chunk. From then on a chunk costs one call more, and no generator. */
class CarefulCall implements AsyncIterable<ModelChunk>, AsyncIterator<ModelChunk> {
  readonly #ports: Ports;
  readonly #request: ModelRequest;
  readonly #listeners: Listeners;
  /** Of the answer, once it has begun. */
  #answer: Try | null = null;

  constructor(ports: Ports, request: ModelRequest, listeners: Listeners) {
    this.#ports = ports;
    this.#request = request;
    this.#listeners = listeners;
  }

  [Symbol.asyncIterator](): AsyncIterator<ModelChunk> {
    return this;
  }

  next(): Promise<IteratorResult<ModelChunk>> {
    return this.#answer ? this.#answer.chunks.next() : this.#begin();
  }

  async return(): Promise<IteratorResult<ModelChunk>> {
    await this.#answer?.chunks.return?.();
    return { done: true, value: undefined };
  }

  async #begin(): Promise<IteratorResult<ModelChunk>> {
    const { memory, asked } = this.#ports;
    const request = await withoutKnown(this.#request, memory.refused(asked));
    const first = this.#try(request);
    const result = await first.chunks.next();
    const suspects =
      result.done || !mayBeOfMedia(result.value, first.failure())
        ? []
        : suspectMedia(request.messages, (message) => memory.hasAnswered(asked, message));
    if (suspects.length === 0 || this.#listeners.stop.aborted) return this.#take(first, result);
    await first.chunks.return?.();
    const second = this.#try(withNotes(request, suspects));
    const answer = await second.chunks.next();
    if (answer.done && this.#listeners.stop.aborted) return this.#take(second, answer);
    if (answer.done || answer.value.error) {
      await second.chunks.return?.();
      return this.#take(first, result);
    }
    // Taken before the log is written, which may refuse it: the call is closed then.
    this.#take(second, answer);
    memory.remember(asked, [...new Set(await Promise.all(suspects.map(referToMedia)))]);
    return answer;
  }

  #try(request: ModelRequest): Try {
    const { stop, report } = this.#listeners;
    let isHeld = true;
    let failure: FailureReport | undefined;
    const chunks = this.#ports.model.stream(request, stop, (found) => {
      if (isHeld && "failure" in found) failure = found.failure;
      else report?.(found);
    });
    return {
      chunks: chunks[Symbol.asyncIterator](),
      failure: () => failure,
      release() {
        isHeld = false;
        if (failure) report?.({ failure });
      },
    };
  }

  #take(answer: Try, result: IteratorResult<ModelChunk>): IteratorResult<ModelChunk> {
    this.#answer = answer;
    answer.release();
    return result;
  }
}

/** One request. What it reports of a failure is held back until it is known to be the one that counts. */
interface Try {
  readonly chunks: AsyncIterator<ModelChunk>;
  readonly failure: () => FailureReport | undefined;
  readonly release: () => void;
}

/** Statuses of a request that cannot be answered as it is. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422]);
const CONTENT_TOO_LARGE = 413;

/** Whether a request may have been refused for its media. Of an error within a stream the status is not known. */
function mayBeOfMedia(
  { error, context_too_long }: ModelChunk,
  failure: FailureReport | undefined,
): boolean {
  if (error?.type !== "invalid_request") return false;
  const status = failure?.http_status;
  if (status !== undefined && !REFUSALS.has(status)) return false;
  if (!context_too_long) return failure?.kind === "invalid_request";
  // A body that is too large is as likely too large for a picture.
  return status === CONTENT_TOO_LARGE && !saysTooLong(failure?.message ?? "");
}

async function withoutKnown(
  request: ModelRequest,
  refused: ReadonlySet<string>,
): Promise<ModelRequest> {
  if (refused.size === 0) return request;
  const blocks = request.messages.flatMap(({ content }) => content.flatMap(dataIn));
  const references = await Promise.all(blocks.map(referToMedia));
  return withNotes(
    request,
    blocks.filter((_, index) => refused.has(references[index] ?? "")),
  );
}

function withNotes(request: ModelRequest, blocks: readonly DataBlock[]): ModelRequest {
  const notes = new Map<DataBlock, TextBlock>(
    blocks.map((block) => [block, noteInPlaceOf(block, "which the model has refused")]),
  );
  return { ...request, messages: replaceData(request.messages, notes) };
}
