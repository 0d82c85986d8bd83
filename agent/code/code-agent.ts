// Agents that are deployed as code: what their functions get. docs/agents-in-code.md is their contract.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { ContentBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { StopSignal } from "../ports.ts";

/** The reply that an agent in code gives. All of it goes through the log, as what a model says and asks for does. */
export interface CodeReply {
  readonly session_id: string;
  readonly reply_id: string;
  readonly end_user_id: string | null;
  readonly agent: AgentDefinition;
  /** The messages that the reply answers. */
  readonly input: readonly Msg[];
  /** The conversation as a model would see it, with the input. */
  readonly history: readonly Msg[];
  readonly stop: StopSignal;
  /** The message so far, as the log has it. */
  message(): Msg;
  /** Says a text, as a block of its own. */
  say(step: string, text: string): Promise<void>;
  /**
   * Calls a tool: its input is checked, rules and people are asked, hooks see it. Where it has to wait for an answer the
   * function ends here, and is called again with the answer.
   */
  call(
    step: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<ToolResultBlock>;
  /** One model call, `_reasoning`. @returns its blocks. Calls among them are run by {@link act}. */
  reason(step: string): Promise<readonly ContentBlock[]>;
  /** Runs the calls of the last model call, `_acting`; waits as {@link call} does. */
  act(): Promise<void>;
  /** Hands over to the model loop, up to the reply's end: nothing behind it is run. */
  run(): Promise<never>;
  /**
   * Runs a function of the agent's own and keeps its value: after a crash the kept one is returned. A crash while it runs
   * runs it again.
   * @param work Its value is JSON, of 64 KB at most.
   */
  once<Value>(step: string, work: (stop: StopSignal) => Promise<Value> | Value): Promise<Value>;
}

export interface CodeAgent {
  /** The name by which agents choose it in `code_agent`. */
  readonly name: string;
  /**
   * Called for each execution of a reply: at its start, after an answer that it waited for, and after a crash. What was
   * done is not done again: a step whose name is in the log gives what it gave before. So the code up to a step has to
   * come to that step again, by the same names. The reply ends, completed, when it returns.
   */
  readonly reply: (reply: CodeReply) => Promise<void>;
  /** Told of each observed message, at least once. */
  readonly observe?: (
    message: Pick<Msg, "id" | "role" | "name" | "content">,
  ) => Promise<void> | void;
  /** Gives the last words of a reply that a user has interrupted; within eight seconds, and at most once. */
  readonly handle_interrupt?: (
    reply: Pick<
      CodeReply,
      "session_id" | "reply_id" | "end_user_id" | "agent" | "message" | "stop"
    >,
  ) => Promise<string> | string;
}
