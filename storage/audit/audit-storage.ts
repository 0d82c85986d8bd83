// The audit log of administrative acts. An entry is written in the batch of its act, so that neither exists without the
// other.
import { and, asc, count, desc, eq, gt, gte, lt, max, min, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";

import type { AuditEntry, AuditFilter } from "../../protocol/audit/contract.ts";
import { formatId, ID_RANDOM_BYTES } from "../../protocol/ids.ts";
import { MAX_SCANNED_AUDIT_ENTRIES } from "../../protocol/audit/limits.ts";
import { auditEntries } from "./table.ts";
import type { Database } from "../statements/database.ts";
import { openDatabase } from "../statements/database.ts";

/** An entry to write. */
export type NewAuditEntry = AuditEntry & { readonly tenant_id: string };

interface AuditOptions {
  /** The condition for writing the entry; by default that the preceding statement changed a row. */
  readonly when?: SQL;
  /** An SQL expression for the JSON of `after`, when only the database knows it. */
  readonly after?: SQL;
}

/**
 * Makes the statement that writes an entry. In a batch it must directly follow the statement of the act, because it is
 * only written when that one has changed a row; the statement that stores an answer comes after it.
 */
export type WriteAudit = (
  database: Database,
  options?: AuditOptions,
) => BatchItem<"sqlite"> & PromiseLike<unknown>;

export function writeAudit(entry: NewAuditEntry): WriteAudit {
  return (database, { when = sql`changes() > 0`, after } = {}) => {
    // In the order of the table's columns.
    const values = [
      entry.tenant_id,
      entry.id,
      entry.created_at,
      entry.actor.kind,
      entry.actor.id,
      entry.action,
      entry.target_id,
      toJson(entry.before),
      after ?? toJson(entry.after),
      entry.address,
      entry.request_id,
      entry.actor.console_session_id ?? null,
      entry.actor.name ?? null,
    ].map((value) => sql`${value}`);
    return database
      .insert(auditEntries)
      .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${when}`);
  };
}

/**
 * The statements that record an act, in the order in which they follow it in its batch: the audit entry, then the
 * answer under the idempotency key. Each is skipped when undefined.
 */
export function recordStatements(
  database: Database,
  ...statements: readonly (((database: Database) => BatchItem<"sqlite">) | undefined)[]
): readonly BatchItem<"sqlite">[] {
  return statements.flatMap((statement) => (statement ? [statement(database)] : []));
}

/** Writes an entry on its own, before an act outside D1. */
export async function writeAuditAlone(binding: D1Database, entry: NewAuditEntry): Promise<void> {
  await writeAudit(entry)(openDatabase(binding), { when: sql`true` });
}

/** Deletes an entry whose act was refused. */
export async function takeBackAudit(
  binding: D1Database,
  { tenant_id, id }: Pick<NewAuditEntry, "tenant_id" | "id">,
): Promise<void> {
  await openDatabase(binding)
    .delete(auditEntries)
    .where(and(eq(auditEntries.tenant_id, tenant_id), eq(auditEntries.id, id)));
}

interface AuditRequest extends AuditFilter {
  readonly order: "newest_first" | "oldest_first";
  /** Entries after the one with this id, in the requested order; from the start when omitted. */
  readonly behind?: string;
  readonly limit: number;
}

interface AuditPart {
  /** May be fewer than the limit, also none, with a filter: one call scans a bounded number of entries. */
  readonly entries: readonly AuditEntry[];
  /** The id after which the next part begins; null when this is the last part. */
  readonly next: string | null;
}

export interface AuditStorage {
  /** The entries of one tenant, also of a closed one. */
  read(request: AuditRequest): Promise<AuditPart>;
}

export function auditStorage(binding: D1Database, tenantId: string): AuditStorage {
  const database = openDatabase(binding);

  return {
    async read({ order, behind: place, limit, created_after, created_before, ...filter }) {
      const isNewestFirst = order === "newest_first";
      const [sort, isBehind] = isNewestFirst ? [desc, lt] : [asc, gt];
      const looked = database
        .select()
        .from(auditEntries)
        .where(
          and(
            eq(auditEntries.tenant_id, tenantId),
            // Ids contain the time, so the primary key finds a range of time without another index.
            created_after ? gte(auditEntries.id, firstIdAt(created_after)) : undefined,
            created_before ? lt(auditEntries.id, firstIdAt(created_before)) : undefined,
            place === undefined ? undefined : isBehind(auditEntries.id, place),
          ),
        )
        .orderBy(sort(auditEntries.id))
        .limit(MAX_SCANNED_AUDIT_ENTRIES)
        .as("looked");
      const { action, actor_id, target_id } = filter;
      const isWanted = and(
        action === undefined ? undefined : eq(looked.action, action),
        actor_id === undefined ? undefined : eq(looked.actor_id, actor_id),
        target_id === undefined ? undefined : eq(looked.target_id, target_id),
      );
      const found = database
        .select()
        .from(looked)
        .where(isWanted)
        .orderBy(sort(looked.id))
        .limit(limit + 1);
      const end = isNewestFirst ? min(looked.id) : max(looked.id);
      const seen = database.select({ count: count(), end }).from(looked);
      // Without a filter all scanned entries match.
      const [rows, [edge]] = isWanted ? await database.batch([found, seen]) : [await found, []];
      const entries = rows.slice(0, limit).map(toEntry);
      if (rows.length > limit) return { entries, next: entries.at(-1)?.id ?? null };
      const isCutOff = edge?.count === MAX_SCANNED_AUDIT_ENTRIES;
      return { entries, next: isCutOff ? edge.end : null };
    },
  };
}

/** Deletes up to `most` entries older than `before`, oldest first. Returns their number. */
export async function purgeAudit(
  binding: D1Database,
  { before, most }: { readonly before: string; readonly most: number },
): Promise<number> {
  // D1's count of changes has what triggers write.
  const deleted = await openDatabase(binding).all(sql`
    DELETE FROM audit_entries WHERE (tenant_id, id) IN (
      SELECT tenant_id, id FROM audit_entries WHERE created_at < ${before} ORDER BY created_at LIMIT ${most}
    ) RETURNING 1 AS deleted`);
  return deleted.length;
}

/** The lowest id of that moment. */
function firstIdAt(timestamp: string): string {
  return formatId("aud", Math.max(Date.parse(timestamp), 0), new Uint8Array(ID_RANDOM_BYTES));
}

function toEntry(row: typeof auditEntries.$inferSelect): AuditEntry {
  const { tenant_id: _, actor_kind, actor_id, actor_name, console_session_id, ...rest } = row;
  const { before, after, ...entry } = rest;
  return {
    ...entry,
    action: entry.action as AuditEntry["action"],
    actor: {
      kind: actor_kind,
      id: actor_id,
      ...(actor_name !== null && { name: actor_name }),
      ...(console_session_id !== null && { console_session_id }),
    },
    before: parseJson(before),
    after: parseJson(after),
  };
}

function toJson(value: object | null): string | null {
  return value && JSON.stringify(value);
}

function parseJson(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
