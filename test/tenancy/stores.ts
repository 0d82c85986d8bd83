// Everything that the platform stores, as rows by their place, and what a request has changed of it.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { memoryObjectName } from "../../durable-objects/api/memory-api.ts";
import { nextSteps } from "../../agent/rooms/next-steps.ts";
import type { RoomState } from "../../agent/rooms/room-state.ts";
import { roomObjectName } from "../../durable-objects/api/room-api.ts";
import { sessionObjectName } from "../../durable-objects/api/session-api.ts";
import { triggerObjectName } from "../../durable-objects/api/trigger-api.ts";
import { COUNTED_QUOTAS, type CountedQuota } from "../../protocol/quotas/contract.ts";
import type { World } from "./world.ts";

/** Rows as JSON, by the table's name; `session.`, `memory.`, `room.`, `trigger.` and `tenant.` stand before those of objects, `files` are those of R2. */
export type Stores = ReadonlyMap<string, readonly string[]>;

/** A change of a place: rows have come, have gone, or are others than before. */
export type StoreChange = `${"+" | "-" | "~"}${string}`;

/** Places that say what is under way, or hold copies: they are empty or the same again when nothing is. */
const PASSING: ReadonlySet<string> = new Set([
  "activity",
  "d1_migrations",
  "file_sweep",
  // The counts themselves.
  "end_user_counts",
  "tenant_counts",
  "memory.timers",
  "session.outbox",
  "session.timers",
  "tenant.held",
  "tenant.leases",
  "tenant.standing",
  "tenant.untold",
  "trigger.announcements",
  "trigger.timers",
]);
/** Columns that change beside any request. */
const BESIDE: ReadonlySet<string> = new Set(["last_used_at"]);

/** @param others Tenants whose rows are left out. */
export async function readStores(
  { ids: { tenant_id } }: World,
  others: ReadonlySet<string>,
): Promise<Stores> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
  ).all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => !PASSING.has(name));
  const tables = await env.DB.batch<Record<string, unknown>>(
    names.map((name) => env.DB.prepare(`SELECT * FROM ${name}`)),
  );
  const stores = new Map<string, string[]>();
  for (const [index, name] of names.entries()) {
    const rows = (tables[index]?.results ?? []).filter(
      (row) => !others.has(String(row["tenant_id"])) && !others.has(String(row["id"])),
    );
    stores.set(name, rows.map(toText));
  }
  const sessions = await env.DB.prepare("SELECT id FROM sessions WHERE tenant_id = ?")
    .bind(tenant_id)
    .all<{ id: string }>();
  for (const { id } of sessions.results) {
    await addObject(stores, "session", env.SESSION.getByName(sessionObjectName(tenant_id, id)));
  }
  const kept = await env.DB.prepare("SELECT id FROM memory_stores WHERE tenant_id = ?")
    .bind(tenant_id)
    .all<{ id: string }>();
  for (const { id } of kept.results) {
    await addObject(stores, "memory", env.MEMORY.getByName(memoryObjectName(tenant_id, id)));
  }
  for (const id of await roomsOf(tenant_id)) {
    await addObject(stores, "room", env.ROOM.getByName(roomObjectName(tenant_id, id)));
  }
  const triggers = await env.DB.prepare("SELECT id FROM triggers WHERE tenant_id = ?")
    .bind(tenant_id)
    .all<{ id: string }>();
  for (const { id } of triggers.results) {
    await addObject(stores, "trigger", env.TRIGGER.getByName(triggerObjectName(tenant_id, id)));
  }
  await addObject(stores, "tenant", env.TENANT.getByName(tenant_id));
  const files = (await env.FILES.list()).objects.map(({ key, size }) => `${key} ${size}`);
  const isOther = (file: string) => [...others].some((other) => file.includes(other));
  stores.set(
    "bucket",
    files.filter((file) => !isOther(file)),
  );
  return stores;
}

async function roomsOf(tenantId: string): Promise<readonly string[]> {
  const { results } = await env.DB.prepare("SELECT id FROM rooms WHERE tenant_id = ?")
    .bind(tenantId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Whether nothing is due in the room: nobody speaks, and everybody has been told what was said. */
function isRoomQuiet(tenantId: string, roomId: string): Promise<boolean> {
  const stub = env.ROOM.getByName(roomObjectName(tenantId, roomId));
  return runInDurableObject(stub, (_, { storage }) => {
    if (!tablesOf(storage.sql).includes("room")) return true;
    const row = storage.sql.exec<{ state: string }>("SELECT state FROM room").toArray()[0];
    if (!row) return true;
    const state = JSON.parse(row.state) as RoomState;
    return state.discussion === null && nextSteps(state, Date.now()).length === 0;
  });
}

/** Whether nothing of the tenant's sessions is under way: no reply runs, and D1 has been told everything. */
export async function isQuiet({ ids: { tenant_id } }: World): Promise<boolean> {
  const { results } = await env.DB.prepare("SELECT id FROM sessions WHERE tenant_id = ?")
    .bind(tenant_id)
    .all<{ id: string }>();
  const left = await Promise.all(
    results.map(({ id }) =>
      runInDurableObject(
        env.SESSION.getByName(sessionObjectName(tenant_id, id)),
        (_, { storage }) =>
          countOf(storage, "outbox") + countOf(storage, "replies", "status = 'running'"),
      ),
    ),
  );
  const rooms = await Promise.all(
    (await roomsOf(tenant_id)).map((id) => isRoomQuiet(tenant_id, id)),
  );
  return left.every((count) => count === 0) && rooms.every(Boolean);
}

/** Sorted by place. */
export function changesOf(before: Stores, after: Stores): readonly StoreChange[] {
  const places = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return places.flatMap((place): StoreChange[] => {
    const [old = [], now = []] = [before.get(place), after.get(place)];
    if (now.length > old.length) return [`+${place}`];
    if (now.length < old.length) return [`-${place}`];
    return JSON.stringify(old.toSorted()) === JSON.stringify(now.toSorted()) ? [] : [`~${place}`];
  });
}

export type Counts = Readonly<Record<CountedQuota, number>>;

/** The triggers' counts of the tenant; null once it is gone. */
export function readCounts({ ids: { tenant_id } }: World): Promise<Counts | null> {
  return env.DB.prepare(
    `SELECT ${COUNTED_QUOTAS.join(", ")} FROM tenant_counts WHERE tenant_id = ?`,
  )
    .bind(tenant_id)
    .first<Record<CountedQuota, number>>();
}

async function addObject(
  stores: Map<string, string[]>,
  kind: "memory" | "room" | "session" | "tenant" | "trigger",
  stub: DurableObjectStub,
): Promise<void> {
  const tables = await runInDurableObject(stub, (_, { storage: { sql } }) =>
    tablesOf(sql).map(
      (name) => [name, sql.exec(`SELECT * FROM ${name}`).toArray().map(toText)] as const,
    ),
  );
  for (const [name, rows] of tables) {
    const place = `${kind}.${name}`;
    // The index of memories is made of them.
    if (!PASSING.has(place) && !place.startsWith("memory.words"))
      stores.set(place, [...(stores.get(place) ?? []), ...rows]);
  }
}

function tablesOf(sql: SqlStorage): readonly string[] {
  return sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
    )
    .toArray()
    .map(({ name }) => name);
}

function countOf({ sql }: DurableObjectStorage, table: string, where = "1"): number {
  if (!tablesOf(sql).includes(table)) return 0;
  return sql.exec<{ found: number }>(`SELECT count(*) AS found FROM ${table} WHERE ${where}`).one()
    .found;
}

function toText(row: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(row).filter(([name]) => !BESIDE.has(name));
  return JSON.stringify(entries, (_, value: unknown) =>
    value instanceof ArrayBuffer ? Array.from(new Uint8Array(value)).join() : value,
  );
}
