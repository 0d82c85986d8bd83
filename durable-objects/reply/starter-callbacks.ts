// What the starter of replies needs of its session: what it reads, and what it calls.
import type { EventDraft } from "../../protocol/events.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { ActiveReply } from "./active-reply.ts";
import type { SessionTenant } from "../tenant/session-tenant.ts";
import type { StartTarget } from "./start-reply.ts";

export interface StarterContext extends StartTarget {
  readonly active: ActiveReply | null;
  readonly tenant: Pick<SessionTenant, "admit">;
  readonly openReply: ActiveReply | null;
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  findMessage(id: string): { readonly message: Msg; readonly reply_id: string | null } | null;
}

/** What the starter leaves to the control of the session's replies. */
export interface StarterCallbacks {
  readonly storage: DurableObjectStorage;
  /** Resolves when the open reply's end is durable. */
  readonly interrupt: () => Promise<unknown>;
  /** Ends a reply that has just begun. */
  readonly endAtOnce: (reply: ActiveReply, accepted: readonly EventDraft[]) => void;
  /** Ends the open reply with an error. */
  readonly giveUp: () => void;
  /** Runs a reply whose start is durable. */
  readonly run: (reply: ActiveReply, trace?: TraceContext) => void;
  readonly inBackground: (work: Promise<unknown>) => void;
}
