// The ports and settings of the loop, for one execution of a reply.
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Ability } from "../ability.ts";
import type { ContextKeeper } from "../context/context-keeper.ts";
import type { HookMiddleware } from "../hooks/middleware.ts";
import type { ReplyHooks } from "../hooks/reply-hooks.ts";
import type { MediaStore } from "../media-store.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import type {
  Asking,
  CallIds,
  Diagnostics,
  EventLog,
  Model,
  NewId,
  Random,
  Sleep,
  StopSignal,
  ToolRunner,
} from "../ports.ts";
import type { TenantQuota } from "../tenant-quota.ts";

/** An agent in code over HTTP, in place of the agent's models. */
export interface ServedTurns {
  readonly model: Model;
  /** Whether a turn without a valid answer hands over to the model loop; it ends the reply otherwise. */
  readonly isOpen: boolean;
  /** Gives the last words of a reply that a user has interrupted; left out where the agent has none. */
  readonly handle_interrupt?: (reply: { readonly stop: StopSignal }) => Promise<string>;
}

export interface ReplyRun {
  readonly session_id: string;
  readonly end_user_id: string | null;
  readonly system_prompt: string;
  readonly max_iters: number;
  /** `stop` when left out. */
  readonly on_max_iters?: "stop" | "summarize";
  /** The platform's own limit when left out. */
  readonly max_tokens?: number;
  readonly quota: TenantQuota;
  /** The way of a reply when a quota is used up before the reply has ended. */
  readonly on_limit: "end" | "park";
  /** Called for each tool call: rules may be added while a reply runs. */
  readonly permission: () => PermissionSettings;
  readonly asking: Asking;
  /** In the order of their hints. */
  readonly abilities: readonly Ability[];
  /** The conversation before this reply, oldest first. */
  readonly history: readonly Msg[];
  /** The agent's model, then its fallbacks. */
  readonly models: readonly [Model, ...Model[]];
  /** Asked for each turn, until it hands over to the models; left out for the model loop. */
  readonly served?: ServedTurns;
  readonly toolRunner: ToolRunner;
  readonly log: EventLog;
  readonly callIds: CallIds;
  readonly newId: NewId;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly stop: StopSignal;
  /**
   * Awaited before each model call: sending a large conversation takes time in which other requests should be served.
   */
  readonly beforeModelCall?: () => Promise<void>;
  /** Whether the reply continues after its machine was lost. */
  readonly isRestart?: boolean;
  readonly diagnostics?: Diagnostics;
  /** Without it, media of any size stays in the log. */
  readonly mediaStore?: MediaStore;
  /** Keeps the requests within the window of the model; without it they are sent as they are. */
  readonly context?: ContextKeeper;
  /** The hooks of agent and session; left out when there are none. */
  readonly hooks?: ReplyHooks;
  /** The deployment's middleware around this loop, from the outermost layer on; none when left out. */
  readonly middleware?: readonly HookMiddleware[];
}
