// The event of a call whose MCP server gave a task in place of a result.

/** A call waits for a task, or goes on with it. */
export const MCP_TASK = "mcp_task";

export type McpTaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as clients see it. Its id is not shown: at some servers it is all that its result needs. */
export interface McpTask {
  /** The server's name. */
  readonly server: string;
  /** As the server said it last. */
  readonly status: McpTaskStatus;
  /** The server's words about it, on one line; null when it has said nothing. */
  readonly message: string | null;
  /** Until when the call waits for it at most. */
  readonly expires_at: string;
}

export interface McpTaskValue extends McpTask {
  readonly reply_id: string;
  readonly tool_call_id: string;
  /** False when the call goes on: to its result, to a question or to a sign-in. */
  readonly waits: boolean;
}

/** Null for an event of another shape. */
export function mcpTaskOf(value: Readonly<Record<string, unknown>>): McpTaskValue | null {
  const { reply_id, tool_call_id, waits, server, status, message, expires_at } = value;
  return typeof reply_id === "string" &&
    typeof tool_call_id === "string" &&
    typeof waits === "boolean" &&
    typeof server === "string" &&
    typeof status === "string" &&
    (typeof message === "string" || message === null) &&
    typeof expires_at === "string"
    ? {
        reply_id,
        tool_call_id,
        waits,
        server,
        status: status as McpTaskStatus,
        message,
        expires_at,
      }
    : null;
}
