// The interface between the loop and what keeps a session's context small: its state, its settings, and who summarises.
import type { ContextSettings } from "../../protocol/context/contract.ts";
import type {
  CompressionFailure,
  CompressionTrigger,
  ContextCompressedValue,
  ContextTruncatedValue,
} from "../../protocol/context/events.ts";
import type { ErrorInfo, Msg } from "../../protocol/messages/messages.ts";
import type { StopSignal, ToolDeclaration } from "../ports.ts";
import type { ContextState } from "./context-fold.ts";

/** The report of an earlier model call of the conversation. */
export interface EarlierCall {
  readonly message_id: string;
  /** The last block of that message that it has read or written: `block_id` of `ReplyState.last_call`. */
  readonly block_id: string;
  /** Tokens that the call read and wrote. */
  readonly tokens: number;
}

/** The context as the next model call would be sent it, and how much of it is to go. */
export interface CompressionRequest {
  readonly trigger: CompressionTrigger;
  /** As the messages were made with; a compression that ends with another one has changed nothing. */
  readonly state: ContextState;
  readonly system_prompt: string;
  /** As `modelContext` gives them: the summary so far, then what follows it. */
  readonly messages: readonly Msg[];
  readonly tools: readonly ToolDeclaration[];
  /** The reply that runs; its newest turn stays whatever happens. Null between replies. */
  readonly reply_id: string | null;
  /** Tokens of all this, as counted. */
  readonly tokens: number;
  /** Tokens that it should have afterwards at most. */
  readonly target: number;
  /** Tokens that the model of the conversation can read at once. */
  readonly window: number;
  /** Wishes for the summary, from the one who asked for it. */
  readonly instructions?: string;
}

export type CompressionOutcome =
  | {
      readonly type: "compressed";
      /** The event's value; the caller appends it. */
      readonly value: ContextCompressedValue;
      /** US dollars that the usage costs; null when it is not known. */
      readonly cost_usd: number | null;
    }
  /** There is nothing that could leave the context. */
  | { readonly type: "nothing" }
  /** Another compression has ended meanwhile, and its event is in the log. */
  | { readonly type: "overtaken" }
  | {
      readonly type: "failed";
      readonly reason: CompressionFailure;
      readonly error: ErrorInfo;
      /**
       * The messages that would leave the context without a summary; the caller appends this where the context does not
       * fit.
       */
      readonly truncation: ContextTruncatedValue;
      /** The name of the model that was asked. */
      readonly model: string;
      /** US dollars that the usage costs; null when it is not known. */
      readonly cost_usd: number | null;
    }
  | { readonly type: "stopped" };

/** One for each execution of a reply. */
export interface ContextKeeper {
  readonly settings: ContextSettings;
  /** The fold of the session's log at this moment. */
  readonly state: () => ContextState;
  /** Tokens that a model of the reply can read at once. @param index Among the reply's models. */
  windowOf(index: number): number;
  /**
   * The last model call before this reply, or of this one before its execution; null when it is not known, or messages
   * have left the context since. Asked once.
   */
  earlierCall?(): EarlierCall | null;
  /** Contract: never rejects, ends soon after `stop`, and appends nothing. One compression of a session runs at a time. */
  compress(request: CompressionRequest, stop: StopSignal): Promise<CompressionOutcome>;
}
