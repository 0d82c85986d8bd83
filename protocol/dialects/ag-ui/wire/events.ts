// Types of the AG-UI events that the translator emits: those of 1.0, with what the profile 0.0 leaves out as optional.
// Absent members are left out, never null.
import type { LoggedEvent } from "../../../events.ts";
import type { PatchOperation } from "../../../json-patch.ts";
import type { StateObject } from "../../../shared-state/events.ts";
import type { AgUiMessage } from "./messages.ts";
import type { AgUiToolMessage } from "./result-message.ts";

export const AG_UI_PROTOCOL_VERSION = "1.0";

/** Token usage of one model in one run: the first two are totals, the others are parts of them. */
export interface AgUiUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}

/** A call that waits for a confirmation or an external result. */
export interface AgUiInterrupt {
  readonly id: string;
  /** The lane of the called agent, or of the participant of a room, that asks. */
  readonly subagentRunId?: string;
  readonly reason: string;
  readonly message: string;
  /** Left out where a person is waited for in a room, and no call. */
  readonly toolCallId?: string;
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  readonly expiresAt?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type AgUiOutcome =
  /** With pending calls of the client's own tools, whose results it must send. */
  | { readonly type: "success"; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: "cancelled" }
  | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] };

/** The end of the lane of a called agent, or of a room's turn. */
type AgUiLaneOutcome =
  | { readonly type: "success" }
  /** With the interrupts of the run that are its own, if any. */
  | { readonly type: "suspended"; readonly interruptIds?: readonly string[] };

type Shape<Type extends string, Fields = object> = {
  readonly type: Type;
  /** Unix time in milliseconds; absent on deltas. */
  readonly timestamp?: number;
  /** The event of the log that it was made of, for readers that ask for it. */
  readonly rawEvent?: LoggedEvent;
} & Readonly<Fields>;
/** An event of the agent itself, or of one that it has called or that is in its room, which is named. */
type OfAgent<Fields> = Fields & { subagentRunId?: string };
type OfMessage<Type extends string, Fields = object> = Shape<
  Type,
  OfAgent<{ messageId: string } & Fields>
>;
type OfCall<Type extends string, Fields = object> = Shape<
  Type,
  OfAgent<{ toolCallId: string } & Fields>
>;
type OfLane<Type extends string, Fields = object> = Shape<Type, { subagentRunId: string } & Fields>;

/** Ids of thread and run: the client's own, else those of session and reply. */
export interface AgUiRun {
  readonly threadId: string;
  readonly runId: string;
}

export type AgUiEvent =
  | Shape<
      "RUN_STARTED",
      AgUiRun & { protocolVersion?: string; parentRunId?: string; input?: AgUiRunInput }
    >
  | Shape<
      "RUN_FINISHED",
      AgUiRun & { outcome?: AgUiOutcome; result?: unknown; usage?: readonly AgUiUsage[] }
    >
  | Shape<"RUN_ERROR", { message: string; code: string; usage?: readonly AgUiUsage[] }>
  | Shape<"STEP_STARTED", { stepName: string }>
  | Shape<"STEP_FINISHED", { stepName: string }>
  | OfMessage<"TEXT_MESSAGE_START", { role: "assistant"; name?: string }>
  | OfMessage<"TEXT_MESSAGE_CONTENT", { delta: string }>
  | OfMessage<"TEXT_MESSAGE_END">
  | OfMessage<"REASONING_START">
  | OfMessage<"REASONING_MESSAGE_START", { role: "reasoning" }>
  | OfMessage<"REASONING_MESSAGE_CONTENT", { delta: string }>
  | OfMessage<"REASONING_MESSAGE_END">
  | OfMessage<"REASONING_END">
  | Shape<
      "REASONING_ENCRYPTED_VALUE",
      { subtype: "message" | "tool-call"; entityId: string; encryptedValue: string }
    >
  | OfCall<"TOOL_CALL_START", { toolCallName: string; parentMessageId: string }>
  | OfCall<"TOOL_CALL_ARGS", { delta: string }>
  | OfCall<"TOOL_CALL_END">
  | OfCall<
      "TOOL_CALL_RESULT",
      { messageId: string; role: "tool" } & Pick<AgUiToolMessage, "content" | "metadata">
    >
  | OfMessage<
      "ACTIVITY_SNAPSHOT",
      { activityType: string; content: Readonly<Record<string, unknown>> }
    >
  | OfMessage<"ACTIVITY_DELTA", { activityType: string; patch: readonly PatchOperation[] }>
  | Shape<
      "MESSAGES_SNAPSHOT",
      { messages: readonly AgUiMessage[]; metadata: Readonly<Record<string, unknown>> }
    >
  | OfLane<
      "SUBAGENT_STARTED",
      { name: string; parentSubagentRunId?: string; parentToolCallId?: string }
    >
  | OfLane<"SUBAGENT_FINISHED", { outcome: AgUiLaneOutcome }>
  | OfLane<"SUBAGENT_ERROR", { message: string; code: string }>
  | Shape<"STATE_SNAPSHOT", { snapshot: StateObject }>
  | Shape<"STATE_DELTA", { delta: readonly PatchOperation[] }>
  | Shape<"RAW", { event: LoggedEvent; source: "agentscope" }>
  | Shape<"CUSTOM", OfAgent<{ name: string; value: Readonly<Record<string, unknown>> }>>;

/** A tool as a client declares it, with every member that a released client requires. */
export interface DeclaredAgUiTool extends Readonly<Record<"name" | "description", string>> {
  /** JSON Schema of the call's input; models of Python up to 0.1.13 require it. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * A run's input: the messages added since the previous run, and the tools and context that its client brought. It has
 * every member that a released client requires of a `RunAgentInput`; the state comes as `STATE_SNAPSHOT`.
 */
export interface AgUiRunInput extends AgUiRun {
  readonly parentRunId?: string;
  readonly state: Readonly<Record<string, never>>;
  readonly messages: readonly AgUiMessage[];
  readonly tools: readonly DeclaredAgUiTool[];
  readonly context: readonly { readonly description: string; readonly value: string }[];
  readonly forwardedProps: Readonly<Record<string, never>>;
}

/**
 * An event with its position: the `k`-th event, from 1, that log event `seq` translates to. Positions are the same live
 * and in every replay. A `RAW` has `k` 0, or, after the start of a run, the position of the frame before it.
 */
export interface AgUiFrame {
  readonly seq: number;
  readonly k: number;
  readonly event: AgUiEvent;
}
