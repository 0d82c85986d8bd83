import { withoutMemories } from "../../agent/memory/without-memories.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Piece } from "../bytes/piece-reader.ts";

/** A message's JSON without the words of the store: an export names the store, and is none of it. */
export function* withoutRecalled(shown: Iterable<Piece>): Generator<Piece, void> {
  const decoder = new TextDecoder();
  let text = "";
  for (const piece of shown) {
    text += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
  }
  if (!text.includes('"memory_versions"')) return yield text;
  const message = JSON.parse(text) as Msg;
  yield JSON.stringify(withoutMemories([message], "all")[0] ?? message);
}
