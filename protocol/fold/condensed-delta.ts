// Condensed deltas: after the agent's `log_retention` one event stands for deltas of a block that followed each other. Its
// metadata says so, because strict readers take any metadata and no unknown members.
import type { LoggedEvent } from "../events.ts";

/** The member of a condensed delta's metadata: `{first_seq}`, the seq of the first delta that it stands for. */
export const CONDENSED = "condensed";

/** The seq of the first event of the log that this one stands for; its own for every other event. */
export function firstSeqOf({ seq, metadata }: Pick<LoggedEvent, "seq" | "metadata">): number {
  const condensed = metadata[CONDENSED] as { readonly first_seq?: unknown } | null | undefined;
  const first = condensed?.first_seq;
  return typeof first === "number" && first > 0 && first < seq ? first : seq;
}
