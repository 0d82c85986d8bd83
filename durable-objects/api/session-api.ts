// The interface of a session's object beside its acts (`acts/acts-api.ts`): RPC methods for its lifecycle, which return
// a `Result`, because a thrown class loses its identity on the way, and one `fetch` for streams. Mostly types.
import type { InheritedBounds } from "../../agent/agents/inherited-bounds.ts";
import type { AnswerRights } from "../../agent/answers/answer-context.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { ForkedFrom } from "../../protocol/sessions/fork.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import type { HookDefinition } from "../../protocol/hooks/contract.ts";
import type { ReplyModelOptions } from "../../protocol/models/model-options.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { AgentVersionChoice, Session } from "../../protocol/sessions/contract.ts";
import type { AbilityStateValue } from "../../protocol/ability-state.ts";
import type { A2aMark } from "../../protocol/a2a/a2a-mark.ts";
import type { AgUiRunMark } from "../../protocol/ag-ui/ag-ui-run.ts";
import type { AgUiProfile } from "../../protocol/ag-ui/ag-ui-profile.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type {
  ClientContext,
  ClientTool,
  RunInput,
} from "../../protocol/dialects/ag-ui/input/run-input.ts";
import type { Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PermissionMode, PermissionRule } from "../../protocol/messages/permission.ts";
import type { PinnedSkills } from "../../protocol/skills/skill.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import type { SealedSecret, WrappedKey } from "../../storage/secrets/credential-cipher.ts";
import type { TenantNotification } from "./tenant-api.ts";

/** The settings of a session, pinned in its object at creation, so that a running reply does not need D1. */
export interface SessionInit {
  readonly session_id: string;
  readonly tenant_id: string;
  readonly agent_id: string;
  readonly agent_version: number;
  readonly agent: AgentDefinition;
  /** Each reply begins with the agent's newest version (`readAgentSnapshot`). */
  readonly follows_latest?: boolean;
  /** The retired version that the session had, until the next reply has begun and its log says so. */
  readonly left_version?: number;
  /** The secrets that `agent` names, by credential id; `openPinnedCredentials` opens them. */
  readonly credentials?: Readonly<Record<string, SealedSecret>>;
  /** The hosts that each may be sent to, by credential id; null, or left out by an older version, for any. */
  readonly credential_hosts?: Readonly<Record<string, readonly string[] | null>>;
  /** The tenant's key that they are sealed with; left out when there are none. */
  readonly tenant_key?: WrappedKey;
  readonly end_user_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The client's own; left out where the first words of the conversation are shown. */
  readonly title?: string;
  readonly created_at: string;
  /** `https://host` of the request that opened the session: addresses that are sent out begin with it. */
  readonly origin?: string;
  /** The session and message that the conversation was copied from; left out for a session that began empty. */
  readonly forked_from?: ForkedFrom;
  /** Overrides the agent's permission mode; the agent's rules stay. */
  readonly permission?: { readonly mode?: PermissionMode };
  /** Absolute paths in which `accept_edits` lets files be changed. */
  readonly working_directories?: readonly string[];
  /** The session's own hooks, which run before the agent's, and how often they were changed. */
  readonly hooks?: { readonly list: readonly HookDefinition[]; readonly version: number };
  /** The versions of the agent's skills, as they were when a reply last began; left out before the first one. */
  readonly skills?: PinnedSkills;
  /** The session's own tools, beside the agent's; `equippedAgent` joins them. */
  readonly tools?: readonly ToolDefinition[];
  /** IANA name; a hint at the start of each reply then gives the model the local time. */
  readonly time_zone?: string;
  /** The AG-UI thread id, when that is not the session's id. */
  readonly thread_id?: string;
  /** The run that a fork's first run branches from. */
  readonly parent_run_id?: string;
  /** The call of another session's reply that began this one; left out for all others. */
  readonly parent?: ParentCall;
  /** The trigger that has opened it, and is told of its replies; left out for all others. */
  readonly trigger?: { readonly trigger_id: string };
  /** The room whose participant it is; left out for all others, and in forks. */
  readonly room?: RoomPlace;
  /** The bounds that it has from there, also in forks. */
  readonly bounds?: InheritedBounds;
  /** Tools and context of the open reply's newest AG-UI run; only in the settings that a reply began with. */
  readonly client?: {
    readonly tools: readonly ClientTool[];
    readonly context: readonly ClientContext[];
  };
}

interface ParentCall {
  readonly session_id: string;
  readonly tool_call_id: string;
  /** The call has ended: it begins nothing here any more. */
  readonly is_over?: true;
}

interface RoomPlace {
  readonly room_id: string;
  readonly participant: string;
  /** The last turns that the room has ended: they begin nothing here any more. */
  readonly ended_turns?: readonly string[];
  /** The last turns that have begun, each with its reply; oldest first. */
  readonly turns?: readonly { readonly turn_id: string; readonly reply_id: string }[];
}

/** The credential that acts on a session: for the audit record, and for its rights. */
export interface Actor extends AnswerRights {
  readonly kind:
    | "api_key"
    | "member"
    | "client_token"
    | "end_user"
    | "callback"
    | "inbound_endpoint";
  /** Id of the key, the member, the token, the end user, the delivery's message or the endpoint. */
  readonly id: string;
  /** A member's name, which stays in decisions; left out for all others. */
  readonly name?: string;
  /** Share of the end user who acts, over the one in the tenant's quotas; left out for all others. */
  readonly share?: EndUserShareChange | undefined;
}

export type { EventReceipt };

/** A change of the session; what is left out stays. A version takes effect with the next reply. */
export interface SessionPatch {
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Null for the first words of the conversation. */
  readonly title?: string | null;
  readonly agent_version?: AgentVersionChoice;
  /** The snapshot of `agent_version`, whenever that is a number. */
  readonly snapshot?: AgentSnapshot;
  /** Refused while a reply runs, as the directories are. A mode of null is the agent's. */
  readonly permission?: { readonly mode: PermissionMode | null };
  readonly working_directories?: readonly string[];
  readonly time_zone?: string | null;
  /** All of the session's own hooks. Take effect with the next reply. */
  readonly hooks?: readonly HookDefinition[];
  /** All of the session's own tools, as the hooks. */
  readonly tools?: readonly ToolDefinition[];
}

/** A fork's view of its source, read at one moment. */
export interface ForkSource {
  readonly init: SessionInit;
  readonly rules: readonly PermissionRule[];
  /** The states of abilities as they were where the copy ends. */
  readonly ability_states: readonly AbilityStateValue[];
  /** The last message of the copy; null when there is none. */
  readonly message_id: string | null;
  /** The AG-UI run of the last assistant message of the copy; left out when there is none. */
  readonly run_id?: string;
  /** Messages up to this position are complete and will not change. */
  readonly cursor: number;
}

/** A page of the messages that are copied, oldest first. */
export interface CopiedMessages {
  readonly messages: readonly Msg[];
  /** Content that hooks have given some of them, for the model. */
  readonly changed: readonly { readonly id: string; readonly content: readonly ContentBlock[] }[];
  /** The position after them: where the next page begins. */
  readonly cursor: number;
  readonly is_last: boolean;
}

export interface SessionFork {
  readonly init: SessionInit & { readonly forked_from: ForkedFrom };
  /** Become the new session's own. */
  readonly rules: readonly PermissionRule[];
  /** The states that the new session's abilities begin with. */
  readonly ability_states: readonly AbilityStateValue[];
  readonly actor: Actor;
  /** Binds the end user who forks; left out for all others. */
  readonly share?: EndUserShareChange | undefined;
}

export interface StatePatch {
  readonly patch: readonly PatchOperation[];
  /** The state must have one of these versions; any when left out. */
  readonly if_version?: readonly number[];
}

/**
 * Identifies a request with an `Idempotency-Key`. The request acts once; repeated, it gets the first answer, and is
 * refused while the first one is under way or when its fingerprint differs.
 */
export interface Idempotency {
  /** The operation with the sender and the client's key. */
  readonly key: string;
  /** As earlier releases kept it, without a sender; its fingerprint has the rights, so it is of the same session. */
  readonly former_key?: string;
  /** The hash of the request. */
  readonly fingerprint: string;
}

/** `is_replayed`: this request did nothing; an earlier one with the same key did it. */
export type Once<Value> = Result<Value> & { readonly is_replayed?: true };

/** A request for an AG-UI run. */
export interface RunStart {
  /** Has to be the session's. */
  readonly agent_id: string;
  readonly mark: AgUiRunMark & { readonly run_id: string };
  readonly input: RunInput;
  /** The rights of the credential beside starting replies. */
  readonly rights: { readonly may_confirm: boolean; readonly may_give_results: boolean };
  /**
   * D1 is known to list the session. Without it, a session with a `thread_id` is `not_found` until its listing is
   * confirmed: it may yet be erased, and the run with it.
   */
  readonly is_listed?: boolean;
  /** The client's. In `0.0` an interrupt brings no snapshot, so what the client lacks is found when the run starts. */
  readonly profile?: AgUiProfile;
  /** No fork of the thread knows the run's parent either. */
  readonly is_parent_unknown?: boolean;
  readonly trace?: TraceContext;
}

/** The part of a reply that a run shows. */
export interface StartedRun {
  readonly reply_id: string;
  /** The seq before its first event. */
  readonly cursor: number;
  /** Nothing was started: the run was known, or its input was in the session already. */
  readonly is_repeated: boolean;
  /** The seq of the last event of a repeated run that is over. */
  readonly to_seq?: number | null;
  /** The client has messages of the run already, or has missed some: it needs a snapshot of the thread, not the run. */
  readonly is_partly_held?: true;
}

export interface ReplyStart {
  readonly input: string | InputMessage | readonly ContentBlock[] | readonly InputMessage[];
  readonly on_busy: "reject" | "queue" | "interrupt";
  /** The schema of the reply's structured output: the agent's `structured_output` when left out, none when null. */
  readonly structured_schema?: JsonSchema | null;
  /** Options of the model calls that differ from the agent's. */
  readonly model_options?: ReplyModelOptions;
  /** Sent with the reply's outgoing requests; it is not in the log. */
  readonly trace?: TraceContext;
  /** As {@link Actor.share}, of who asks for it. */
  readonly share?: EndUserShareChange | undefined;
  /** The event that begins it, for a reply that no request has asked for. */
  readonly woken_by?: string;
  /** Beside `woken_by`: as {@link A2aMark.depth}, of the reply with the call. */
  readonly a2a_depth?: number | undefined;
  /** The names of a client of A2A, whose task it is; left out for all others. */
  readonly a2a?: A2aMark;
}

/**
 * `fetch("https://session/stream?after=&reply_id=&follow=session&token_id=&key_id=&key_expires_at=&may_edit=&format=&raw=&run_id=&thread_id=")` answers
 * 200 with SSE, 204 at the end of a log in which nothing runs, or a refusal: JSON of `Refusal` with the header of
 * {@link REFUSAL_HEADER}. `after` is `<seq>`, or `<seq>.<k>` of a frame of the format; a reader of AG-UI without it
 * begins with a snapshot. With `run_id` the stream is one run, under these ids, and ends with it. `fetch` of a
 * `readUrl` returns
 * JSON of any size, or a refusal.
 */
export interface SessionApi {
  /**
   * Idempotent for the same init. Unless {@link listed} follows, the session checks D1 by itself, and is erased when
   * there is no row.
   */
  create(init: SessionInit): Promise<Result<Session>>;
  /**
   * Fills an object that was never created from `forked_from`; it is no session before all of that is on disk. A fork of
   * the same source that the object holds already is found, so that concurrent requests for it all succeed.
   */
  createFork(fork: SessionFork): Promise<Result<Session>>;
  /**
   * D1 has the session's row: publishes `session.created` to webhook endpoints. Once, however often it is called.
   * @param hasEndpoints False when the tenant had none as the row was written: then nothing asks D1.
   */
  listed(hasEndpoints?: boolean): Promise<Result<null>>;
  /**
   * Stops a running reply and erases the object; a later call is `not_found`. @param createdAt Erases only the session
   * that was created then: a thread may have a new session since. @param isUnusedOnly One in which something was said stays.
   */
  remove(createdAt?: string, isUnusedOnly?: boolean): Promise<Result<null>>;
  /**
   * Called by a fork's object. The next messages above `after`, up to `upTo`: as many as one batch of a copy has room
   * for.
   */
  readForkMessages(after: number, upTo: number): Promise<Result<CopiedMessages>>;
  /** False for a client token that was revoked, has expired or was never minted here. */
  admitsToken(tokenId: string): Promise<boolean>;
  /** Called by the tenant's object: replies and streams may have to end. */
  notify(notification: TenantNotification): Promise<void>;
}

export const REFUSAL_HEADER = "x-reprise-refusal";
export const STREAM_URL = "https://session/stream";
/** The name of a session's object: tenant and session together, so another tenant's id finds nothing. */
export function sessionObjectName(tenantId: string, sessionId: string): string {
  return `${tenantId}:${sessionId}`;
}
