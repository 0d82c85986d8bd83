// The interface between the loop and the abilities of an agent. Each reply gets a list of abilities; the loop knows
// none by name.
import type { AgentDefinition } from "../protocol/agents/contract.ts";
import type { Announcement } from "../protocol/webhooks/announcement.ts";
import type { PermissionContext } from "../protocol/sessions/session-state.ts";
import type { Session } from "../protocol/sessions/contract.ts";
import type { ActivityView } from "../protocol/dialects/ag-ui/activity-view.ts";
import type { ClientContext } from "../protocol/dialects/ag-ui/input/run-input.ts";
import type { EventDraft, LoggedEvent } from "../protocol/events.ts";
import type { ToolCallBlock } from "../protocol/messages/blocks.ts";
import type { Msg } from "../protocol/messages/messages.ts";
import type { PinnedSkills } from "../protocol/skills/skill.ts";
import type { UntrustedSource } from "../protocol/messages/untrusted-content.ts";
import type { AgentStateParts, GivenStateParts } from "./state/agent-state-parts.ts";
import type { DeltaDraft, StopSignal, ToolDeclaration } from "./ports.ts";
import type { SessionMemory } from "./memory-store.ts";
import type { SkillLibrary } from "./skill-library.ts";
import type { ReplyState } from "./state/reply-state.ts";

/** One ability, opened for a reply. Every hook is optional. */
export interface Ability {
  /** Unique in a deployment. */
  readonly name: string;
  readonly hint?: AbilityHint;
  readonly tools?: AbilityTools;
  /**
   * The reason that a tool of the reply is not there at this moment, as the model is told when it calls the tool; null
   * for one that is there. The model is not offered it. Called for each tool at each look at them.
   */
  readonly withholds?: (name: string) => string | null;
  /** A tool that the model has to call before the reply is complete; null when this reply needs none. */
  requiredTool?(reply: ReplyState): RequiredTool | null;
  /**
   * Transforms the messages that the model sees, before they are made acceptable to a provider. The result is not
   * stored.
   * @param messages Oldest first; the last one is the reply so far.
   */
  changeContext?(messages: readonly Msg[]): readonly Msg[];
  /**
   * Called before the first model call of a reply, and again by each new execution (after a crash, or when the reply has
   * waited for a quota) until that call has ended: its effects outside have to be repeatable. Its events are one append,
   * such as a catalogue that the reply is pinned to. Contract: never rejects; after `stop` nothing is appended.
   */
  begin?(reply: ReplyState, stop: StopSignal): Promise<readonly EventDraft[]>;
  /**
   * Called by each execution of a reply whose first model call has ended already, before it goes on: the reply may have
   * waited for days. Contract as {@link begin}.
   */
  resume?(reply: ReplyState, stop: StopSignal): Promise<readonly EventDraft[]>;
  /**
   * Called before each model call of a reply, also when it is made again: what has changed outside since the reply began.
   * Contract as {@link begin}, and soon.
   */
  beforeCall?(reply: ReplyState, stop: StopSignal): Promise<readonly EventDraft[]>;
  /**
   * Events that the commit of `REPLY_END` has before it, when the loop ends the reply. Not called for a reply that is
   * interrupted, cut off by its output limit or ended after a crash: a state that depends on every end reads
   * `REPLY_END`.
   */
  end?(reply: ReplyState): readonly EventDraft[];
}

/** A text for the model before a call, appended as a `HINT_BLOCK`, so that the log records it. */
interface AbilityHint {
  /** The `source` of its blocks; unique in a deployment. */
  readonly source: string;
  /**
   * Whether later replies still show these blocks to the model: what was sent once and is sent again is found in the
   * provider's prompt cache. With a tool's name: as long as the model is offered that tool.
   */
  readonly outlivesReply: boolean | { readonly withTool: string };
  /** A newer one makes the earlier ones, also of earlier replies, out of date: large ones are not sent any more. */
  readonly replacesEarlier?: boolean;
  /** The text that takes an earlier one back when there is none now. */
  readonly retraction?: string;
  /** Whether a text is appended again that equals the newest of these blocks; false when left out. */
  readonly mayRepeat?: boolean;
  /**
   * Called before each model call; null for no hint. @param reply With the blocks of its message that the model is still
   * sent.
   */
  text(reply: ReplyState): string | null;
}

/** A tool whose call completes a reply, in place of text. */
export interface RequiredTool {
  readonly name: string;
  /** Whether the reply has what the call is to give. */
  readonly isDone: boolean;
  /** Rounds beyond the agent's limit, in which the model may call only this tool. */
  readonly extraRounds: number;
}

/** A call that the rules or a person have allowed. */
interface AllowedCall {
  readonly call: ToolCallBlock;
  /** Parsed and valid against the tool's schema. */
  readonly input: unknown;
}

/** The result of a call, and the events that are in its commit. */
export interface Settlement {
  /** The result's text, for the model. */
  readonly text: string;
  readonly isError?: boolean;
  /**
   * The source of the text, when it is not trusted. A tool of the kind `outside` whose results are never trusted
   * declares it instead; one that finds out says it here, and the result's end has it.
   */
  readonly untrusted?: UntrustedSource | null;
  /** Facts about the result, for the metadata of its end. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Appended after `TOOL_RESULT_START`. */
  readonly events?: readonly EventDraft[];
  /** Appended after `TOOL_RESULT_END`. */
  readonly after?: readonly EventDraft[];
}

/**
 * The tools of an ability, and the handler that settles their calls. Names are unique in a session: a tool with the
 * name of an earlier one is not offered.
 */
export type AbilityTools =
  /**
   * Has no effect outside the log: the whole result is one append, so that a crash leaves all of it or nothing. Input
   * and permission are checked as for every tool.
   */
  | {
      readonly kind: "log";
      /** The tools that are available now. */
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
  /**
   * Internal to the reply: no permission rule is checked, no request leaves the platform, and the input is passed as
   * the model wrote it.
   */
  | {
      readonly kind: "internal";
      declare(reply: ReplyState): readonly ToolDeclaration[];
      settle(call: ToolCallBlock, reply: ReplyState): Settlement;
    };

/** The events that a state may be folded from: all but deltas, which are most of a log. */
type FoldedEventType = Exclude<LoggedEvent["type"], DeltaDraft["type"]>;

/**
 * The state of an ability: a fold of the session's log. It is stored in the commit of the events that change it, as a
 * whole at each change; data that grows without bound does not belong here.
 */
export interface AbilityFold<State> {
  /** The name in its snapshots: that of its ability. */
  readonly name: string;
  /** A JSON value, like every state. */
  readonly initial: State;
  /** The types of the events that {@link advance} is called for. */
  readonly reads: readonly FoldedEventType[];
  /** Pure. @returns the same value when the event changes nothing. */
  advance(state: State, event: LoggedEvent): State;
  /**
   * Converts a state from another session for a new one; null to drop it. An import's may be any JSON. Without this
   * hook a fork keeps its source's state as it is, and an import drops it.
   * @param agent Of an import: its requirements hold for a state from outside. Left out for a fork.
   */
  adopt?(snapshot: unknown, agent?: AgentDefinition): State | null;
  /**
   * The state behind a restore of the session, in which `target` is that of the restored conversation. Without this hook
   * it is the target. What is true whatever the conversation says, such as what works outside, stays as it is now.
   */
  restore?(target: State, now: State): State;
}

/** The session as an ability sees it. */
interface AbilitySession {
  /**
   * The definition that the open reply began with; between replies, the one that the next reply will begin with. The
   * session's own tools are among its tools.
   */
  readonly agent: AgentDefinition;
  /** Whether another agent's call has opened the session: its calls are not let go. */
  readonly isCalled: boolean;
  /** IANA name; null when the session has none. */
  readonly time_zone: string | null;
  /** Context that the client of the open reply sends beside the conversation. */
  readonly client_context: readonly ClientContext[];
  /** Unix time in milliseconds. */
  readonly nowMs: () => number;
  /** The messages before the open reply that its model sees, oldest first; none where no reply is run. */
  readonly history: () => readonly Msg[];
  /** Tokens that the reply's first model can read at once. */
  readonly contextSize: number;
  /** AgentScope's `permission_context` of the session; undefined when its rules are too many for an event. */
  readonly permissionContext: () => PermissionContext | undefined;
  /** The versions of its skills that the open reply uses, or that the next one would as far as is known. */
  readonly skills: PinnedSkills;
  readonly skillLibrary: SkillLibrary;
  readonly memory: SessionMemory;
  /** The reasons that tools of the reply are missing: a sentence of the platform's for each source of them. */
  readonly missingTools: () => readonly string[];
  /** The current state of a fold. */
  readonly stateOf: <State>(fold: AbilityFold<State>) => State;
}

/**
 * An ability as a deployment registers it, for all its sessions. Beside the loop's hooks, which an {@link Ability} has, it
 * has those of the session's object: all optional, and pure over events and the folded state.
 */
export interface AbilityDefinition<State = unknown> {
  readonly state?: AbilityFold<State>;
  /**
   * Called for each runner and for each answer, so it should only construct the ability: no input or output, no long
   * computation.
   */
  open(session: AbilitySession): Ability;
  /**
   * An event that webhooks are told in the words of the API: ids and states, no text of a conversation. Null for every
   * other event. Called in the commit of each event of the log, so it should look at the event's type first.
   */
  announces?(event: LoggedEvent): Announcement | null;
  /** Activities by which AG-UI's readers are shown the state. Without them they get its events as `CUSTOM`. */
  readonly shows?: AbilityActivities<State>;
  /** Members of the API's `Session` that are this ability's. */
  views?(state: State): Partial<Session>;
  /** Members of an exported `AgentState` beside the state itself, which is in `middle_context`. */
  exports?(state: State, agent: AgentDefinition): AgentStateParts;
  /**
   * The state of an import, which {@link AbilityFold.adopt} is given then; null for none.
   * @param given Of `middle_context`: any JSON. @param parts The members that {@link exports} writes.
   */
  adopts?(given: unknown, parts: GivenStateParts, context: ImportContext): State | null;
}

/** Activities, and the part of an ability's state that they show. */
export interface AbilityActivities<State, Shown = unknown> extends ActivityView<Shown> {
  /** For a session in which nothing runs. */
  of(state: State): Shown;
}

/** The session that a state is imported to. */
interface ImportContext {
  readonly agent: AgentDefinition;
  /** ISO 8601, UTC. */
  readonly now: string;
}
