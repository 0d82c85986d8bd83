// Reasoning items of the Responses API. Nothing is stored at the provider, so an item is carried encrypted, and goes
// back unchanged: its id, its summary, and what is encrypted.
import type { ResponseReasoningItem } from "openai/resources/responses/responses";

import { fieldsIn, type JsonFields } from "../../stream/json-fields.ts";
import { asText } from "../../stream/stream-event.ts";
import { shortHash } from "../../stream/short-hash.ts";
import { openProof, sealProof } from "../../conversation/sealed-proof.ts";
import { sealUnsigned } from "../../conversation/unsigned-reasoning.ts";

/** Between the parts of a summary, in the thinking that people read. */
export const PART_SEPARATOR = "\n\n";

/** Undefined without anything encrypted, and when it is longer than the log stores. */
export function sealReasoning(by: string, item: JsonFields): string | undefined {
  const encrypted_content = asText(item["encrypted_content"]);
  if (encrypted_content === "") return undefined;
  const lengths = summaryTexts(item).map((text) => text.length);
  return sealProof(by, { id: asText(item["id"]), encrypted_content, lengths });
}

/**
 * A seal with the author of an item with its own text and without anything encrypted, as compatible servers give it.
 * @param hasText Its text was streamed.
 */
export function sealText(by: string, item: JsonFields, hasText: boolean): string | undefined {
  if (asText(item["encrypted_content"]) !== "") return undefined;
  const isText = hasText || fieldsIn(item["content"]).some(({ text }) => asText(text) !== "");
  return isText ? sealUnsigned(by, "reasoning_text") : undefined;
}

/** The item of a thought with its own text. */
export function textItem(text: string): ResponseReasoningItem {
  const content = [{ type: "reasoning_text" as const, text }];
  return { type: "reasoning", id: `rs_${shortHash(text)}`, summary: [], content };
}

/** The texts of an item's summary. */
export function summaryTexts(item: JsonFields): readonly string[] {
  return fieldsIn(item["summary"]).map(({ text }) => asText(text));
}

/**
 * The item that a thought was; null for one of another model.
 * @param words The thinking since the last proof: the parts of the summary, joined by {@link PART_SEPARATOR}.
 */
export function openReasoning(
  signature: unknown,
  words: string,
  by: string,
): ResponseReasoningItem | null {
  const proof = openProof(signature, by);
  const { id, encrypted_content, lengths } = proof ?? {};
  if (typeof id !== "string" || typeof encrypted_content !== "string") return null;
  const summary = splitWords(words, lengths).map(
    (text) => ({ type: "summary_text", text }) as const,
  );
  return { type: "reasoning", id, summary, encrypted_content };
}

/** The parts as they were; all words as one part where the lengths do not fit, as in an imported message. */
function splitWords(words: string, lengths: unknown): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const length of Array.isArray(lengths) ? lengths : []) {
    if (typeof length !== "number") return wholeOf(words);
    parts.push(words.slice(from, from + length));
    from += length + PART_SEPARATOR.length;
  }
  return parts.join(PART_SEPARATOR) === words ? parts : wholeOf(words);
}

function wholeOf(words: string): readonly string[] {
  return words === "" ? [] : [words];
}
