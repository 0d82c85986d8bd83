// What the loop needs from outside. Adapters live in model/, tools/ and durable-objects/.
import type { ToolResultState } from "../protocol/messages/blocks.ts";
import type { EventDraft } from "../protocol/events.ts";
import type { ErrorInfo, Msg, Usage } from "../protocol/messages/messages.ts";
import type { RuleSyntax } from "../protocol/messages/permission.ts";
import type { ReplyState } from "./state/reply-state.ts";

/** Says when to stop. Structurally an `AbortSignal`, which this layer does not know. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** What the model is told of a tool. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly read_only: boolean;
  readonly concurrency_safe: boolean;
  readonly idempotent: boolean;
  /** Changes files: `accept_edits` lets it inside the working directories. */
  readonly edits_files?: boolean;
  /** JSON pointer of the part of the input that rules look at; rules with content match nothing without it. */
  readonly rule_argument?: string;
  /** How rules look at it; `exact` when left out. */
  readonly rule_syntax?: RuleSyntax;
  /** JSON pointers of what a confirmation may change in the input; any part when left out. */
  readonly editable?: readonly string[];
  /** Run by somebody outside, who posts the result. */
  readonly external?: {
    /** Milliseconds after which the call fails without a result; never when left out. */
    readonly result_ttl_ms?: number;
    /** `client` when the one who reads the reply brought the tool and runs it. */
    readonly offered_by?: "client";
  };
  /** The name of the ability that settles its calls; no runner runs them. */
  readonly ability?: string;
}

export interface ModelRequest {
  readonly system_prompt: string;
  /** Oldest first. Every tool call in it has valid JSON as input and a result. */
  readonly messages: readonly Msg[];
  readonly tools: readonly ToolDeclaration[];
  /** The name of the one tool that has to be called; the model chooses when it is left out. */
  readonly tool_choice?: string;
}

export interface ToolCallDelta {
  /** Tells parallel calls of one turn apart; deltas of several may be interleaved. */
  readonly index: number;
  /** Both come with the first delta of an index; an empty id is replaced. */
  readonly id?: string;
  readonly name?: string;
  /** A fragment of the input's JSON text. */
  readonly delta: string;
}

export interface DataDelta {
  /** Tells data blocks of one turn apart. */
  readonly index: number;
  readonly media_type: string;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}

/** One piece of a model's stream. Within a chunk thinking comes before text. */
export interface ModelChunk {
  /**
   * The provider's proof of what was thought before this chunk, which it ends; a thought without words when nothing
   * was. Only the adapter that gave it reads it.
   */
  readonly thinking_signature?: string;
  readonly thinking?: string;
  readonly text?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
  readonly data?: readonly DataDelta[];
  /** A note of the adapter's to the conversation, such as media that this model cannot take. */
  readonly hint?: string;
  /** The usage of the whole call; the last one counts. */
  readonly usage?: Usage;
  /** The call failed; nothing comes after it. With `output_limit` it brought too much, and ends its reply. */
  readonly error?: ErrorInfo;
  /** With `error`: milliseconds that the provider asks to be left alone. */
  readonly retry_after_ms?: number;
}

export interface Model {
  /** The name that `MODEL_CALL_START` shows. */
  readonly name: string;
  /**
   * One call. Contract: failures of the request, the network or the provider are an `error` chunk, never
   * a throw; after `stop` it ends soon, with no `error` chunk for it.
   */
  stream(request: ModelRequest, stop: StopSignal): AsyncIterable<ModelChunk>;
}

export interface ToolCallRequest {
  readonly tool_call_id: string;
  readonly name: string;
  /** Parsed and valid against the tool's schema. */
  readonly input: unknown;
  readonly session_id: string;
  readonly reply_id: string;
  readonly end_user_id: string | null;
}

/** One piece of a tool's answer. */
export type ToolChunk =
  | { readonly type: "text"; readonly delta: string }
  | {
      readonly type: "data";
      readonly block_id?: string;
      readonly media_type: string;
      readonly data: string;
    }
  | {
      readonly type: "url";
      readonly block_id?: string;
      readonly media_type: string;
      readonly url: string;
    }
  /** The last piece. A stream that ends without one counts as `success`. */
  | {
      readonly type: "end";
      readonly state: Extract<ToolResultState, "success" | "error">;
      readonly metadata?: Record<string, unknown>;
    };

export interface ToolRunner {
  readonly tools: readonly ToolDeclaration[];
  /** Contract as {@link Model.stream}: an expected failure is text and an `end` with state `error`. */
  run(request: ToolCallRequest, stop: StopSignal): AsyncIterable<ToolChunk>;
}

/** Thrown by an {@link EventLog} whose runner has been replaced: stop, and write nothing more. */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

/** The reply's end of the session's log. Events get their id, time and seq there. */
export interface EventLog {
  /** The fold of everything appended so far; a merged delta joins it when it gets its seq. */
  readonly state: ReplyState;
  /**
   * Appends events in one transaction with everything appended before and with what they change in the journal.
   * @throws {FencedError} when another runner owns the reply.
   */
  append(events: readonly EventDraft[]): void;
  /**
   * Appends one delta event. It may be merged with its neighbours and may run ahead of the disk.
   * @throws {FencedError} as {@link append}.
   */
  appendDelta(event: DeltaDraft): void;
  /** Tries of the model call under way, or of the one that comes next, that have failed; a crash does not lose them. */
  readonly failedTries: number;
  /**
   * Records that one more try failed, and when the next may be made, by whoever runs the reply then.
   * @throws {FencedError} as {@link append}.
   */
  noteFailedTry(waitMs: number): void;
  /**
   * Records that the reply waits for somebody outside.
   * @throws {FencedError} as {@link append}.
   */
  park(status: ParkedStatus): void;
  /** Resolves when everything appended so far is on disk and visible. */
  settled(): Promise<void>;
}

export type ParkedStatus = "awaiting_permission" | "awaiting_external_result";

/** The events that a stream is mostly made of. */
export type DeltaDraft = Extract<
  EventDraft,
  {
    type:
      | "TEXT_BLOCK_DELTA"
      | "THINKING_BLOCK_DELTA"
      | "TOOL_CALL_DELTA"
      | "TOOL_RESULT_TEXT_DELTA"
      | "DATA_BLOCK_DELTA"
      | "TOOL_RESULT_DATA_DELTA";
  }
>;

/** What the loop asks of the session beyond the log. */
export interface CallIds {
  /** Whether a call of this session already has this id. */
  isUsed(id: string): boolean;
}

/** Resolves after `waitMs` milliseconds, or soon after `stop` says so. Never rejects. */
export interface Sleep {
  (waitMs: number, stop: StopSignal): Promise<void>;
}

/** What asking somebody outside takes. */
export interface Asking {
  /** Milliseconds that a person has to answer. */
  readonly confirmation_ttl_ms: number;
  /** `sha256:` and 64 hex digits over the UTF-8 bytes of `<name>\n<input>`; `input` is the call's text as it is stored. */
  hashInput(name: string, input: string): Promise<string>;
  /** The timestamp of `ttlMs` milliseconds from now. */
  expiresAt(ttlMs: number): string;
}

/** A number from 0 to below 1; spreads retries, keeps no secret. */
export interface Random {
  (): number;
}

export interface NewId {
  (prefix: "blk" | "call"): string;
}

/** A quota of the tenant that has no room. */
export interface SpentQuota {
  /** Its name, as `GET /v1/limits` has it. */
  readonly quota: string;
  /** When there may be room by itself, in milliseconds from now. */
  readonly retry_after_ms?: number;
}

/** What the reply's tenant may still use. */
export interface TenantQuota {
  /** Asked before each model call. @param tokens That the reply has used so far. @returns null when it may go on. */
  check(tokens: number): Promise<SpentQuota | null>;
  /** Parks the reply: its runner ends, and the session starts another one when the quota may have room. */
  wait(spent: SpentQuota): void;
}
