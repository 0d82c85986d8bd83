// One look at a task of an MCP server.
import { heardOf, unheardOf, type KeptTask } from "../../agent/mcp/kept-task.ts";
import { readTask } from "../../agent/mcp/read-task.ts";
import { INVALID_PARAMS } from "../../protocol/mcp/tasks.ts";
import { METHOD_NOT_FOUND } from "../../protocol/mcp/versions.ts";
import type { CallDeadline } from "./call-deadline.ts";
import type { McpLink } from "./mcp-link.ts";
import type { McpFailure } from "./mcp-outcome.ts";

type Fields = Readonly<Record<string, unknown>>;

export type TaskLook =
  | { readonly type: "heard"; readonly task: KeptTask; readonly answer: Fields }
  /** No answer that can be used; when it is not final, the next look may have one. */
  | {
      readonly type: "failed";
      readonly task: KeptTask;
      readonly failure: McpFailure;
      readonly isFinal: boolean;
    };

/** Contract: never rejects. */
export async function lookAtTask(
  link: McpLink,
  kept: KeptTask,
  deadline: CallDeadline,
): Promise<TaskLook> {
  const asked = await link.task("tasks/get", { taskId: kept.id }, deadline);
  const nowMs = Date.now();
  if (!asked.ok) {
    const { failure } = asked;
    return {
      type: "failed",
      task: unheardOf(kept, nowMs),
      failure,
      isFinal: isFinalFailure(failure),
    };
  }
  const read = readTask(asked.value);
  if (read?.id === kept.id) {
    return { type: "heard", task: heardOf(kept, read, nowMs), answer: asked.value };
  }
  const what = read ? "answered for another task" : "answered nothing about its task";
  const reason = `The MCP server ${kept.server} ${what}.`;
  const failure = { kind: "malformed_answer", reason } as const;
  return { type: "failed", task: unheardOf(kept, nowMs), failure, isFinal: true };
}

/** Whether to ask again gives no other answer: the task is gone, or the server refuses who asks. */
function isFinalFailure({ kind, code, http_status }: McpFailure): boolean {
  // The server's grant has ended, or its address is refused.
  if (kind === "setup" || kind === "egress_refused") return true;
  if (http_status === 401 || http_status === 403) return true;
  return code !== undefined && FINAL_CODES.has(code);
}

/** The last: the server wants something of its clients that the platform does not offer. */
const FINAL_CODES: ReadonlySet<number> = new Set([INVALID_PARAMS, METHOD_NOT_FOUND, -32_021]);
