// The tenant's own view of its triggers. One whose erasure has begun is not there any more.
import { and, desc, eq, getTableColumns, isNull, lt, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { TriggerStatus } from "../../protocol/triggers/contract.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import { isStillValid } from "../keys/is-still-valid.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import type { SealedSecret } from "../secrets/credential-cipher.ts";
import type { Database } from "../statements/database.ts";
import { toPage, type ListRequest } from "../statements/page.ts";
import { triggers } from "./table.ts";

/** A trigger as its row has it, without what nobody but the door of its webhook needs. */
export type StoredTrigger = Omit<
  typeof triggers.$inferSelect,
  "sealed" | "old_sealed" | "deleted_at"
>;

/** Members that a change writes; what is left out stays. */
export type TriggerChange = Partial<
  Pick<StoredTrigger, "definition" | "metadata" | "status" | "paused_reason" | "due_after">
> & { readonly failures_in_row?: 0 };

interface TriggerListRequest extends ListRequest {
  readonly agentId?: string | undefined;
  readonly roomId?: string | undefined;
  readonly status?: TriggerStatus | undefined;
}

/** Records that are written with a change, in its batch. */
interface Recorded {
  readonly keep?: KeepAnswer | undefined;
  readonly audit?: WriteAudit | undefined;
}

export interface TriggerStorage {
  /**
   * False when the agent, the room or the credential that makes it is gone by now, or the tenant is closed; then nothing is written.
   * @throws when a quota is exceeded.
   */
  insert(
    trigger: StoredTrigger,
    sealed: SealedSecret | null,
    recorded?: Recorded,
  ): Promise<boolean>;
  /** Null when there is none. */
  read(triggerId: string): Promise<StoredTrigger | null>;
  /** Newest first. */
  list(request: TriggerListRequest): Promise<Page<StoredTrigger>>;
  /** Triggers for this end user alone, at most as many. */
  listOf(endUserId: string, limit: number): Promise<readonly StoredTrigger[]>;
  /** Null when there is none, or it was changed since this revision; then nothing is written. */
  update(
    current: Pick<StoredTrigger, "id" | "revision">,
    change: TriggerChange,
    updatedAt: string,
    recorded?: Recorded,
  ): Promise<StoredTrigger | null>;
  /** Null when there is no trigger with a webhook. */
  rotate(
    triggerId: string,
    rotation: { readonly sealed: SealedSecret; readonly oldSecretExpiresAt: string },
    recorded?: Recorded,
  ): Promise<StoredTrigger | null>;
  /** From here on the trigger is not there; its object and its row are the caller's to erase. False when there is none. */
  beginRemoval(triggerId: string, now: string, audit?: WriteAudit): Promise<boolean>;
}

const {
  sealed: _sealed,
  old_sealed: _old,
  deleted_at: _gone,
  ...SHOWN
} = getTableColumns(triggers);

export function triggerStorage(database: Database, tenantId: string): TriggerStorage {
  const isThere = and(eq(triggers.tenant_id, tenantId), isNull(triggers.deleted_at));

  return {
    async insert(trigger, sealed, { keep, audit } = {}) {
      const rest = { old_sealed: null, deleted_at: null };
      const row: Row = { ...trigger, ...rest, tenant_id: tenantId, sealed };
      const target = row.room_id === null ? sql`agents` : sql`rooms`;
      // In the order of the table's columns.
      const values = Object.entries(getTableColumns(triggers)).map(
        ([name, column]) => sql`${sql.param(row[name as keyof Row], column)}`,
      );
      const inserted = database
        .insert(triggers)
        .select(
          sql`SELECT ${sql.join(values, sql`, `)}
            WHERE EXISTS (SELECT 1 FROM tenants WHERE id = ${tenantId} AND deleted_at IS NULL)
            AND EXISTS (SELECT 1 FROM ${target} WHERE id = ${row.room_id ?? row.agent_id} AND tenant_id = ${tenantId} AND deleted_at IS NULL)
            AND ${isStillValid(tenantId, row.created_by_key_id)}`,
        )
        .returning({ id: triggers.id });
      const rows = await runInBatch(database, inserted, keep, audit);
      return rows.length > 0;
    },

    async read(triggerId) {
      const [row] = await database
        .select(SHOWN)
        .from(triggers)
        .where(and(isThere, eq(triggers.id, triggerId)));
      return row ?? null;
    },

    async list({ agentId, roomId, status, before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(triggers)
        .where(
          and(
            isThere,
            agentId === undefined ? undefined : eq(triggers.agent_id, agentId),
            roomId === undefined ? undefined : eq(triggers.room_id, roomId),
            status === undefined ? undefined : eq(triggers.status, status),
            before === undefined ? undefined : lt(triggers.id, before),
          ),
        )
        .orderBy(desc(triggers.id))
        .limit(limit + 1);
      return toPage(rows, limit);
    },

    async listOf(endUserId, limit) {
      return database
        .select(SHOWN)
        .from(triggers)
        .where(
          and(isThere, eq(triggers.names_end_users, true), eq(triggers.end_user_id, endUserId)),
        )
        .orderBy(triggers.id)
        .limit(limit);
    },

    async update({ id, revision }, { definition, ...change }, updatedAt, { keep, audit } = {}) {
      const updated = database
        .update(triggers)
        .set({
          ...change,
          ...(definition && { definition, ...endUserOf(definition) }),
          updated_at: updatedAt,
          revision: sql`${triggers.revision} + 1`,
        })
        .where(and(isThere, eq(triggers.id, id), eq(triggers.revision, revision)))
        .returning(SHOWN);
      const [row] = await runInBatch(database, updated, keep, audit);
      return row ?? null;
    },

    async rotate(triggerId, { sealed, oldSecretExpiresAt }, { keep, audit } = {}) {
      const rotated = database
        .update(triggers)
        .set({
          // The right side of a SET refers to the row before the update.
          old_sealed: sql`${triggers.sealed}`,
          sealed,
          old_secret_expires_at: oldSecretExpiresAt,
        })
        .where(and(isThere, eq(triggers.id, triggerId), sql`${triggers.sealed} IS NOT NULL`))
        .returning(SHOWN);
      const [row] = await runInBatch(database, rotated, keep, audit);
      return row ?? null;
    },

    async beginRemoval(triggerId, now, audit) {
      const [rows] = await database.batch([
        database
          .update(triggers)
          .set({ deleted_at: now })
          .where(and(isThere, eq(triggers.id, triggerId)))
          .returning({ id: triggers.id }),
        ...recordStatements(database, audit),
      ]);
      return rows.length > 0;
    },
  };
}

type Row = typeof triggers.$inferSelect;

/** The row of a trigger that is made now. */
export function newTrigger(
  trigger: Pick<
    StoredTrigger,
    | "id"
    | "tenant_id"
    | "agent_id"
    | "room_id"
    | "definition"
    | "metadata"
    | "webhook_form"
    | "origin"
    | "created_by_key_id"
    | "created_at"
  >,
): StoredTrigger {
  const { definition, created_at } = trigger;
  const { end_user_id, names_end_users = false } = endUserOf(definition);
  return {
    ...trigger,
    end_user_id,
    names_end_users,
    old_secret_expires_at: null,
    status: "active",
    paused_reason: null,
    due_after: created_at,
    revision: 1,
    armed_revision: 0,
    last_run_at: null,
    failures_in_row: 0,
    missed_runs: 0,
    updated_at: created_at,
  };
}

/** One that has once had an end user is marked for ever: its runs may be theirs. */
function endUserOf({ end_user_id: named }: Row["definition"]): {
  readonly end_user_id: string | null;
  readonly names_end_users?: true;
} {
  const end_user_id = typeof named === "string" ? named : null;
  return named === null ? { end_user_id } : { end_user_id, names_end_users: true };
}
