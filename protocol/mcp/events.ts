// Questions of MCP servers' tools to a person while a call is under way (elicitation), the tasks that stand in place of
// results, and the events about both.
import type { ShownElicitation } from "./elicitation.ts";
import type { McpTask } from "./task.ts";
import { isJsonObject } from "../json-object.ts";

/** A person, or the time, has answered what a call asked for; the call continues. */
export const INPUT_ANSWERED = "input_answered";
/** The answers are about to be sent: from here on the outcome of the call is unknown until it has a result. */
export const INPUT_SENT = "input_sent";

export type InputResponse =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

export type InputResponses = Readonly<Record<string, InputResponse>>;

/** Questions of one call, in `REQUIRE_EXTERNAL_EXECUTION.metadata.elicitations` by the call's id. */
export type Elicitation = ShownElicitation & {
  /** The server waits on an open connection: with its machine the call is lost. */
  readonly held: boolean;
  /** Among the questions is whether an agent may make a call: the answer needs the right to confirm. */
  readonly confirms?: true;
};

export interface InputAnsweredValue {
  readonly reply_id: string;
  readonly tool_call_id: string;
  readonly responses: InputResponses;
}

/** The request of this call in an event's metadata; null when it asks for nothing. */
export function elicitationOf(metadata: unknown, callId: string): Elicitation | null {
  if (!isJsonObject(metadata) || !isJsonObject(metadata["elicitations"])) return null;
  const listed = metadata["elicitations"];
  const found = Object.hasOwn(listed, callId) ? listed[callId] : null;
  if (!isJsonObject(found) || !isJsonObject(found["requests"])) return null;
  return found as unknown as Elicitation;
}

/** A call waits for a task, or continues with it. */
export const MCP_TASK = "mcp_task";

export type McpTaskStatus = McpTask["status"];

export interface McpTaskValue extends McpTask {
  readonly reply_id: string;
  readonly tool_call_id: string;
  /** False when the call continues: to its result, to a question or to a sign-in. */
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
