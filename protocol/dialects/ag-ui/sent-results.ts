import type { ToolResultBlock } from "../../messages/blocks.ts";
import type { AgentEvent } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { findBlock } from "./lanes/find-block.ts";
import { clientMessageId, resultMessage, type AgUiToolMessage } from "./wire/result-message.ts";

/** Tracks which tool results of a reply its clients have received. */
export class SentResults {
  readonly #replyId: string;
  readonly #sent = new Set<string>();
  /** By call id: results that were part of a run's input. */
  readonly #runInput = new Map<string, ToolResultBlock>();

  constructor(replyId: string) {
    this.#replyId = replyId;
  }

  /**
   * @param first The first event of a run.
   * @returns The result messages that a client sent. They are part of the run's input, so that other clients get them
   *   and the sender gets none twice.
   */
  takeRunInput(first: AgentEvent): readonly AgUiToolMessage[] {
    if (first.type !== "EXTERNAL_EXECUTION_RESULT") return [];
    const results = first.execution_results.filter((result) => clientMessageId(result) !== null);
    for (const result of results) this.#runInput.set(result.id, result);
    return results.map((result) => resultMessage(this.#replyId, result));
  }

  /** @returns Null when it was sent before. */
  send(result: ToolResultBlock, snapshot: () => AgUiEvent): readonly AgUiEvent[] | null {
    const { id } = result;
    if (this.#sent.has(id)) return null;
    this.#sent.add(id);
    if (this.#runInput.has(id)) return [];
    // A snapshot instead of a result event: the client that sent the message would show it twice.
    if (clientMessageId(result) !== null) return [snapshot()];
    const { id: messageId, ...message } = resultMessage(this.#replyId, result);
    return [{ type: "TOOL_CALL_RESULT", messageId, ...message }];
  }

  /**
   * Adds results of the run's input that the message does not contain in full yet: the following events bring them
   * piece by piece.
   */
  withRunInput(message: Msg): Msg {
    if (this.#runInput.size === 0) return message;
    const content = message.content.map((block) => {
      const isRunning = block.type === "tool_result" && block.state === "running";
      return isRunning ? (this.#runInput.get(block.id) ?? block) : block;
    });
    return { ...message, content };
  }

  /** Results that `message` no longer has as finished will be sent again. */
  takeBack(message: Msg): void {
    for (const id of this.#sent) {
      if (findBlock(message, "tool_result", id)?.state === "running") this.#sent.delete(id);
    }
  }
}
