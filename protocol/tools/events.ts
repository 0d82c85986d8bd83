// Reports of a tool while it works. They are no part of the call's result, and change no message.

/** The `name` of the `CUSTOM` event of a call that reports; its value is {@link ToolProgressValue}. */
export const TOOL_PROGRESS = "tool_progress";

/** The server's own words and numbers, which nobody vouches for. One member at least is not null. */
export interface ToolProgress {
  /** A line of text. */
  readonly message: string | null;
  /** The part that is done, of `total` where that is known. */
  readonly progress: number | null;
  readonly total: number | null;
}

export interface ToolProgressValue extends ToolProgress {
  readonly reply_id: string;
  readonly tool_call_id: string;
}

/**
 * The member of a `TOOL_RESULT_END`'s metadata by which a tool has asked that its reply ends behind the results of the
 * turn: true, or left out.
 */
export const STOPS_REPLY = "stops_reply";

/** Null for an event of another shape. */
export function toolProgressOf(value: Readonly<Record<string, unknown>>): ToolProgressValue | null {
  const { reply_id, tool_call_id, message, progress, total } = value;
  if (typeof reply_id !== "string" || typeof tool_call_id !== "string") return null;
  return {
    reply_id,
    tool_call_id,
    message: typeof message === "string" ? message : null,
    progress: typeof progress === "number" ? progress : null,
    total: typeof total === "number" ? total : null,
  };
}

/** Words for progress, such as `3 of 10: reading`; empty when there is nothing to say. Members that are missing count as null. */
export function describeProgress({ message, progress, total }: Partial<ToolProgress>): string {
  if (progress == null) return message ?? "";
  const count = total == null ? String(progress) : `${progress} of ${total}`;
  return message ? `${count}: ${message}` : count;
}
