// A session's knowledge of its models and its media, from its log: which were refused, and which were in a request that
// the model has answered.
import type { Msg } from "../protocol/messages/messages.ts";

/** A model at an endpoint. */
export interface AskedModel {
  readonly name: string;
  readonly host: string | null;
}

export interface MediaMemory {
  /** References of the media that this model has refused: those of `referToMedia`. */
  refused(model: AskedModel): ReadonlySet<string>;
  /**
   * Whether this model has answered a request in the reply of this message; null when that is not known, such as in a
   * message of a fork.
   */
  hasAnswered(model: AskedModel, message: Msg): boolean | null;
  /** From now on these are among {@link refused}. @throws when the log refuses its runner. */
  remember(model: AskedModel, media: readonly string[]): void;
}

/** One that knows nothing of a log, and forgets with the model. */
export function briefMemory(): MediaMemory {
  const refused = new Set<string>();
  return {
    refused: () => refused,
    hasAnswered: () => null,
    remember(_model, media) {
      for (const one of media) refused.add(one);
    },
  };
}
