// A task of another system's agent, in the terms in which a call waits for one.
import {
  MAX_REMOTE_PROGRESS_CHARACTERS,
  REMOTE_POLL_MS,
} from "../../protocol/a2a/client-limits.ts";
import type { A2aMessage, A2aTask, A2aTaskState } from "../../protocol/a2a/wire.ts";
import type { McpTaskStatus } from "../../protocol/mcp/events.ts";
import { MAX_MCP_TASK_MESSAGE_CHARACTERS } from "../../protocol/mcp/limits.ts";
import { plainLine } from "../tool-call/confirmation-question.ts";

const STATUSES: Readonly<Record<A2aTaskState, McpTaskStatus>> = {
  TASK_STATE_SUBMITTED: "working",
  TASK_STATE_WORKING: "working",
  TASK_STATE_INPUT_REQUIRED: "input_required",
  TASK_STATE_AUTH_REQUIRED: "input_required",
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_FAILED: "failed",
  TASK_STATE_REJECTED: "failed",
  TASK_STATE_CANCELED: "cancelled",
};

/** An answer about the task. The agent does not say how long it will take, or when to ask again: less often as it ages. */
export function readRemoteTask({ id, status: { state, message } }: Pick<A2aTask, "id" | "status">) {
  const said = wordsOf(message, MAX_MCP_TASK_MESSAGE_CHARACTERS);
  return {
    id,
    status: STATUSES[state],
    message: said === "" ? null : said,
    ttlMs: null,
    pollMs: REMOTE_POLL_MS,
  };
}

/** The texts of a message on one line; empty when it has none. */
export function wordsOf(
  message: A2aMessage | undefined,
  characters = MAX_REMOTE_PROGRESS_CHARACTERS,
): string {
  const texts = (message?.parts ?? []).flatMap(({ text }) => (text ? [text] : []));
  return plainLine(texts.join("\n"), characters).trim();
}
