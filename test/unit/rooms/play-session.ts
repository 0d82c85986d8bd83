// A participant's session as its room sees it: an act that may be repeated, and a log to be copied.
import type { AgentEvent, LoggedEvent } from "../../../protocol/events.ts";
import { SUBAGENT_REQUIRE_USER_CONFIRM } from "../../../protocol/agents/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { calledAnswer, calledEvents, type Calls } from "./play-called.ts";

/** The conduct of a reply. */
export interface Conduct {
  /** Its text; its name and its number when left out. */
  readonly text?: string;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly fails?: boolean;
  /** Has a call that waits for a person. */
  readonly asks?: boolean;
  /** Calls an agent, which works, asks a person, or calls another one that asks. */
  readonly calls?: Calls;
  /** Never ends by itself. */
  readonly hangs?: boolean;
  /** Does not end when it is told to stop either. */
  readonly isLost?: boolean;
  readonly tokens?: number;
}

/** @param count Replies of the session so far. */
export type Script = (name: string, count: number) => Conduct;

export class PlaySession {
  readonly log: LoggedEvent[] = [];
  /** Events of the log that the room has. */
  copied = 0;
  /** Messages of others, oldest first. */
  readonly known: Msg[] = [];
  /** Turns, each with its reply, and with the ids of what was new to the session. */
  readonly turns = new Map<
    string,
    { readonly reply_id: string; readonly input: readonly string[] }
  >();
  readonly #name: string;
  readonly #script: Script;
  #rest: AgentEvent[] = [];
  #open: {
    readonly reply_id: string;
    readonly conduct: Conduct;
    isStopped: boolean;
    isAsking: boolean;
  } | null = null;

  constructor(name: string, script: Script) {
    this.#name = name;
    this.#script = script;
  }

  get isBusy(): boolean {
    return this.#open !== null;
  }

  get isAsking(): boolean {
    return this.#open?.isAsking ?? false;
  }

  hasTurn(turnId: string): boolean {
    return this.turns.has(turnId);
  }

  turnOf(replyId: string): string | null {
    for (const [turnId, { reply_id }] of this.turns) if (reply_id === replyId) return turnId;
    return null;
  }

  run(turnId: string, messages: readonly Msg[]): void {
    if (this.turns.has(turnId) || this.#open) return;
    const conduct = this.#script(this.#name, this.turns.size);
    const reply_id = `rep_${this.#name}_${this.turns.size + 1}`;
    this.turns.set(turnId, { reply_id, input: this.#add(messages) });
    this.#open = { reply_id, conduct, isStopped: false, isAsking: false };
    this.#append({
      type: "REPLY_START",
      session_id: `ses_${this.#name}`,
      reply_id,
      name: this.#name,
    });
    this.#rest = restOf(this.#name, this.turns.size, reply_id, conduct);
  }

  /** @returns false while a reply runs, which has the conversation. */
  deliver(messages: readonly Msg[]): boolean {
    if (this.#open) return false;
    this.#add(messages);
    return true;
  }

  canStop(replyId: string | null): boolean {
    const open = this.#open;
    return open !== null && open.reply_id === replyId && !open.isStopped && !open.conduct.isLost;
  }

  stop(replyId: string | null): void {
    if (!this.#open || !this.canStop(replyId)) return;
    this.#open.isStopped = true;
    this.#open.isAsking = false;
    this.#rest = [this.#end("interrupted")];
  }

  /** The open reply can end again. */
  recover(): void {
    const open = this.#open;
    if (!open?.conduct.isLost) return;
    this.#rest = [this.#end("interrupted")];
  }

  answer(): void {
    const open = this.#open;
    if (!open?.isAsking) return;
    open.isAsking = false;
    const { calls } = open.conduct;
    if (calls && !open.conduct.asks) {
      const caller = { session_id: `ses_${this.#name}`, reply_id: open.reply_id };
      this.#append(calledAnswer(caller, calls));
      return;
    }
    this.#append({
      type: "USER_CONFIRM_RESULT",
      reply_id: open.reply_id,
      confirm_results: [{ confirmed: true, tool_call: callOf(open.reply_id), rules: null }],
    });
  }

  /** Appends the next event of the open reply. @returns whether there was one. */
  advance(): boolean {
    const open = this.#open;
    if (!open || open.isAsking) return false;
    const next = this.#rest.shift();
    if (next) {
      this.#append(next);
      const isOfCalled = next.type === "CUSTOM" && next.name === SUBAGENT_REQUIRE_USER_CONFIRM;
      if (next.type === "REQUIRE_USER_CONFIRM" || isOfCalled) open.isAsking = true;
      if (next.type === "REPLY_END") this.#open = null;
      return true;
    }
    if (open.conduct.hangs || open.conduct.isLost) return false;
    this.#append(this.#end(open.conduct.fails ? "error" : "completed"));
    this.#open = null;
    return true;
  }

  #add(messages: readonly Msg[]): readonly string[] {
    const ids = new Set(this.known.map(({ id }) => id));
    const fresh = messages.filter(({ id }) => !ids.has(id));
    this.known.push(...fresh);
    return fresh.map(({ id }) => id);
  }

  #end(finished_reason: "completed" | "interrupted" | "error"): AgentEvent {
    const reply_id = this.#open?.reply_id ?? "";
    const error =
      finished_reason === "error"
        ? { type: "upstream" as const, message: "The model failed." }
        : null;
    return event({
      type: "REPLY_END",
      session_id: `ses_${this.#name}`,
      reply_id,
      finished_reason,
      error,
    });
  }

  #append(given: Record<string, unknown> | AgentEvent): void {
    this.log.push({ ...event(given), seq: this.log.length + 1 } as LoggedEvent);
  }
}

function restOf(name: string, count: number, reply_id: string, conduct: Conduct): AgentEvent[] {
  const { text = `${name} ${count}`, output, asks, calls, tokens = 10 } = conduct;
  const caller = { session_id: `ses_${name}`, reply_id };
  const block_id = `${reply_id}_t`;
  const call = { reply_id, tool_call_id: `${reply_id}_c` };
  const begins = event({ type: "MODEL_CALL_START", reply_id, model_name: "mock" });
  const ends = (input_tokens: number): AgentEvent =>
    event({
      type: "MODEL_CALL_END",
      reply_id,
      input_tokens,
      output_tokens: 0,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
      finished_reason: "completed",
    });
  return [
    begins,
    event({ type: "THINKING_BLOCK_START", reply_id, block_id: `${reply_id}_k` }),
    event({ type: "THINKING_BLOCK_DELTA", reply_id, block_id: `${reply_id}_k`, delta: "secret" }),
    event({ type: "THINKING_BLOCK_END", reply_id, block_id: `${reply_id}_k` }),
    ...(asks
      ? [
          event({ type: "TOOL_CALL_START", ...call, tool_call_name: "pay" }),
          event({ type: "TOOL_CALL_DELTA", ...call, delta: "{}" }),
          event({ type: "TOOL_CALL_END", ...call }),
          ends(0),
          event({ type: "REQUIRE_USER_CONFIRM", reply_id, tool_calls: [callOf(reply_id)] }),
          event({ type: "TOOL_RESULT_START", ...call, tool_call_name: "pay" }),
          event({ type: "TOOL_RESULT_TEXT_DELTA", ...call, delta: "paid" }),
          event({ type: "TOOL_RESULT_END", ...call, state: "success" }),
          begins,
        ]
      : []),
    ...(calls ? [...calledEvents(caller, calls).map(event), begins] : []),
    event({ type: "TEXT_BLOCK_START", reply_id, block_id }),
    event({ type: "TEXT_BLOCK_DELTA", reply_id, block_id, delta: text }),
    event({ type: "TEXT_BLOCK_END", reply_id, block_id, text: null }),
    ...(output
      ? [
          event({
            type: "CUSTOM",
            reply_id,
            name: "structured_output",
            value: { reply_id, output },
          }),
        ]
      : []),
    ends(tokens),
  ];
}

function callOf(replyId: string) {
  return {
    type: "tool_call" as const,
    id: `${replyId}_c`,
    name: "pay",
    input: "{}",
    state: "asking" as const,
    suggested_rules: [],
    created_at: "2026-11-30T09:00:00.000Z",
    finished_at: null,
  };
}

function event(given: Record<string, unknown> | AgentEvent): AgentEvent {
  const at = { id: "evt", created_at: "2026-11-30T09:00:00.000Z", metadata: {}, role: "assistant" };
  return { ...at, ...given } as AgentEvent;
}
