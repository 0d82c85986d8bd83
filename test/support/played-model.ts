// A model whose calls are written down beforehand, through the same port as every other model.
import { modelError } from "../../agent/state/model-error.ts";
import type { Model, ModelChunk } from "../../agent/ports.ts";
import type { ErrorType } from "../../protocol/messages/messages.ts";

export interface PlayedModel extends Model {
  /** Calls of the model. */
  readonly calls: number;
}

/** @param calls The chunks of each call, in order; the last one again and again. */
export function playedModel(
  name: string,
  ...calls: readonly (readonly ModelChunk[])[]
): PlayedModel {
  let made = 0;
  return {
    name,
    get calls() {
      return made;
    },
    async *stream(_request, stop) {
      const chunks = calls[Math.min(made, calls.length - 1)] ?? [];
      made += 1;
      for (const chunk of chunks) {
        if (stop.aborted) return;
        yield chunk;
      }
    },
  };
}

/** The chunks of a call that fails at once. */
export function failure(type: ErrorType, retry_after_ms?: number): readonly ModelChunk[] {
  return [{ error: modelError(type), retry_after_ms }];
}
