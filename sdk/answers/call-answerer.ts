// The app's own part in a reply: its functions run the external tools, and its person decides.
import type { PendingCall, Reply } from "../../protocol/api/replies.ts";
import {
  confirmEvent,
  toolResultEvent,
  type AnswerEvent,
  type ConfirmAnswer,
  type ToolOutput,
} from "./answer-event.ts";
import type { ApiError } from "../transport/api-error.ts";
import type { StoredMessage } from "../resources/messages.ts";
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
  /** Runs external tools, by name. A reply that waits for one of them goes on by itself. */
  readonly tools?: Readonly<Record<string, ToolFunction>>;
  /** Asks a person. Undefined leaves the call to somebody else. */
  readonly onConfirm?: (
    call: PendingCall,
  ) => ConfirmAnswer | undefined | Promise<ConfirmAnswer | undefined>;
}

/** Somebody else was first. */
const ANSWERED: readonly unknown[] = ["call_not_pending", "confirmation_used"];

export class CallAnswerer {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #options: AnswerOptions;
  /** By what waits: made once, however often it has to be posted. */
  readonly #events = new Map<string, Promise<AnswerEvent | undefined>>();
  /** What needs no more of us. */
  readonly #settled = new Set<string>();
  #lookedAt = -1;

  constructor(transport: Transport, sessionId: string, options: AnswerOptions) {
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#options = options;
  }

  /**
   * Answers what the reply waits for, as far as the app can. An answer that somebody else has given first stands.
   *
   * @param after Where the reader stands.
   * @returns Whether more events can be expected after it.
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

  /** The input of a large call stands in the reply's message alone. */
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

/** A call may wait twice: for a yes, and then for its result. */
function keyOf({ kind, tool_call }: PendingCall): string {
  return `${kind}:${tool_call.id}`;
}
