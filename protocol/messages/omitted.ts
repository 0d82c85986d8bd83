// Placeholders for messages and calls that are too large for an answer. No zod at run time: the SDK uses this file.
import type { Msg } from "./messages.ts";

/** Marks left-out content with its size as JSON. */
export interface Omitted {
  /** Approximate for a message in progress. */
  readonly bytes: number;
}

/** The message without its content and with a mark in its metadata. It is still a valid message. */
export function omitContent(message: Msg, bytes: number): Msg {
  const metadata = { ...message.metadata, omitted: { bytes } satisfies Omitted };
  return { ...message, content: [], metadata, structured_output: null };
}

/** The mark of a message whose content was left out of a list or a reply; null when it is complete. */
export function omittedOf({
  content,
  metadata,
}: Pick<Msg, "content" | "metadata">): Omitted | null {
  const { omitted } = metadata as { readonly omitted?: Partial<Omitted> | null };
  return content.length === 0 && typeof omitted?.bytes === "number"
    ? { bytes: omitted.bytes }
    : null;
}
