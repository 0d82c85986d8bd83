import type { ModelChunk } from "../../agent/ports.ts";
import { REMOTE_QUESTION_TOOL } from "../../protocol/a2a/remote-conversation.ts";
import { MAX_REMOTE_QUESTION_CHARACTERS } from "../../protocol/a2a/remote-limits.ts";
import type { A2aTaskStatus } from "../../protocol/a2a/wire.ts";

interface Waiting {
  readonly task_id: string;
  /** The agent's name. */
  readonly agent: string;
  readonly status: A2aTaskStatus;
}

/** The call of the platform's own tool with which the reply waits for what a task needs. */
export function questionCall({ task_id, agent, status }: Waiting): ModelChunk {
  const is_sign_in = status.state === "TASK_STATE_AUTH_REQUIRED";
  const parts = JSON.stringify(status.message?.parts ?? []);
  // A text of JSON: its numbers and its depth are the agent's.
  const kept = parts.length <= MAX_REMOTE_QUESTION_CHARACTERS ? parts : "[]";
  const input = { task_id, agent: agent.slice(0, 100), is_sign_in, parts: kept };
  const call = { index: 0, name: REMOTE_QUESTION_TOOL, delta: JSON.stringify(input) };
  return { tool_calls: [call] };
}
