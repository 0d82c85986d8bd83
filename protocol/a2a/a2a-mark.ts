// The mark of an A2A task in the event log: the metadata of the reply's `REPLY_START`. No zod here.

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

/**
 * Metadata key of a `REPLY_START` that the end of a background call has begun: the depth of the reply with the call.
 * Written by the platform only.
 */
const A2A_DEPTH = "a2a_depth";

export function a2aDepthMetadata(depth: number): Readonly<Record<string, unknown>> {
  return { [A2A_DEPTH]: depth };
}

/** The depth that a `REPLY_START` says; null for none. */
export function a2aDepthOf(start: Parameters<typeof a2aMarkOf>[0]): number | null {
  const depth = a2aMarkOf(start)?.depth ?? start.metadata?.[A2A_DEPTH];
  return typeof depth === "number" ? depth : null;
}

/** The mark of a `REPLY_START`; null for a reply that no client of A2A has begun. */
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
