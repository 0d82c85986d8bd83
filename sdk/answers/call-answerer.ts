// Automatic answers during a reply: the app's functions run external tools, and its callback asks a person for
// confirmation.
import type { PendingCall, Reply } from "../../protocol/replies/contract.ts";
import {
  confirmEvent,
  toolResultEvent,
  type AnswerEvent,
  type ConfirmAnswer,
  type ToolOutput,
} from "./answer-event.ts";
import type { ApiError } from "../transport/api-error.ts";
import type { StoredMessage } from "../../protocol/sessions/contract.ts";
import { postEvent } from "./post-event.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * Runs an external tool. What it throws becomes an error result, whose message the model reads.
 *
 * @param signal Aborted when the app stops reading the reply.
 */
export type ToolFunction = {
  run(
    input: Readonly<Record<string, unknown>>,
    call: PendingCall,
    signal: AbortSignal | undefined,
  ): ToolOutput | Promise<ToolOutput>;
}["run"];

export interface AnswerOptions {
  /** External tools by name. A reply that waits for one of them resumes automatically. */
  readonly tools?: Readonly<Record<string, ToolFunction>>;
  /** Asks a person to confirm. Undefined leaves the call unanswered. */
  readonly onConfirm?: (
    call: PendingCall,
  ) => ConfirmAnswer | undefined | Promise<ConfirmAnswer | undefined>;
}

/** Error codes of an answer that came after another client's. */
const ANSWERED: readonly unknown[] = ["call_not_pending", "confirmation_used"];

export class CallAnswerer {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #options: AnswerOptions;
  /** Events by call: created once, also when posting is retried. */
  readonly #events = new Map<string, Promise<AnswerEvent | undefined>>();
  /** Calls that are answered or not ours to answer. */
  readonly #settled = new Set<string>();
  #lookedAt = -1;

  constructor(transport: Transport, sessionId: string, options: AnswerOptions) {
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#options = options;
  }

  /**
   * Answers the reply's waiting calls that the app can answer. If another client answered first, its answer stays.
   *
   * @param after The reader's position.
   * @returns Whether further events are expected after that position.
   */
  async answer(replyId: string, after: number, signal?: AbortSignal): Promise<boolean> {
    const path = ["sessions", this.#sessionId, "replies", replyId];
    const { pending, status, cursor } = await this.#transport.get<Reply>(path, { signal });
    const calls = pending.filter((call) => !this.#settled.has(keyOf(call)));
    const given = await Promise.all(calls.map((call) => this.#settle(replyId, call, signal)));
    const isNew = cursor > after && this.#lookedAt !== after;
    this.#lookedAt = after;
    return isNew || status === "running" || given.includes(true);
  }

  /** Whether the app had an answer. */
  async #settle(replyId: string, call: PendingCall, signal?: AbortSignal): Promise<boolean> {
    const key = keyOf(call);
    let making = this.#events.get(key);
    if (!making) {
      making = this.#make(replyId, call, signal);
      this.#events.set(key, making);
      making.catch(() => this.#events.delete(key));
    }
    const event = await making;
    if (event) {
      try {
        await postEvent(this.#transport, this.#sessionId, event, { signal });
      } catch (error) {
        if (!ANSWERED.includes((error as Partial<ApiError>).code)) throw error;
      }
    }
    this.#settled.add(key);
    return event !== undefined;
  }

  async #make(
    replyId: string,
    call: PendingCall,
    signal?: AbortSignal,
  ): Promise<AnswerEvent | undefined> {
    const { tools = {}, onConfirm } = this.#options;
    if (call.omitted) {
      return this.#make(replyId, await this.#wholeCall(replyId, call, signal), signal);
    }
    if (call.kind === "permission") {
      const answer = await onConfirm?.(call);
      return answer && confirmEvent(replyId, [[call, answer]]);
    }
    const { name, input } = call.tool_call;
    const run = Object.hasOwn(tools, name) && tools[name];
    if (!run) return undefined;
    try {
      return toolResultEvent(replyId, [[call, await run(JSON.parse(input), call, signal)]]);
    } catch (error) {
      const output = error instanceof Error ? error.message : String(error);
      return toolResultEvent(replyId, [[call, { output, state: "error" }]]);
    }
  }

  /** A large call's input is only in the reply's message. */
  async #wholeCall(
    replyId: string,
    { omitted: _, ...call }: PendingCall,
    signal?: AbortSignal,
  ): Promise<PendingCall> {
    const path = ["sessions", this.#sessionId, "messages", replyId];
    const { message } = await this.#transport.get<StoredMessage>(path, { signal });
    const tool_call = message.content.find(
      (block) => block.type === "tool_call" && block.id === call.tool_call.id,
    );
    if (tool_call?.type !== "tool_call") return call;
    return { ...call, tool_call, suggested_rules: tool_call.suggested_rules };
  }
}

/** Includes the kind, because a call may wait twice: for its confirmation, then for its result. */
function keyOf({ kind, tool_call }: PendingCall): string {
  return `${kind}:${tool_call.id}`;
}
