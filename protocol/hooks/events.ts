// Hooks on the wire: their points, and the two events that say what a hook did.
import type { ContentBlock } from "../messages/blocks.ts";

/** Before and after the core functions of an agent. An HTTP hook and a function of the deployment may be at each. */
export const HOOK_POINTS = [
  "pre_reply",
  "post_reply",
  "pre_print",
  "post_print",
  "pre_reasoning",
  "pre_model_call",
  "post_reasoning",
  "pre_acting",
  "post_acting",
  "pre_observe",
  "post_observe",
] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];

/** Points of middleware around the loop: for functions of the deployment alone. */
export const MIDDLEWARE_POINTS = [
  "on_reply",
  "on_reasoning",
  "on_acting",
  "on_model_call",
  "on_check_permission",
  "on_compress_context",
  "on_system_prompt",
  "plan_to_hint",
] as const;
export type MiddlewarePoint = (typeof MIDDLEWARE_POINTS)[number];

/** The `name` of the `CUSTOM` event that says what a hook did; its value is {@link HookAnsweredValue}. */
export const HOOK_ANSWERED = "hook_answered";

/** The `name` of the `CUSTOM` event by which a hook stops its reply; its value is {@link RequestStopValue}. */
export const REQUEST_STOP = "request_stop";

/**
 * `unchanged`: it had nothing to say, or added a hint alone. `asked`: a person has to confirm the call. `failed`: it
 * gave no valid answer in time.
 */
type HookOutcome = "unchanged" | "changed" | "blocked" | "asked" | "stopped" | "failed";

/** A block of a message: ids are unique within a type alone. */
export interface BlockPlace {
  readonly type: ContentBlock["type"];
  readonly id: string;
}

/** Members that a hook has put in the place of what it was shown; which ones there are depends on its point. */
export interface HookChange {
  /** `pre_reply`, `pre_observe`: what the model sees of these messages from now on. */
  readonly messages?: readonly { readonly id: string; readonly content: readonly unknown[] }[];
  /** `pre_reasoning`. */
  readonly tool_choice?: unknown;
  /** `pre_acting`: the input's JSON text, as `tool_call_edited` has it. */
  readonly tool_input?: string;
  /** `post_reasoning`, `post_reply`: texts of blocks of the message. */
  readonly blocks?: readonly { readonly id: string; readonly text: string }[];
  /** `post_reasoning`, `post_reply`: blocks that are no part of the message any more. */
  readonly removed?: readonly BlockPlace[];
  /**
   * `post_reasoning`, `post_reply`: new blocks, whose own events come before this one in its commit. Each is put before the
   * block that is named, those of one place in their order; with null it stays at the end.
   */
  readonly added?: readonly { readonly id: string; readonly before: BlockPlace | null }[];
  /** `post_acting`: the output of the result, which the model reads; `pre_print`: the block's text. */
  readonly text?: string;
}

export interface HookAnsweredValue {
  /** Left out for a hook that was asked beside a reply. */
  readonly reply_id?: string;
  /** The id of its request: that of its `webhook-id`. */
  readonly id: string;
  readonly hook: string;
  readonly point: HookPoint;
  /**
   * The subject of the question: the id of a call, a block or a message, or the number of a model call; null for a
   * reply. At `pre_model_call` the number with a hash of the request.
   */
  readonly step: string | null;
  readonly outcome: HookOutcome;
  readonly reason?: string;
  readonly change?: HookChange;
  /** Of `asked`, and of a changed call whose input before would have been asked about. */
  readonly asks?: true;
  /** Of `blocked` and `stopped` before the reply or a model call: what the reply says in place of an answer. */
  readonly text?: string;
  /** A sentence on events that the hook told and that were not accepted. */
  readonly events_omitted?: string;
  readonly failure?: { readonly kind: string; readonly on_failure: "open" | "closed" };
}

/** AgentScope for Java's names of a requested stop. */
export type StopRequest =
  | "REASONING_STOP_REQUESTED"
  | "ACTING_STOP_REQUESTED"
  | "MIDDLEWARE_STOP_REQUESTED";

export interface RequestStopValue {
  readonly reply_id: string;
  readonly reason: string;
  readonly generateReason: StopRequest;
}

/** The reason that a hook at this point stops with. */
export function stopRequestOf(point: HookPoint): StopRequest {
  switch (point) {
    case "pre_reasoning":
    case "pre_model_call":
    case "post_reasoning":
    case "pre_print":
      return "REASONING_STOP_REQUESTED";
    case "pre_acting":
    case "post_acting":
      return "ACTING_STOP_REQUESTED";
    default:
      return "MIDDLEWARE_STOP_REQUESTED";
  }
}
