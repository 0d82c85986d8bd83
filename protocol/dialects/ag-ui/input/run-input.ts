// The platform's form of a `RunAgentInput`.
import type { InputMessage } from "../../../replies/contract.ts";
import type { TextOrDataBlock } from "../../../messages/blocks.ts";
import type { StateObject } from "../../../shared-state/events.ts";
import type { JsonSchema } from "../../../schemas/structured-output.ts";

/** A tool that the client runs itself. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input_schema: JsonSchema;
}

/** A piece of context that the client gives the model for this run. */
export interface ClientContext {
  readonly description: string;
  readonly value: string;
}

/** From a `role: "tool"` message. */
export interface ClientResult {
  /** The message's id. */
  readonly message_id: string;
  readonly tool_call_id: string;
  readonly output: string | readonly TextOrDataBlock[];
  readonly state: "success" | "error";
}

/** One entry of `resume`: an interrupt's answer. */
export interface ResumeEntry {
  readonly interrupt_id: string;
  readonly status: "resolved" | "cancelled";
  readonly payload?: unknown;
  /** The input's hash, when the entry or its payload contains it. */
  readonly input_hash?: string;
  /** JSON pointer of the entry within the request. */
  readonly pointer: string;
}

export interface RunInput {
  /** The user messages of the transcript, oldest first, all with ids; known ones are filtered out later. */
  readonly messages: readonly InputMessage[];
  /** All tool results of the transcript. */
  readonly results: readonly ClientResult[];
  /** The ids of all messages of the transcript, whatever their role. */
  readonly message_ids: readonly string[];
  readonly resume: readonly ResumeEntry[];
  readonly tools: readonly ClientTool[];
  readonly context: readonly ClientContext[];
  /** Null when the client sends no state, or an empty one. */
  readonly state: StateObject | null;
}
