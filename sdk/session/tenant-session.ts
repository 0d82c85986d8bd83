// A session handle with the additional operations of a tenant's API key.
import type {
  Compression,
  CompressSchema,
  SessionContext,
} from "../../protocol/context/compression.ts";
import type { ReplyDiagnostics } from "../../protocol/diagnostics/contract.ts";
import type { ForkCreateSchema } from "../../protocol/sessions/fork.ts";
import type { Observed, ObserveSchema } from "../../protocol/sessions/observe.ts";
import type { Decision } from "../../protocol/permission/contract.ts";
import type { PlanWriteSchema, SessionPlan } from "../../protocol/plans/contract.ts";
import type { Restored } from "../../protocol/sessions/restore.ts";
import type { AgentState, AgentStateInputSchema } from "../../protocol/sessions/session-state.ts";
import type { WrittenSession } from "../../protocol/sessions/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { clientTokensOf, type ClientTokens } from "../resources/client-tokens.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import { hooksOf, type HooksHandle } from "../resources/hooks-of.ts";
import { permissionRulesOf, type PermissionRules } from "../resources/permission-rules.ts";
import { withMessageIds, type ReplyInput } from "../resources/reply-input.ts";
import { SessionHandle } from "./session-handle.ts";
import { sharedStateOf, type SharedStateHandle } from "../resources/shared-state-of.ts";
import { tasksOf, type TasksHandle } from "../resources/tasks-of.ts";
import { toolGroupsOf, type ToolGroupsHandle } from "../resources/tool-groups-of.ts";
import { withWarnings, type Warned } from "../resources/with-warnings.ts";
import { strictly, type WriteOptions } from "../resources/write-options.ts";
import type { Transport } from "../transport/transport.ts";
import { postTo } from "../transport/write-requests.ts";

// The shapes that the handles answer, which the SDK exports with the class.
export type {
  HookDefinition,
  SessionHooks,
  WrittenSessionHooks,
} from "../../protocol/hooks/contract.ts";
/** Options of a state that is brought in. */
export interface StateOptions extends RequestOptions {
  /** Takes the place of what the session has. */
  readonly replace?: boolean;
  /** The session's newest cursor: with `replace`, refused with `version_mismatch` when something came after it. */
  readonly ifVersion?: number;
}

export type { JsonPatch, SharedState } from "../../protocol/shared-state/contract.ts";
export type { SessionTask } from "../../protocol/background/contract.ts";
export type { SessionPlan } from "../../protocol/plans/contract.ts";
export type { SessionToolGroups, ToolGroup } from "../../protocol/tool-groups/contract.ts";

/** The handle of a session that was created, with the warnings of the answer. */
export type CreatedSession = TenantSession & Warned;

export class TenantSession extends SessionHandle {
  readonly permissionRules: PermissionRules;
  readonly tokens: ClientTokens;
  readonly sharedState: SharedStateHandle;
  readonly hooks: HooksHandle;
  readonly toolGroups: ToolGroupsHandle;
  readonly tasks: TasksHandle;
  readonly #transport: Transport;
  readonly #path: readonly string[];

  constructor(transport: Transport, id: string) {
    super(transport, id);
    this.#transport = transport;
    this.#path = ["sessions", id];
    this.permissionRules = permissionRulesOf(transport, id);
    this.tokens = clientTokensOf(transport, id);
    this.sharedState = sharedStateOf(transport, id);
    this.hooks = hooksOf(transport, id);
    this.toolGroups = toolGroupsOf(transport, id);
    this.tasks = tasksOf(transport, id);
  }

  /** The log of permission decisions, newest first. */
  decisions(query?: ListQuery, options?: RequestOptions): Paged<Decision> {
    return this.#transport.list([...this.#path, "decisions"], query, options);
  }

  /** Why a reply failed, or what took long: its model calls, tool calls and waits. For API keys alone. */
  diagnostics(replyId: string, options?: RequestOptions): Promise<ReplyDiagnostics> {
    return this.#transport.get([...this.#path, "replies", replyId, "diagnostics"], options);
  }

  /** Adds messages to the conversation without starting a reply. */
  observe(messages: ReplyInput, options?: RequestOptions): Promise<Observed> {
    const body = { messages: withMessageIds(messages) };
    return postTo(this.#transport, [...this.#path, "observe"], body, options);
  }

  /**
   * Tells the session's readers events of the service's own, also while a reply runs: `CUSTOM` events and activities of
   * AG-UI, which no model reads. Hints are messages of their own for the next model call, refused while a reply runs.
   */
  tell(
    events: NonNullable<InputOf<typeof ObserveSchema>["events"]>,
    options?: RequestOptions,
  ): Promise<Observed> {
    return postTo(this.#transport, [...this.#path, "observe"], { events }, options);
  }

  /**
   * Creates a new session with a copy of this conversation. This session is unchanged. The handle has `warnings` about
   * copied rules that another version leaves without a call.
   */
  async fork(
    fork?: InputOf<typeof ForkCreateSchema>,
    options?: WriteOptions,
  ): Promise<CreatedSession> {
    const path = [...this.#path, "fork"];
    const made = await postTo<WrittenSession>(this.#transport, path, fork, strictly(options));
    return withWarnings(new TenantSession(this.#transport, made.id), made);
  }

  /** The context of the next model call: messages, tools and hints with their tokens. For API keys alone. */
  context(options?: RequestOptions): Promise<SessionContext> {
    return this.#transport.get([...this.#path, "context"], options);
  }

  /**
   * Summarises the conversation so far for the model; the messages stay stored. Resolves when the summary is stored, or,
   * with the status `queued`, when it is sure to be made.
   *
   * @throws {ApiError} `reply_running` and `reply_awaiting`, unless `on_busy` is `queue`; `compression_failed`; `hook_blocked` and
   *   `hook_failed` of a hook before the model call.
   */
  compress(
    request?: InputOf<typeof CompressSchema>,
    options?: RequestOptions,
  ): Promise<Compression> {
    return postTo(this.#transport, [...this.#path, "compress"], request, options);
  }

  /** The current plan and the earlier ones; changes appear in the stream as `CUSTOM state_updated`. */
  plan(options?: RequestOptions): Promise<SessionPlan> {
    return this.#transport.get([...this.#path, "plan"], options);
  }

  /**
   * Gives the session a plan, changes the current one or recovers an earlier one (both with their `id`), or takes it away
   * (null). With `ifVersion` it is written over that version only, else refused with `version_mismatch`. Not retried when
   * the response is lost, because a new plan would be made twice: read the plan then.
   */
  setPlan(
    plan: InputOf<typeof PlanWriteSchema>["plan"],
    options?: RequestOptions & { readonly ifVersion?: number },
  ): Promise<SessionPlan> {
    const path = [...this.#path, "plan"];
    return this.#transport.call({
      ...options,
      method: "PUT",
      path,
      body: { plan },
      answersOnce: true,
    });
  }

  /** Exports the session as AgentScope's AgentState. */
  state(options?: RequestOptions): Promise<AgentState> {
    return this.#transport.get([...this.#path, "state"], options);
  }

  /**
   * Imports a state into a session without messages; with `replace` in place of what it has, as AgentScope's
   * `load_state_dict` does. What was there stays in the log.
   */
  importState(
    state: AgentState | InputOf<typeof AgentStateInputSchema>,
    { replace, ...options }: StateOptions = {},
  ): Promise<AgentState> {
    const path = [...this.#path, "state"];
    return this.#transport.call({
      ...options,
      method: "PUT",
      path,
      ...(replace && { query: { replace } }),
      body: state,
      answersOnce: true,
    });
  }

  /**
   * Goes on from an earlier position of the log: the conversation is again that of the messages that were complete there.
   * With `ifVersion`, the session's newest cursor, only when nothing came after it, else refused with `version_mismatch`.
   *
   * @throws {ApiError} `reply_running` and `reply_awaiting`; `cursor_ahead`.
   */
  restore(
    cursor: number,
    options?: RequestOptions & { readonly ifVersion?: number },
  ): Promise<Restored> {
    return postTo(this.#transport, [...this.#path, "restore"], { cursor }, options);
  }
}
