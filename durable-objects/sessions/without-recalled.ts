import { withoutMemories } from "../../agent/memory/without-memories.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { textOf } from "../bytes/text-of.ts";

/** A message's JSON without the words of the store: an export names the store, and is none of it. */
export function* withoutRecalled(shown: Iterable<Piece>): Generator<Piece, void> {
  const text = textOf(shown);
  if (!text.includes('"memory_versions"')) return yield text;
  const message = JSON.parse(text) as Msg;
  yield JSON.stringify(withoutMemories([message], "all")[0] ?? message);
}
