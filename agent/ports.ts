// The ports of the loop: interfaces to everything outside `agent/`. Adapters are in model/, tools/ and
// durable-objects/.
import type { RemoteConversation } from "../protocol/a2a/remote-conversation.ts";
import type { EventDraft } from "../protocol/events.ts";
import type { ToolResultBlock } from "../protocol/messages/blocks.ts";
import type { ErrorInfo, Msg, Usage } from "../protocol/messages/messages.ts";
import type { ReplyModelOptions } from "../protocol/models/model-options.ts";
import type { LearnedForm } from "../protocol/models/events.ts";
import type { InputResponses } from "../protocol/mcp/events.ts";
import type { RuleSyntax } from "../protocol/messages/permission.ts";
import type { FailureReport, ModelOrigin, ModelReporter, ToolReporter } from "./failure-report.ts";
import type { ServedChunk } from "./served-chunk.ts";
import type { ReplyState } from "./state/reply-state.ts";
import type { ToolChunk } from "./tool-chunk.ts";

export type { ToolChunk } from "./tool-chunk.ts";

/** A signal to stop. Structurally an `AbortSignal`, a type that this layer does not have. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A question to a person about a call, whatever the rules and the mode allow. */
export interface PersonAsk {
  readonly reason: string;
  readonly question: string;
  /** For the event's metadata: it may change while they think. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** A tool as the loop and the model know it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly read_only: boolean;
  readonly concurrency_safe: boolean;
  readonly idempotent: boolean;
  /** The tool changes files: `accept_edits` allows it inside the working directories. */
  readonly edits_files?: boolean;
  /** The tool's results are untrusted content: calls of sinks ask once the model was sent one. */
  readonly returns_untrusted?: boolean;
  /** The tool lets something out, or cannot be undone: its calls ask while the context has untrusted content. */
  readonly sink?: boolean;
  /** The decision about a call that no rule decides; as the mode says when left out. */
  readonly permission_default?: "allow" | "ask" | "deny";
  /** A successful result is the reply's answer, without another model call. */
  readonly return_direct?: boolean;
  /**
   * JSON pointer of the part of the input that rules are matched against; without it rules with content match nothing.
   */
  readonly rule_argument?: string;
  /** The syntax of rules for this tool; `exact` when left out. */
  readonly rule_syntax?: RuleSyntax;
  /** JSON pointers of the members that a confirmation may edit; all when left out. */
  readonly editable?: readonly string[];
  /** The template of the sentence with which a person is asked about a call; the platform's own when left out. */
  readonly confirmation_message?: string;
  /** Run outside the platform by a system that posts the result. */
  readonly external?: {
    /** Milliseconds after which the call fails without a result; never when left out. */
    readonly result_ttl_ms?: number;
    /** `client` when the client that reads the reply declared the tool and runs it. */
    readonly offered_by?: "client";
  };
  /**
   * The reason that the tool is not there at the moment: the model is not offered it, and told this when it calls it
   * all the same.
   */
  readonly withheld?: string;
  /** The name of the ability that settles its calls; the tool runner does not run them. */
  readonly ability?: string;
  /**
   * The question that a person has to be asked about a call with this parsed input, as things are now. A deny rule
   * comes before.
   */
  readonly asksPerson?: (input: unknown) => PersonAsk | null;
}

/** Options of a model call beyond the model's definition; an option that a provider does not know is left out. */
export type ModelCallOptions = Omit<ReplyModelOptions, "model">;

export interface ModelRequest {
  readonly system_prompt: string;
  /** Oldest first. Every tool call in it has valid JSON as input and a result. */
  readonly messages: readonly Msg[];
  readonly tools: readonly ToolDeclaration[];
  /** The name of the one tool that the model has to call, whatever `options` say. */
  readonly tool_choice?: string;
  readonly options?: ModelCallOptions;
}

export interface ToolCallDelta {
  /** Tells parallel calls of one turn apart; deltas of several may be interleaved. */
  readonly index: number;
  /** `id` and `name` come with the first delta of an index; an empty id is replaced. */
  readonly id?: string;
  readonly name?: string;
  /** A fragment of the input's JSON text. */
  readonly delta: string;
  /** The provider's proof that belongs to the call. Only the adapter that produced it interprets it. */
  readonly signature?: string;
}

export interface DataDelta {
  /** Tells data blocks of one turn apart. */
  readonly index: number;
  readonly media_type: string;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}

/**
 * The reason that a provider ended an answer before the model had finished it: at the limit of output tokens or of the
 * window, or by its content filter.
 */
export type EarlyEnd = "output_limit" | "filtered";

/** One piece of a model's stream. Within a chunk thinking comes before text. */
export interface ModelChunk extends ServedChunk {
  /**
   * The provider's signature of the thinking before this chunk, which ends the thinking block; without thinking it
   * makes an empty block. Only the adapter that produced it interprets it.
   */
  readonly thinking_signature?: string;
  readonly thinking?: string;
  readonly text?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
  readonly data?: readonly DataDelta[];
  /** A hint that the adapter adds to the conversation, such as about media that this model cannot take. */
  readonly hint?: string;
  /** The form that requests of this model have from now on, alone in its chunk. */
  readonly learned?: LearnedForm;
  /** The conversation with an agent of another system from now on, alone in its chunk: on disk before the next one is asked for. */
  readonly remote?: RemoteConversation;
  /** The usage of the whole call; the last one counts. */
  readonly usage?: Usage;
  /** Usage that an agent of another system has told; it is not checked. */
  readonly is_usage_told?: true;
  /** On the last chunk of an answer that the provider ended early. What came before is as far as the model got. */
  readonly ended_early?: EarlyEnd;
  /** The call failed; this is the last chunk. `output_limit`: the response was too large, and the reply ends. */
  readonly error?: ErrorInfo;
  /** With `error`: the conversation does not fit into the model's window, and would be refused again. */
  readonly context_too_long?: true;
  /** With `error`: the milliseconds after which the provider allows a retry. */
  readonly retry_after_ms?: number;
}

/** A fact that {@link Diagnostics} keeps. Its time is that of the call of `note`. */
export type DiagnosticFact =
  | {
      readonly type: "model_try";
      readonly model: Pick<Model, "name" | "origin" | "costOf">;
      readonly request: ModelRequest;
    }
  | { readonly type: "model_output" }
  | { readonly type: "model_finish"; readonly finish_reason: string }
  | { readonly type: "model_failed"; readonly error: ErrorInfo; readonly failure: FailureReport }
  /** The price of a summary whose usage the next event has, in US dollars; null when it is not known. */
  | { readonly type: "summary"; readonly cost_usd: number | null }
  | { readonly type: "tool_try"; readonly tool_call_id: string }
  | { readonly type: "tool_status"; readonly tool_call_id: string; readonly http_status: number }
  | {
      readonly type: "tool_failed";
      readonly tool_call_id: string;
      readonly failure: FailureReport;
    };

/** Keeps what happened beside the log, for the one who asks why a reply failed. */
export interface Diagnostics {
  /** Contract: never throws and writes nothing by itself; what was noted is stored with the event that ends the call. */
  note(fact: DiagnosticFact): void;
}

export interface Model {
  /** The name that `MODEL_CALL_START` shows. */
  readonly name: string;
  readonly origin?: ModelOrigin;
  /** US dollars that a call with this usage costs, to a billionth; null, or left out, when it is not known. */
  readonly costOf?: (usage: Usage) => number | null;
  /**
   * One call. Contract: failures of the request, the network or the provider are an `error` chunk, never
   * a throw; after `stop` it ends soon, with no `error` chunk for it.
   */
  stream(
    request: ModelRequest,
    stop: StopSignal,
    report?: ModelReporter,
  ): AsyncIterable<ModelChunk>;
}

export interface ToolCallRequest {
  readonly tool_call_id: string;
  readonly name: string;
  /** Parsed and valid against the tool's schema. */
  readonly input: unknown;
  readonly session_id: string;
  readonly reply_id: string;
  readonly end_user_id: string | null;
  /** The answers to what the call asked for: it continues with them. */
  readonly answered?: { readonly round: number; readonly responses: InputResponses };
  /** The call has a task at its server: it continues with that, and is not made again. */
  readonly hasTask?: boolean;
  /** The result as far as the call has written it before; left out for an empty one. */
  readonly written?: ToolResultBlock["output"];
}

export interface ToolRunner {
  readonly tools: readonly ToolDeclaration[];
  /** Contract as {@link Model.stream}: an expected failure is text and an `end` with state `error`. */
  run(request: ToolCallRequest, stop: StopSignal, report?: ToolReporter): AsyncIterable<ToolChunk>;
}

/** Thrown by an {@link EventLog} whose runner has been replaced: stop, and write nothing more. */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

/** The session's log as one reply writes it. Events get their id, time and seq there. */
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
  /** Failed tries of the current model call, or of the next one between calls; a crash does not lose them. */
  readonly failedTries: number;
  /**
   * Records a failed try and when the next may be made, also by a later runner.
   * @throws {FencedError} as {@link append}.
   */
  noteFailedTry(waitMs: number): void;
  /**
   * Records that the reply waits for an answer. With `isHeld` its execution lives on, and holds a connection of a call
   * that asks; the next event is the end of the wait. `running` for one that waits for tasks alone: no person or client
   * has to answer, and a new execution begins when one of them is due.
   * @throws {FencedError} as {@link append}.
   */
  park(status: ParkedStatus | "running", options?: { readonly isHeld: boolean }): void;
  /** Resolves when everything appended so far is on disk and visible. */
  settled(): Promise<void>;
}

export type ParkedStatus = "awaiting_permission" | "awaiting_external_result";

/** Delta events, which are most events of a log. */
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

/** The call ids of the session. */
export interface CallIds {
  /** Whether a call of this session already has this id. */
  isUsed(id: string): boolean;
}

/** Resolves after `waitMs` milliseconds, or soon after `stop` says so. Never rejects. */
export interface Sleep {
  (waitMs: number, stop: StopSignal): Promise<void>;
}

/** Settings and functions with which the loop asks for a confirmation or an external result. */
export interface Asking {
  /** Milliseconds in which a person has to answer. */
  readonly confirmation_ttl_ms: number;
  /** `sha256:` and 64 hex digits over the UTF-8 bytes of `<name>\n<input>`; `input` is the call's text as it is stored. */
  hashInput(name: string, input: string): Promise<string>;
  /** The timestamp of `ttlMs` milliseconds from now. */
  expiresAt(ttlMs: number): string;
}

/** A number from 0 to below 1, for jitter; not cryptographically secure. */
export interface Random {
  (): number;
}

export interface NewId {
  (prefix: "blk" | "call" | "sum"): string;
}
