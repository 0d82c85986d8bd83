// Half a pair of surrogates is no letter, and strict servers refuse JSON that has one, as a tool gives it that cuts texts by
// their UTF-16 length. What is sent has U+FFFD in its place; what is stored stays as it came.
import type { OutgoingFetch } from "./outgoing.ts";

/** A backslash that is escaped, a pair in escapes, or half of one. */
const ESCAPES =
  /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2}))/g;
/** With which each of them begins. */
const MARKS = ["\\ud", "\\uD"] as const;

/** JSON text whose escapes are whole letters. One search for the text when they are, as almost always. */
export function wholeLetters(json: string): string {
  if (!MARKS.some((mark) => json.includes(mark))) return json;
  return json.replaceAll(ESCAPES, (escape: string, half: string | undefined) =>
    half === undefined ? escape : "\ufffd",
  );
}

/** As `JSON.stringify`, which writes half a pair as an escape. */
export function wholeJson(value: unknown): string {
  return wholeLetters(JSON.stringify(value));
}

/** A `fetch` for requests whose bodies are JSON. */
export function withWholeLetters(send: OutgoingFetch): OutgoingFetch {
  return (input, init) =>
    send(input, typeof init?.body === "string" ? { ...init, body: wholeLetters(init.body) } : init);
}
