// The events of a stream are alike but for one string, the token. Once that is known of a stream, a token is cut out
// of its event, which costs a fraction of parsing it.
import type { JsonFields } from "./json-fields.ts";
import { asList, deltaOf, mainChoice, parseEvent, readWords } from "./openai-event.ts";

/** What an event brings that brings a token and nothing else. */
export type PlainChunk = { readonly text: string } | { readonly thinking: string };

/** What can stand in a JSON string as it is; an event with anything else has to be parsed. */
const IS_VERBATIM = /^[^"\\\p{Cc}]+$/u;
/** Stands for the token while an event is tried as a template. */
const PROBE = "a token of nobody's";
/** Events in a row that did not serve as templates. Such a stream changes more than its token, and is parsed. */
const MAX_MISSES = 8;
/** Fields of a delta that some endpoints send empty with every token. */
const MORE_THAN_WORDS = ["tool_calls", "reasoning_details", "thinking_blocks"];

/** Lives as long as the stream. */
export class ChunkTemplate {
  #before = "";
  #after = "";
  #isThinking = false;
  #misses = 0;

  /** What parsing would bring; null when the event has to be parsed, to learn that. */
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
   * Takes an event as the template for those behind it, if it brings nothing but a token. The string that is cut out
   * must be the token, and not another one with the same letters: so the rest of the event is parsed with a probe in
   * its place, and must bring the probe.
   */
  learn(data: string, event: JsonFields): void {
    if (this.#misses >= MAX_MISSES) return;
    const plain = readPlain(event);
    if (!plain) return;
    this.#misses += 1;
    // Where it stands already, finding it again would prove nothing.
    if (data.includes(PROBE)) return;
    const string = JSON.stringify(tokenOf(plain));
    const at = data.lastIndexOf(string);
    if (at < 0) return;
    const before = data.slice(0, at + 1);
    const after = data.slice(at + string.length - 1);
    const tried = readPlain(parseEvent(before + PROBE + after) ?? {});
    if (!tried || tokenOf(tried) !== PROBE) return;
    this.#before = before;
    this.#after = after;
    this.#isThinking = "thinking" in tried;
  }
}

function tokenOf(plain: PlainChunk): string {
  return "text" in plain ? plain.text : plain.thinking;
}

/** Null when the event brings more than a token, or none. */
function readPlain(event: JsonFields): PlainChunk | null {
  const choice = mainChoice(event);
  const delta = deltaOf(choice);
  if (event["error"] || event["usage"] || choice["finish_reason"]) return null;
  if (MORE_THAN_WORDS.some((field) => asList(delta[field]).length > 0)) return null;
  const { thinking, text } = readWords(delta);
  if (thinking !== "" && text !== "") return null;
  if (text !== "") return { text };
  return thinking === "" ? null : { thinking };
}
