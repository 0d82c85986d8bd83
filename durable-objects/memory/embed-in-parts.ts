// Embeds texts of which an endpoint may refuse some, or so many at once: DashScope takes 10, and one text that is too long for
// the model, or that a filter refuses, must not keep the others from being embedded.
import { SURELY_EMBEDDED_CHARACTERS } from "../../protocol/memory/limits.ts";
import type { Embedded } from "./embed-texts.ts";

type Ask = (texts: readonly string[]) => Promise<Embedded>;

/** A text that every endpoint embeds: one that refuses it refuses everything. */
const PLAIN_TEXT = "memory";

/**
 * Vectors of all texts, null for one that is refused by itself. Contract: never rejects; fails when the endpoint fails, or
 * refuses a plain text too.
 */
export async function embedInParts(ask: Ask, texts: readonly string[]): Promise<Embedded> {
  const embedded = await ask(texts);
  if (embedded.ok || !embedded.isOfTexts) return embedded;
  const plain = await ask([PLAIN_TEXT]);
  if (!plain.ok) return plain;
  return divide(ask, texts);
}

/** @param texts Refused as they are. */
async function divide(ask: Ask, texts: readonly string[]): Promise<Embedded> {
  const [only = "", ...more] = texts;
  if (more.length === 0) {
    const begun = await ask([only.slice(0, SURELY_EMBEDDED_CHARACTERS).toWellFormed()]);
    return begun.ok || !begun.isOfTexts ? begun : { ok: true, vectors: [null] };
  }
  const middle = Math.ceil(texts.length / 2);
  const vectors: (Int8Array | null)[] = [];
  for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
    const embedded = await ask(half);
    const divided = embedded.ok || !embedded.isOfTexts ? embedded : await divide(ask, half);
    if (!divided.ok) return divided;
    vectors.push(...divided.vectors);
  }
  return { ok: true, vectors };
}
