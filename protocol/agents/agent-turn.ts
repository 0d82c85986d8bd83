// Questions to the server of an agent in code over HTTP, and its answers.
import type { Msg } from "../messages/messages.ts";
import type { ToolChoice } from "../models/model-options.ts";
import type { JsonSchema } from "../schemas/structured-output.ts";
import type { TurnNext } from "./turn-next.ts";

/** A message of the conversation. */
export interface TurnMessage extends Pick<Msg, "id" | "role" | "name"> {
  readonly content: readonly Msg["content"][number][];
}

interface Question {
  /** The same each time that it is asked. Without a dot. */
  readonly id: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly end_user_id: string | null;
  readonly agent: {
    readonly id: string;
    readonly version: number;
    readonly name: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly system_prompt: string;
  };
  /** The reply so far; null before its first block. */
  readonly message: TurnMessage | null;
  /** Says what is left out, where something is. */
  readonly note?: string;
}

/** A question for one turn of a reply. */
export interface AgentTurn extends Question {
  readonly method: "reply";
  /** The number of the turn in its reply, from 1; turns of the agent's own model count. */
  readonly turn: number;
  /** The messages that the reply answers. */
  readonly input: readonly TurnMessage[];
  /** The messages before them, oldest first. */
  readonly history: readonly TurnMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly input_schema: Readonly<Record<string, unknown>>;
  }[];
  /** Null for the agent's own choice. */
  readonly tool_choice: ToolChoice | null;
  /** The schema that the reply has to fill in, which is also the input of one of the tools; null for none. */
  readonly structured_schema: JsonSchema | null;
}

/** A question for the words of a reply that a user has interrupted. */
export interface AgentInterrupted extends Question {
  readonly method: "handle_interrupt";
}

/** The answer to either. */
export interface AgentTurnAnswer {
  /** AgentScope's events: blocks of text, thinking and data, hints, and calls. */
  readonly events?: readonly { readonly type: string; readonly [member: string]: unknown }[];
  /** The next step; null, or left out, for the calls and another turn, or the end behind a turn without calls. */
  readonly next?: TurnNext | null;
}
