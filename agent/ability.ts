// The seam between the loop and what an agent can do beside calling its tools: one interface, a list of them for each
// reply. The loop names none.
import type { AgentDefinition } from "../protocol/api/agents.ts";
import type { ClientContext } from "../protocol/dialects/ag-ui/input/run-input.ts";
import type { EventDraft, LoggedEvent } from "../protocol/events.ts";
import type { ToolCallBlock } from "../protocol/messages/blocks.ts";
import type { Msg } from "../protocol/messages/messages.ts";
import type { DeltaDraft, StopSignal, ToolDeclaration } from "./ports.ts";
import type { ReplyState } from "./state/reply-state.ts";

/** One ability as a reply has it. Every hook may be left out. */
export interface Ability {
  /** Unique among those of a deployment. */
  readonly name: string;
  readonly hint?: AbilityHint;
  readonly tools?: AbilityTools;
  /**
   * Changes what the model sees, before it is made acceptable to a provider. Nothing of it is stored.
   * @param messages Oldest first; the last one is the reply so far.
   */
  changeContext?(messages: readonly Msg[]): readonly Msg[];
  /**
   * Called before the first model call of a reply, and again by each new runner (after a crash, or when the reply has
   * waited for a quota) until that call has come to its end: what it does outside has to bear being done twice. Its
   * events are one append, such as a catalogue that the reply is pinned to. Contract: never rejects; after `stop` nothing is appended.
   */
  begin?(reply: ReplyState, stop: StopSignal): Promise<readonly EventDraft[]>;
  /**
   * Events for the commit of `REPLY_END`, before it, when the loop ends the reply. One that is interrupted, cut off by its
   * output limit or ended after a crash ends without: a state that must know of every end reads `REPLY_END`.
   */
  end?(reply: ReplyState): readonly EventDraft[];
}

/** What the model is told before a call, as a `HINT_BLOCK`: it stands in the log, so the record says so. */
interface AbilityHint {
  /** The `source` of its blocks; unique among the abilities of a deployment. */
  readonly source: string;
  /** Whether the model of a later reply still sees them. */
  readonly outlivesReply: boolean;
  /** Also what the newest of these blocks says already. Without it nothing is told twice in a row. */
  readonly mayRepeat?: boolean;
  /** Null when there is nothing to tell. Asked before each model call. */
  text(reply: ReplyState): string | null;
}

/** A call that the rules, or a person, have let through. */
interface AllowedCall {
  readonly call: ToolCallBlock;
  /** Parsed and valid against the tool's schema. */
  readonly input: unknown;
}

/** What the result of a call says, and what else is in its commit. */
export interface Settlement {
  /** For the model. */
  readonly text: string;
  readonly isError?: boolean;
  /** Behind `TOOL_RESULT_START`. */
  readonly events?: readonly EventDraft[];
  /** Behind `TOOL_RESULT_END`. */
  readonly after?: readonly EventDraft[];
}

/**
 * The tools of an ability, and how it settles a call of one. Names are unique in a session: a tool whose name an earlier
 * one has is not offered.
 */
export type AbilityTools =
  /**
   * Changes nothing but the log: the whole result is one append, so that a crash leaves all of it or nothing. Input and
   * permission are checked as for every tool.
   */
  | {
      readonly kind: "log";
      /** As they are now. */
      declare(): readonly ToolDeclaration[];
      settle(allowed: AllowedCall, reply: ReplyState): Settlement;
    }
  /**
   * Has effects outside: `TOOL_RESULT_START` is on disk before it is settled. After a crash it is settled again if its
   * tool is `idempotent`, else the outcome is unknown. Contract: never rejects.
   */
  | {
      readonly kind: "outside";
      declare(): readonly ToolDeclaration[];
      settle(allowed: AllowedCall, reply: ReplyState, stop: StopSignal): Promise<Settlement>;
    }
  /** Part of the reply itself: no rule is asked, nothing outside hears of it, and the input comes as it was written. */
  | {
      readonly kind: "internal";
      declare(reply: ReplyState): readonly ToolDeclaration[];
      settle(call: ToolCallBlock, reply: ReplyState): Settlement;
    };

/** The events that a state may be folded from: all but deltas, which are nearly all of a log. */
type FoldedEventType = Exclude<LoggedEvent["type"], DeltaDraft["type"]>;

/**
 * The state of an ability: a fold of the session's log. It is kept with the events that change it, in their commit, and
 * written whole at each change: what grows without bound does not belong here.
 */
export interface AbilityFold<State> {
  /** What its snapshots are known by: the name of its ability. */
  readonly name: string;
  /** JSON, as every state is. */
  readonly initial: State;
  /** The types of the events that {@link advance} is called for. */
  readonly reads: readonly FoldedEventType[];
  /** Pure. @returns the same value when the event changes nothing. */
  advance(state: State, event: LoggedEvent): State;
  /**
   * What a state from another session becomes in a new one; null for one that is not taken. An import's may be any JSON.
   * Left out, a fork goes on with its source's as it is, and an import brings none.
   * @param agent Of an import: what it asks of the state holds for what comes from outside. Left out for a fork.
   */
  adopt?(snapshot: unknown, agent?: AgentDefinition): State | null;
}

/** What an ability may know of the session that it is opened for. */
interface AbilitySession {
  /** What the open reply began with, else what the next one will begin with. */
  readonly agent: AgentDefinition;
  /** IANA name; null when the session has none. */
  readonly time_zone: string | null;
  /** What the client of the open reply says beside the conversation. */
  readonly client_context: readonly ClientContext[];
  /** Unix time in milliseconds. */
  readonly nowMs: () => number;
  /** A state as the log is at this moment. */
  readonly stateOf: <State>(fold: AbilityFold<State>) => State;
}

/** How an ability comes into every session of a deployment. */
export interface AbilityDefinition {
  readonly state?: AbilityFold<unknown>;
  /** Called each time that the abilities are needed, for each runner and for each answer: it only wires. */
  open(session: AbilitySession): Ability;
}
