// Keeps the requests of a reply within the window of its model: before a model call, and after a provider has said that
// one was too long.
import {
  COMPRESS_CONTEXT_TOOL,
  CONTEXT_COMPRESSED,
  CONTEXT_COMPRESSION_FAILED,
  CONTEXT_TRUNCATED,
  type CompressionTrigger,
} from "../../protocol/context/events.ts";
import { MAX_COMPRESSIONS_A_CALL } from "../../protocol/context/limits.ts";
import { failedCompression } from "../context/failed-compression.ts";
import { truncateContext } from "../context/compress-context.ts";
import type { ContextState } from "../context/context-fold.ts";
import type { CompressionRequest, ContextKeeper } from "../context/context-keeper.ts";
import { contextLimits, type ContextLimits } from "../context/context-limits.ts";
import { ContextMeter } from "../context/context-meter.ts";
import type { ReplyHooks } from "../hooks/reply-hooks.ts";
import type { Diagnostics, EventLog, ModelRequest, NewId, StopSignal } from "../ports.ts";
import { turnBlocks } from "../state/reply-state.ts";

/** The `source` of the hints about the size of the context. */
const CONTEXT_HINT_SOURCE = "context-compression";

const FILLING_HINT =
  `<context-compression>The conversation fills up what you can read at once. At a point where a summary of it is enough to go ` +
  `on with, and not in the middle of a task, call ${COMPRESS_CONTEXT_TOOL}.</context-compression>`;

const FAILED_HINT =
  "<context-compression>The summary could not be made; the conversation is as it was.</context-compression>";

interface FittedReply {
  readonly log: EventLog;
  readonly newId: NewId;
  readonly stop: StopSignal;
  readonly diagnostics?: Diagnostics;
  /** Asked about what is summarised, which a model is sent, too. */
  readonly hooks?: Pick<ReplyHooks, "beforeModelCall">;
}

interface Wish {
  readonly trigger: Extract<CompressionTrigger, "hard_threshold" | "prompt_too_long" | "tool">;
  /** Tokens that the context should have afterwards. */
  readonly target: number;
  readonly tokens: number;
  readonly instructions?: string;
}

/** One for each execution of a reply. */
export class ContextFit {
  readonly #keeper: ContextKeeper;
  readonly #reply: FittedReply;
  readonly #meter: ContextMeter;
  /** Compressions since the last model call that was made. */
  #fits = 0;
  /** Number of times that the provider has refused the next call as too long. */
  #refusals = 0;
  /** The next request, and the context that it was made of: a summary made between replies may change it during the call. */
  #sent: { readonly request: ModelRequest; readonly state: ContextState } | null = null;
  /** The call of the tool that has been dealt with. */
  #settledCall: string | null = null;

  constructor(keeper: ContextKeeper, reply: FittedReply) {
    this.#keeper = keeper;
    this.#reply = reply;
    this.#meter = new ContextMeter(keeper);
  }

  /**
   * Appends what the request needs before it can be sent.
   * @param index Of the model among the reply's.
   * @returns False when something has changed, so that budgets have to be checked and the request made anew. After
   *   some times it is true also for a request that is too large: the provider decides.
   */
  async isReady(request: ModelRequest, index: number): Promise<boolean> {
    this.#sent = { request, state: this.#keeper.state() };
    const limits = this.#limits(index);
    const tokens = this.#meter.count(request, limits.counter);
    const asked = this.#askedByTool();
    if (asked) {
      this.#settledCall = asked.id;
      const { instructions } = asked;
      const wish = { trigger: "tool", target: limits.soft / 2, tokens, instructions } as const;
      if (await this.#compress(request, wish, limits)) return false;
    }
    if (tokens >= limits.hard && this.#fits < MAX_COMPRESSIONS_A_CALL) {
      this.#fits += 1;
      const target = limits.soft / 2 ** this.#fits;
      const wish = { trigger: "hard_threshold", target, tokens } as const;
      if (await this.#compress(request, wish, limits)) return false;
    }
    return !this.#hint(request, tokens, limits);
  }

  /**
   * Makes the context smaller after the provider has refused it as too long.
   * @returns False when it cannot be made smaller, or has been often enough.
   */
  async shrink(request: ModelRequest, index: number): Promise<boolean> {
    if (this.#refusals >= MAX_COMPRESSIONS_A_CALL) return false;
    this.#refusals += 1;
    const limits = this.#limits(index);
    const tokens = this.#meter.count(request, limits.counter);
    const target = Math.min(limits.soft, tokens) / 2 ** this.#refusals;
    return this.#compress(request, { trigger: "prompt_too_long", target, tokens }, limits);
  }

  /** To be called after a model call that has completed. */
  noteCall(): void {
    this.#fits = 0;
    this.#refusals = 0;
    if (this.#sent) this.#meter.note(this.#reply.log.state, this.#sent);
  }

  #limits(index: number): ContextLimits {
    return contextLimits(this.#keeper.settings, this.#keeper.windowOf(index));
  }

  /** @returns Whether the context has changed, or the reply has been stopped. */
  async #compress(
    given: ModelRequest,
    { trigger, target, tokens, instructions }: Wish,
    limits: ContextLimits,
  ): Promise<boolean> {
    const { log, stop, diagnostics, hooks } = this.#reply;
    const { system_prompt, messages, tools } = given;
    const { settings } = this.#keeper;
    const reply_id = log.state.message.id;
    const request: CompressionRequest = {
      trigger,
      state: this.#keeper.state(),
      system_prompt,
      messages,
      tools,
      reply_id,
      tokens,
      target,
      window: limits.size,
      ...(instructions !== undefined && { instructions }),
    };
    if (settings.compression_enabled === false && trigger !== "tool") {
      return this.#append(CONTEXT_TRUNCATED, truncateContext(request, settings, "compression_off"));
    }
    if (hooks && !(await hooks.beforeModelCall(given))) return true;
    const outcome = await this.#keeper.compress(request, stop);
    if (stop.aborted) return true;
    if ("cost_usd" in outcome) {
      diagnostics?.note({ type: "summary", cost_usd: outcome.cost_usd });
    }
    switch (outcome.type) {
      case "compressed":
        return this.#append(CONTEXT_COMPRESSED, outcome.value);
      case "failed":
        // A compression that the model asked for itself is not worth losing anything for.
        if (trigger === "tool") {
          this.#append(CONTEXT_COMPRESSION_FAILED, failedCompression(request, outcome));
          return this.#tell(FAILED_HINT);
        }
        return this.#append(CONTEXT_TRUNCATED, outcome.truncation);
      case "nothing":
        return false;
      case "overtaken":
      case "stopped":
        return true;
      default:
        return outcome satisfies never;
    }
  }

  #append(name: string, value: object | null): boolean {
    const { log } = this.#reply;
    if (!value) return false;
    log.append([{ type: "CUSTOM", name, reply_id: log.state.message.id, value: { ...value } }]);
    return true;
  }

  #tell(hint: string): boolean {
    const { log, newId } = this.#reply;
    const block = { reply_id: log.state.message.id, block_id: newId("blk") };
    log.append([{ type: "HINT_BLOCK", ...block, source: CONTEXT_HINT_SOURCE, hint }]);
    return true;
  }

  /** Once for each filling: the hint leaves the context with what was in front of it. @returns Whether it was said. */
  #hint({ messages, tools }: ModelRequest, tokens: number, { hint }: ContextLimits): boolean {
    const { log } = this.#reply;
    if (tokens < hint || log.state.is_model_call_open) return false;
    if (!tools.some(({ name }) => name === COMPRESS_CONTEXT_TOOL)) return false;
    const isSaid = messages.some(({ content }) =>
      content.some((block) => block.type === "hint" && block.hint === FILLING_HINT),
    );
    return !isSaid && this.#tell(FILLING_HINT);
  }

  /** The call of the tool in the newest turn that was accepted, and not dealt with by this execution. */
  #askedByTool(): { readonly id: string; readonly instructions?: string } | null {
    const blocks = turnBlocks(this.#reply.log.state);
    const calls = blocks.filter((block) => block.type === "tool_call");
    const call = calls.find(
      ({ id, name }) =>
        name === COMPRESS_CONTEXT_TOOL &&
        blocks.some(
          (one) => one.type === "tool_result" && one.id === id && one.state === "success",
        ),
    );
    if (!call || call.id === this.#settledCall) return null;
    return { id: call.id, ...readInstructions(call.input) };
  }
}

/** The input was checked when the call was accepted; a repaired one gives no instructions. */
function readInstructions(input: string): { readonly instructions?: string } {
  try {
    const { instructions } = JSON.parse(input || "{}") as { instructions?: unknown };
    return typeof instructions === "string" ? { instructions } : {};
  } catch {
    return {};
  }
}
