// The session as its compression needs it; an interface, because the session's own record is built upon it.
import type { EgressBindings } from "../../outgoing/egress-rules.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { MemoryBindings } from "../settings/session-memory.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import type { Usage } from "../../protocol/messages/messages.ts";

export interface CompressionSession {
  readonly settings: SessionSettings;
  /** The settings of the next reply. */
  readonly init: SessionInit;
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly tenant: Pick<SessionTenant, "checkBeside">;
  readonly outbox: {
    readonly addUsage: (
      summaryId: string,
      usage: {
        readonly model_name: string;
        readonly usage: Usage;
        readonly cost_usd: number | null;
      },
      seq: number,
    ) => void;
  };
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  /** The reply that runs or waits. */
  readonly openReply: {
    readonly id: string;
    readonly startCursor: number;
    readonly isRunning: boolean;
  } | null;
  /** Whether a reply runs, or the next one of the queue is about to. */
  readonly isActing: boolean;
  readonly sync: () => Promise<void>;
  readonly transaction: <Value>(write: () => Value) => Value;
}

/** The platform's part of a session's compression: bindings, and functions of the object. */
export interface CompressionPlatform {
  readonly env: EgressBindings & Pick<Env, "PUBLIC_URL" | "DB" | "FILES"> & MemoryBindings;
  /** Keeps the object in memory until the work is done. */
  readonly inBackground: (work: Promise<unknown>) => void;
  /** Begins to deliver the outbox. */
  readonly deliver: () => void;
}
