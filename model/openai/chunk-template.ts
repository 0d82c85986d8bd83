// Fast path of the stream parser. The events of a stream usually differ in one string only, the token. Once such a
// template is known, tokens are cut out of the event text, which costs a fraction of parsing it.
import { isErrorEvent } from "../stream/error-event.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { asFields, parseStreamEvent } from "../stream/stream-event.ts";
import { deltaOf, mainChoice, readUsage, readWords } from "./openai-event.ts";

/** The content of an event that contains one token and nothing else. */
export type PlainChunk = { readonly text: string } | { readonly thinking: string };

/** Text without JSON escapes; an event with any other token must be parsed. */
const IS_VERBATIM = /^[^"\\\p{Cc}]+$/u;
/** Replaces the token while an event is tested as a template. */
const PROBE = "<template probe>";
/** Consecutive events that failed as templates, after which the stream is always parsed. */
const MAX_MISSES = 8;
/** Delta members that some endpoints send empty with every token. */
const MORE_THAN_WORDS = ["tool_calls", "reasoning_details", "thinking_blocks", "images"];

/** The template of one stream. */
export class ChunkTemplate {
  #before = "";
  #after = "";
  #isThinking = false;
  #misses = 0;

  /** The same result as parsing; null when the event must be parsed. */
  read(data: string): PlainChunk | null {
    const from = this.#before.length;
    const to = data.length - this.#after.length;
    if (from === 0 || to <= from) return null;
    if (data.slice(0, from) !== this.#before || data.slice(to) !== this.#after) return null;
    const token = data.slice(from, to);
    if (!IS_VERBATIM.test(token)) return null;
    this.#misses = 0;
    return this.#isThinking ? { thinking: token } : { text: token };
  }

  /**
   * Tries an event as the template for the following ones, if it contains only a token. To make sure that the right
   * string is cut out, and not another one with the same letters, the event is parsed again with a probe in its place,
   * and must yield the probe.
   */
  learn(data: string, event: JsonFields): void {
    if (this.#misses >= MAX_MISSES) return;
    const plain = readPlain(event);
    if (!plain) return;
    this.#misses += 1;
    // An event that contains the probe itself cannot be tested with it.
    if (data.includes(PROBE)) return;
    const string = JSON.stringify(tokenOf(plain));
    const at = data.lastIndexOf(string);
    if (at < 0) return;
    const before = data.slice(0, at + 1);
    const after = data.slice(at + string.length - 1);
    const tried = readPlain(parseStreamEvent(before + PROBE + after) ?? {});
    if (!tried || tokenOf(tried) !== PROBE) return;
    this.#before = before;
    this.#after = after;
    this.#isThinking = "thinking" in tried;
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !asFields(value);
}

function tokenOf(plain: PlainChunk): string {
  return "text" in plain ? plain.text : plain.thinking;
}

/** Null unless the event contains exactly one token. */
function readPlain(event: JsonFields): PlainChunk | null {
  const choice = mainChoice(event);
  const delta = deltaOf(choice);
  if (isErrorEvent(event) || choice["error"] || choice["finish_reason"]) return null;
  if (delta["audio"] || delta["function_call"] || readUsage(event, choice)) return null;
  if (MORE_THAN_WORDS.some((field) => !isEmpty(delta[field]))) return null;
  const { thinking, text } = readWords(delta);
  if (thinking !== "" && text !== "") return null;
  if (text !== "") return { text };
  return thinking === "" ? null : { thinking };
}
