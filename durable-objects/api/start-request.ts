// The internal request that begins a reply and is answered with its stream: one call of the object, where an act and a
// request for the stream are two, and the reader gets the first event one round trip later.
import type { Once } from "./session-api.ts";

export const START_URL = "https://session/start";

/**
 * On the answer: `refused`, whose body is the act's refusal as {@link Once}, or a {@link StreamedStart} as JSON, whose
 * body is the stream or the refusal of that. An object of the version before sends none, and has begun nothing.
 */
export const STARTED_HEADER = "x-reprise-started";
export const REFUSED_START = "refused";

/** The part of a started reply that the Worker has to know; the reply's text is in the stream alone. */
export interface StreamedStart {
  readonly reply_id: string;
  readonly is_replayed?: true;
}

export type RefusedStart = Extract<Once<never>, { readonly ok: false }>;
