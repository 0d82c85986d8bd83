// The media that models of a session have refused: a fold of the log.
import { MEDIA_REFUSED, type MediaRefusedValue } from "../../protocol/files/events.ts";
import { MAX_REFUSED_MEDIA } from "../../protocol/models/limits.ts";
import type { AbilityFold } from "../ability.ts";

export interface RefusedMedia {
  readonly model_name: string;
  readonly endpoint: string;
  /** As {@link MediaRefusedValue} names it. */
  readonly media: string;
}

/** A fork keeps it. An import has its own files. */
export const REFUSED_MEDIA_FOLD: AbilityFold<readonly RefusedMedia[]> = {
  name: "refused_media",
  initial: [],
  reads: ["CUSTOM"],
  advance(before, event) {
    if (event.type !== "CUSTOM" || event.name !== MEDIA_REFUSED) return before;
    const { model_name, endpoint, media } = event.value as unknown as MediaRefusedValue;
    const added = media.map((one): RefusedMedia => ({ model_name, endpoint, media: one }));
    // The oldest are forgotten: they would be refused, and remembered, again.
    return [...before, ...added].slice(-MAX_REFUSED_MEDIA);
  },
  // No import: it names media of another session.
  adopt: (snapshot, agent) => (agent ? null : (snapshot as readonly RefusedMedia[])),
  restore: (_, now) => now,
};
