// Random sessions as the platform writes them: rounds of text and tools, questions, answers, changes of the state.
import fc from "fast-check";

import type { LoggedEvent } from "../../protocol/events.ts";
import { agUiLog } from "./ag-ui-log.ts";

type Kind = "run" | "ask" | "external" | "client";

interface Waiting {
  readonly id: string;
  readonly kind: Kind;
}

/** Shorter lists of choices make shorter sessions. */
export const agUiSessionArbitrary: fc.Arbitrary<readonly LoggedEvent[]> = fc
  .array(fc.nat(1_000), { maxLength: 120, size: "max" })
  .map((choices) => new SessionWriter(choices).write());

class SessionWriter {
  readonly #choices: readonly number[];
  readonly #log: object[] = [];
  #used = 0;
  #named = 0;
  #version = 0;
  #reply = "";

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  write(): LoggedEvent[] {
    if (this.#choose(4) === 1) this.#addCopy();
    const replies = 1 + this.#choose(3);
    for (let index = 1; index <= replies; index += 1) {
      this.#reply = `rep_${index}`;
      const isOver = this.#writeReply();
      if (!isOver) break;
    }
    return agUiLog(...this.#log);
  }

  /** As a fork begins: with what another session's reply had become. */
  #addCopy(): void {
    const [call, block] = [this.#name("call"), this.#name("blk")];
    const content = [
      { type: "thinking", id: this.#name("blk"), thinking: "Hm", signature: "c2ln" },
      { type: "text", id: block, text: "Hello" },
      { type: "tool_call", id: call, name: "f", input: "{}", state: "finished" },
      { type: "tool_result", id: call, name: "f", output: "ok", state: "success", metadata: {} },
    ];
    const message = { id: "rep_0", role: "assistant", name: "A", content };
    this.#add({ type: "CUSTOM", name: "message_added", value: { message }, reply_id: undefined });
  }

  /** @returns False for one that goes on. */
  #writeReply(): boolean {
    this.#maybeChangeState(null);
    const id = this.#name("msg");
    const content = [{ type: "text", text: "Hello", id: "b" }];
    const message = { id, role: "user", name: "user", content };
    this.#add({ type: "CUSTOM", name: "message_added", value: { message }, reply_id: undefined });
    const version = this.#version > 0 ? { shared_state_version: this.#version } : {};
    const metadata = { ...version, ...this.#mark() };
    this.#add({ type: "REPLY_START", session_id: "ses_1", name: "A", metadata });
    for (let rounds = this.#choose(4); rounds > 0; rounds -= 1) {
      const calls = this.#callModel();
      if (calls.length === 0) break;
      const waiting = this.#runCalls(calls);
      if (!this.#answer(waiting)) return this.#choose(2) === 0 && this.#interrupt(waiting);
    }
    const reasons = ["completed", "completed", "exceed_max_iters", "error"];
    this.#end(reasons[this.#choose(4)] ?? "completed");
    return true;
  }

  /** @returns The calls that it makes. */
  #callModel(): string[] {
    if (this.#choose(4) === 1) {
      this.#add({ type: "HINT_BLOCK", block_id: this.#name("hint"), source: "x", hint: "Monday" });
    }
    this.#add({ type: "MODEL_CALL_START", model_name: "m" });
    const isLost = this.#choose(8) === 1;
    const blocks: string[] = [];
    const calls: string[] = [];
    for (let count = this.#choose(3); count > 0; count -= 1) {
      const kind = this.#choose(2) === 1 ? "THINKING_BLOCK" : "TEXT_BLOCK";
      blocks.push(this.#writeBlock(kind, isLost && count === 1));
    }
    for (let count = this.#choose(4); count > 0; count -= 1) {
      const id = this.#name("call");
      calls.push(id);
      this.#add({ type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: "f" });
      this.#add({ type: "TOOL_CALL_DELTA", tool_call_id: id, delta: '{"a":' });
      this.#add({ type: "TOOL_CALL_DELTA", tool_call_id: id, delta: "1}" });
      this.#add({ type: "TOOL_CALL_END", tool_call_id: id });
    }
    if (isLost) return this.#takeBack(blocks, calls);
    this.#add({ type: "MODEL_CALL_END", input_tokens: 2, output_tokens: 3 });
    return calls;
  }

  #writeBlock(kind: "THINKING_BLOCK" | "TEXT_BLOCK", isLost: boolean): string {
    const block_id = this.#name("blk");
    this.#add({ type: `${kind}_START`, block_id });
    for (let count = this.#choose(3); count >= 0; count -= 1) {
      this.#add({ type: `${kind}_DELTA`, block_id, delta: count === 1 ? "" : "Hm " });
    }
    if (isLost) return block_id;
    const isThought = kind === "THINKING_BLOCK";
    const metadata = isThought && this.#choose(2) === 1 ? { signature: "c2ln" } : {};
    const text = !isThought && this.#choose(6) === 1 ? "Something else" : undefined;
    this.#add({ type: `${kind}_END`, block_id, metadata, text });
    return block_id;
  }

  /** A crash: nothing of the round is left, and it is tried again. */
  #takeBack(blocks: string[], calls: string[]): string[] {
    const value = {
      reply_id: this.#reply,
      discard_block_ids: blocks,
      discard_tool_call_ids: calls,
      discard_tool_result_ids: [],
    };
    this.#add({ type: "CUSTOM", name: "reply_recovered", value });
    this.#add({
      type: "MODEL_CALL_END",
      input_tokens: 0,
      output_tokens: 0,
      finished_reason: "interrupted",
    });
    return this.#callModel();
  }

  /** @returns Those that wait. */
  #runCalls(calls: readonly string[]): Waiting[] {
    const waiting: Waiting[] = [];
    for (const id of calls) {
      const kind = (["run", "ask", "external", "client"] as const)[this.#choose(4)] ?? "run";
      if (kind === "run") this.#runTool(id);
      else {
        this.#announce({ id, kind });
        waiting.push({ id, kind });
      }
      this.#maybeChangeState(this.#choose(2) === 1 ? this.#reply : null);
    }
    return waiting;
  }

  #runTool(id: string): void {
    const metadata = { decision: { behavior: "allow" } };
    this.#add({ type: "TOOL_RESULT_START", tool_call_id: id, tool_call_name: "f", metadata });
    this.#add({ type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: id, delta: "ok" });
    this.#maybeChangeState(this.#reply);
    this.#add({ type: "TOOL_RESULT_END", tool_call_id: id, state: "success" });
  }

  #announce({ id, kind }: Waiting): void {
    const tool_calls = [this.#call(id)];
    if (kind === "ask") this.#add({ type: "REQUIRE_USER_CONFIRM", tool_calls });
    else {
      const decision = { behavior: "allow" };
      const started = { tool_call_id: id, tool_call_name: "f", metadata: { decision } };
      this.#add({ type: "TOOL_RESULT_START", ...started });
      const metadata = kind === "client" ? { offered_by: { [id]: "client" } } : {};
      this.#add({ type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls, metadata });
    }
  }

  /** @returns False when somebody leaves it at that. */
  #answer(waiting: readonly Waiting[]): boolean {
    const asked = waiting.filter(({ kind }) => kind === "ask");
    const outside = waiting.filter(({ kind }) => kind !== "ask");
    if (waiting.length === 0) return true;
    this.#maybeChangeState(null);
    if (this.#choose(5) === 4) return false;
    const isTogether = this.#choose(2) === 1;
    if (asked.length > 0) {
      const isAllowed = this.#choose(2) === 1;
      this.#add({
        type: "USER_CONFIRM_RESULT",
        confirm_results: asked.map(({ id }) => ({
          confirmed: isAllowed,
          tool_call: this.#call(id),
        })),
        metadata: this.#mark(),
      });
      const handedOut = isTogether ? [] : this.#settle(asked, isAllowed);
      this.#giveResults(outside);
      if (isTogether) handedOut.push(...this.#settle(asked, isAllowed));
      this.#giveResults(handedOut);
    } else this.#giveResults(outside);
    return true;
  }

  /** @returns Calls that wait again: they were asked about, and then handed out. */
  #settle(asked: readonly Waiting[], isAllowed: boolean): Waiting[] {
    const handedOut: Waiting[] = [];
    for (const { id } of asked) {
      if (isAllowed && this.#choose(3) === 1) {
        const call = { id, kind: this.#choose(2) === 1 ? "client" : "external" } as const;
        this.#announce(call);
        handedOut.push(call);
      } else if (isAllowed) this.#runTool(id);
      else {
        this.#add({ type: "TOOL_RESULT_START", tool_call_id: id, tool_call_name: "f" });
        this.#add({ type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: id, delta: "no" });
        this.#add({ type: "TOOL_RESULT_END", tool_call_id: id, state: "denied" });
      }
    }
    return handedOut;
  }

  #giveResults(outside: readonly Waiting[]): void {
    if (outside.length === 0) return;
    const isOneByOne = this.#choose(3) === 1;
    for (const group of isOneByOne ? outside.map((each) => [each]) : [outside]) {
      const results = group.map(({ id, kind }) => {
        const ag_ui_message_id = kind === "client" ? this.#name("mine") : undefined;
        const metadata = ag_ui_message_id ? { ag_ui_message_id } : {};
        return { type: "tool_result", id, name: "f", output: "ok", state: "success", metadata };
      });
      const type = "EXTERNAL_EXECUTION_RESULT";
      this.#add({ type, execution_results: results, metadata: this.#mark() });
      for (const { id, state, metadata } of results) {
        this.#add({ type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: id, delta: "ok" });
        this.#add({ type: "TOOL_RESULT_END", tool_call_id: id, state, metadata });
      }
      this.#maybeChangeState(null);
    }
  }

  #interrupt(waiting: readonly Waiting[]): true {
    this.#add({ type: "USER_INTERRUPT" });
    for (const { id, kind } of waiting) {
      if (kind === "ask") {
        this.#add({ type: "TOOL_RESULT_START", tool_call_id: id, tool_call_name: "f" });
      }
      this.#add({ type: "TOOL_RESULT_END", tool_call_id: id, state: "interrupted" });
    }
    this.#end("interrupted");
    return true;
  }

  #end(finished_reason: string): void {
    const error = finished_reason === "error" ? { type: "upstream", message: "It failed." } : null;
    this.#add({ type: "REPLY_END", session_id: "ses_1", finished_reason, error });
  }

  #maybeChangeState(reply: string | null): void {
    if (this.#choose(5) !== 1) return;
    this.#version += 1;
    const operation = { op: "add", path: `/k${this.#choose(3)}`, value: this.#version };
    const value = { patch: [operation], version: this.#version };
    this.#add({
      type: "CUSTOM",
      name: "shared_state_updated",
      value,
      reply_id: reply ?? undefined,
    });
  }

  #mark(): object {
    const marks = [{}, { run_id: this.#name("run") }, { thread_id: "t", parent_run_id: "run-0" }];
    const mark = marks[this.#choose(3)] ?? {};
    return Object.keys(mark).length === 0 ? {} : { ag_ui_run: mark };
  }

  #call(id: string): object {
    return { type: "tool_call", id, name: "f", input: '{"a":1}' };
  }

  #name(prefix: string): string {
    this.#named += 1;
    return `${prefix}${this.#named}`;
  }

  #choose(count: number): number {
    const choice = this.#choices[this.#used] ?? 0;
    this.#used += 1;
    return choice % count;
  }

  #add(event: object): void {
    this.#log.push({ reply_id: this.#reply, ...event });
  }
}
