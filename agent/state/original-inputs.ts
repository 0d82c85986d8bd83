import type { Msg } from "../../protocol/messages/messages.ts";

interface Originals {
  readonly message: Msg;
  /** By call id. */
  readonly original_inputs: ReadonlyMap<string, string>;
}

/** The inputs with those of calls that the event has edited: the model's own stays, however often a call is edited. */
export function rememberOriginals(
  { message: before, original_inputs }: Originals,
  after: Msg,
): ReadonlyMap<string, string> {
  const originals = new Map(original_inputs);
  before.content.forEach((block, index) => {
    if (block === after.content[index] || block.type !== "tool_call") return;
    if (!originals.has(block.id)) originals.set(block.id, block.input);
  });
  return originals;
}
