import type { Frame } from "./delta-form.ts";

/** The text of the frames after a cursor and up to a seq, and the seq of the last of them. @param batches In order. */
export function framesBetween(
  batches: readonly (readonly Frame[])[],
  cursor: number,
  upTo: number,
): { readonly text: string; readonly last: number } {
  let text = "";
  let last = cursor;
  for (const batch of batches) {
    if ((batch.at(-1)?.seq ?? 0) <= cursor) continue;
    for (const frame of batch) {
      if (frame.seq <= cursor || frame.seq > upTo) continue;
      text += frame.text;
      last = frame.seq;
    }
  }
  return { text, last };
}
