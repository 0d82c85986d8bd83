import type { ToolResultBlock } from "../../messages/blocks.ts";
import type { AgentEvent } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { findBlock } from "./lanes/find-block.ts";
import { clientMessageId, resultMessage, type AgUiToolMessage } from "./wire/result-message.ts";

/** Which results of a reply its clients hold. */
export class ToldResults {
  readonly #replyId: string;
  readonly #told = new Set<string>();
  /** Those that stand in the input of a run, by their calls. */
  readonly #brought = new Map<string, ToolResultBlock>();

  constructor(replyId: string) {
    this.#replyId = replyId;
  }

  /**
   * @param first The event with which a run begins.
   * @returns Messages that a client wrote itself. In the run's input the others get them, and it has none twice.
   */
  bring(first: AgentEvent): readonly AgUiToolMessage[] {
    if (first.type !== "EXTERNAL_EXECUTION_RESULT") return [];
    const results = first.execution_results.filter((result) => clientMessageId(result) !== null);
    for (const result of results) this.#brought.set(result.id, result);
    return results.map((result) => resultMessage(this.#replyId, result));
  }

  /** @returns Null when it was told before. */
  tell(result: ToolResultBlock, snapshot: () => AgUiEvent): readonly AgUiEvent[] | null {
    const { id } = result;
    if (this.#told.has(id)) return null;
    this.#told.add(id);
    if (this.#brought.has(id)) return [];
    // As a result it would be a second message for the client that wrote the first.
    if (clientMessageId(result) !== null) return [snapshot()];
    const { id: messageId, ...message } = resultMessage(this.#replyId, result);
    return [{ type: "TOOL_CALL_RESULT", messageId, ...message }];
  }

  /** A run's input is ahead of the message: what it brought is on its way into it, piece by piece. */
  withBrought(message: Msg): Msg {
    if (this.#brought.size === 0) return message;
    const content = message.content.map((block) => {
      const isRunning = block.type === "tool_result" && block.state === "running";
      return isRunning ? (this.#brought.get(block.id) ?? block) : block;
    });
    return { ...message, content };
  }

  /** Those that run again in `message` are told again. */
  takeBack(message: Msg): void {
    for (const id of this.#told) {
      if (findBlock(message, "tool_result", id)?.state === "running") this.#told.delete(id);
    }
  }
}
