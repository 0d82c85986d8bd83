// Messages and calls that are too large for an answer: what is shown in their place. No zod at run time: the SDK reads
// it too.
import type { Msg } from "./messages.ts";

/** Stands where something was left out: how much, as JSON. */
export interface Omitted {
  /** Of a message that is being made, about. */
  readonly bytes: number;
}

/** The message without its content, and with a mark of that in its metadata. It is as valid as the whole one. */
export function omitContent(message: Msg, bytes: number): Msg {
  const metadata = { ...message.metadata, omitted: { bytes } satisfies Omitted };
  return { ...message, content: [], metadata, structured_output: null };
}

/** What was left out of a message because it is too large for a list or a reply; null when it is whole. */
export function omittedOf({
  content,
  metadata,
}: Pick<Msg, "content" | "metadata">): Omitted | null {
  const { omitted } = metadata as { readonly omitted?: Partial<Omitted> | null };
  return content.length === 0 && typeof omitted?.bytes === "number"
    ? { bytes: omitted.bytes }
    : null;
}
