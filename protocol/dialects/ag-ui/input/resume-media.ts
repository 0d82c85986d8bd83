// Data blocks in the answers of a run: an entry's payload may be the result of a call, with pictures or files in it.
import * as z from "zod";

import { MediaAddressSchema, TextOrMediaBlockSchema } from "../../../files/media-blocks.ts";
import type { ResumeEntry } from "./run-input.ts";

/** The part of an entry that may have data blocks; without a payload when there is none. */
export interface ResumeMedia {
  readonly payload?: { readonly output: unknown };
}

const OutputSchema = z.object({ output: z.array(TextOrMediaBlockSchema) });

/**
 * For each entry. A payload of another form is a confirmation, or is kept as text. Addresses are normalised, as they will
 * be when the payload becomes a result: what is checked has to be what is stored.
 */
export function resumeMedia(resume: readonly ResumeEntry[]): readonly ResumeMedia[] {
  return resume.map(({ payload }) =>
    isOutput(payload) ? { payload: { output: payload.output.map(withAddress) } } : {},
  );
}

/** The entries with these outputs in the place of their own. */
export function withResumeMedia(
  resume: readonly ResumeEntry[],
  media: readonly ResumeMedia[],
): readonly ResumeEntry[] {
  return resume.map((entry, index) => {
    const changed = media[index]?.payload;
    return changed && isOutput(entry.payload)
      ? { ...entry, payload: { ...entry.payload, output: changed.output } }
      : entry;
  });
}

type OutputBlock = z.input<typeof TextOrMediaBlockSchema>;

/** The schema has accepted the address. */
function withAddress(block: OutputBlock): OutputBlock {
  if (block.type !== "data" || block.source.type !== "url") return block;
  return { ...block, source: { ...block.source, url: MediaAddressSchema.parse(block.source.url) } };
}

function isOutput(payload: unknown): payload is { readonly output: readonly OutputBlock[] } {
  return OutputSchema.safeParse(payload).success;
}
