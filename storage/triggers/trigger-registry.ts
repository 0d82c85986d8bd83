// Triggers as their objects and jobs see them: an object reads its own row before it does anything, so that a pause, the
// deletion of an agent, a suspended tenant and a revoked key hold although nobody has told it.
import type {
  PausedReason,
  TriggerDefinition,
  TriggerStatus,
} from "../../protocol/triggers/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";

/** A trigger of a tenant. */
export interface TriggerPlace {
  readonly id: string;
  readonly tenant_id: string;
}

/** The part of a row that an object is armed with. */
export interface RegisteredTrigger extends TriggerPlace {
  readonly revision: number;
  readonly status: TriggerStatus;
  readonly definition: TriggerDefinition;
  readonly due_after: string;
  readonly origin: string | null;
}

type ArmedRow = Omit<RegisteredTrigger, "definition"> & { readonly definition: string };

const ARMED = "t.id, t.tenant_id, t.revision, t.status, t.definition, t.due_after, t.origin";

/** @returns null when it is gone, its erasure has begun, or its tenant is closed. @throws when D1 fails. */
export async function readRegistered(
  database: D1Database,
  { id, tenant_id }: TriggerPlace,
): Promise<{ readonly trigger: RegisteredTrigger; readonly tenant_status: TenantStatus } | null> {
  const row = await database
    .prepare(
      `SELECT ${ARMED}, tenants.status AS tenant_status FROM triggers t JOIN tenants ON tenants.id = t.tenant_id
       WHERE t.id = ?1 AND t.tenant_id = ?2 AND t.deleted_at IS NULL AND tenants.deleted_at IS NULL`,
    )
    .bind(id, tenant_id)
    .first<ArmedRow & { readonly tenant_status: TenantStatus }>();
  if (!row) return null;
  const { tenant_status, ...trigger } = row;
  return { trigger: toRegistered(trigger), tenant_status };
}

/** The state of a trigger as its object tells it. */
export interface TriggerReport extends TriggerPlace {
  readonly last_run_at: string | null;
  readonly failures_in_row: number;
  readonly missed_runs: number;
  /** The platform's own end of it; null for none. It holds for the schedule that began at `due_after` alone. */
  readonly ended: {
    readonly status: Exclude<TriggerStatus, "active">;
    readonly paused_reason: PausedReason | null;
    readonly due_after: string;
  } | null;
}

/** @returns the row after it; null when it is gone. @throws when D1 fails; it may be repeated. */
export async function reportTrigger(
  database: D1Database,
  { id, tenant_id, last_run_at, failures_in_row, missed_runs, ended }: TriggerReport,
): Promise<RegisteredTrigger | null> {
  const told = database
    .prepare(
      `UPDATE triggers SET last_run_at = ?3, failures_in_row = ?4, missed_runs = ?5, armed_revision = revision
       WHERE id = ?1 AND tenant_id = ?2`,
    )
    .bind(id, tenant_id, last_run_at, failures_in_row, missed_runs);
  const end =
    ended &&
    database
      .prepare(
        `UPDATE triggers SET status = ?3, paused_reason = ?4, revision = revision + 1, updated_at = ?6
         WHERE id = ?1 AND tenant_id = ?2 AND status = 'active' AND due_after = ?5`,
      )
      .bind(
        id,
        tenant_id,
        ended.status,
        ended.paused_reason && JSON.stringify(ended.paused_reason),
        ended.due_after,
        new Date().toISOString(),
      );
  const read = database
    .prepare(
      `SELECT ${ARMED} FROM triggers t WHERE t.id = ?1 AND t.tenant_id = ?2 AND t.deleted_at IS NULL`,
    )
    .bind(id, tenant_id);
  // The object takes what is read here over.
  const results = await database.batch<ArmedRow>([...(end ? [end] : []), told, read]);
  const row = results.at(-1)?.results[0];
  return row ? toRegistered(row) : null;
}

/** The object has this revision. */
export async function markArmed(
  database: D1Database,
  { id, tenant_id, revision }: Pick<RegisteredTrigger, "id" | "tenant_id" | "revision">,
): Promise<void> {
  await database
    .prepare(
      "UPDATE triggers SET armed_revision = max(armed_revision, ?3) WHERE id = ?1 AND tenant_id = ?2",
    )
    .bind(id, tenant_id, revision)
    .run();
}

/** Triggers that were changed at `before` or earlier, and whose object was not told. The oldest first. */
export async function findUnarmed(
  database: D1Database,
  before: string,
  most: number,
): Promise<readonly RegisteredTrigger[]> {
  const { results } = await database
    .prepare(
      `SELECT ${ARMED} FROM triggers t JOIN tenants ON tenants.id = t.tenant_id
       WHERE t.armed_revision <> t.revision AND t.deleted_at IS NULL AND t.updated_at <= ?1
       AND tenants.deleted_at IS NULL ORDER BY t.updated_at LIMIT ?2`,
    )
    .bind(before, most)
    .all<ArmedRow>();
  return results.map(toRegistered);
}

/** Triggers whose erasure has begun and not ended, the oldest first. */
export async function findLeftTriggers(
  database: D1Database,
  most: number,
): Promise<readonly TriggerPlace[]> {
  const { results } = await database
    .prepare(
      "SELECT id, tenant_id FROM triggers WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT ?1",
    )
    .bind(most)
    .all<TriggerPlace>();
  return results;
}

/** Triggers of a tenant, whatever their state. */
export async function listTenantTriggers(
  database: D1Database,
  tenantId: string,
  most: number,
): Promise<readonly TriggerPlace[]> {
  const { results } = await database
    .prepare("SELECT id, tenant_id FROM triggers WHERE tenant_id = ?1 LIMIT ?2")
    .bind(tenantId, most)
    .all<TriggerPlace>();
  return results;
}

/** Triggers made then or before that are for one end user alone, by id; those whose erasure has begun too. */
export async function listEndUserTriggers(
  database: D1Database,
  place: { readonly tenant_id: string; readonly end_user_id: string },
  until: string,
  most: number,
): Promise<readonly TriggerPlace[]> {
  const { results } = await database
    .prepare(
      `SELECT id, tenant_id FROM triggers WHERE tenant_id = ?1 AND names_end_users = 1 AND end_user_id = ?2
       AND created_at <= ?3 ORDER BY id LIMIT ?4`,
    )
    .bind(place.tenant_id, place.end_user_id, until, most)
    .all<TriggerPlace>();
  return results;
}

/** Triggers that have, or once had, an end user, by id. @param after The last id of the page before; empty for the first one. */
export async function listTriggersWithEndUsers(
  database: D1Database,
  tenantId: string,
  after: string,
  most: number,
): Promise<readonly TriggerPlace[]> {
  const { results } = await database
    .prepare(
      `SELECT id, tenant_id FROM triggers WHERE tenant_id = ?1 AND names_end_users = 1 AND id > ?2
       ORDER BY id LIMIT ?3`,
    )
    .bind(tenantId, after, most)
    .all<TriggerPlace>();
  return results;
}

/** Begins the erasure of a trigger. False when there is no such trigger. */
export async function markTrigger(
  database: D1Database,
  { id, tenant_id }: TriggerPlace,
  now: string,
): Promise<boolean> {
  const row = await database
    .prepare(
      `UPDATE triggers SET deleted_at = coalesce(deleted_at, ?3) WHERE id = ?1 AND tenant_id = ?2 RETURNING id`,
    )
    .bind(id, tenant_id, now)
    .first<{ id: string }>();
  return row !== null;
}

/** The row of a trigger whose object is erased. */
export async function removeTrigger(
  database: D1Database,
  { id, tenant_id }: TriggerPlace,
): Promise<void> {
  await database
    .prepare("DELETE FROM triggers WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NOT NULL")
    .bind(id, tenant_id)
    .run();
}

function toRegistered({ definition, ...row }: ArmedRow): RegisteredTrigger {
  return { ...row, definition: JSON.parse(definition) as TriggerDefinition };
}
