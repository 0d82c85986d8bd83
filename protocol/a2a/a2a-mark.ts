// The mark of an A2A task in the event log: the metadata of the reply's `REPLY_START`, which its message has too. No zod here.

/** Metadata key of a `REPLY_START`. Written by the platform only. */
const A2A_TASK = "a2a_task";

/** The client's names of what has begun a reply. */
export interface A2aMark {
  /** The session's id, or the client's own name of it. */
  readonly context_id: string;
  /** The message that has begun it. */
  readonly message_id: string;
  /** Agents of this deployment that have called each other by A2A before it, in number; left out for none. */
  readonly depth?: number;
}

export function a2aMetadata(mark: A2aMark): Readonly<Record<string, unknown>> {
  return { [A2A_TASK]: mark };
}

/** The mark of a `REPLY_START`, or of its reply's message; null for a reply that no client of A2A has begun. */
export function a2aMarkOf({
  metadata,
}: {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}): A2aMark | null {
  const mark = metadata?.[A2A_TASK];
  if (typeof mark !== "object" || mark === null) return null;
  const { context_id, message_id, depth } = mark as Partial<A2aMark>;
  if (typeof context_id !== "string" || typeof message_id !== "string") return null;
  return { context_id, message_id, ...(typeof depth === "number" && { depth }) };
}
