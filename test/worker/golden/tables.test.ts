// The tables of D1 and of the objects, byte for byte; written anew by
// `npx vitest run --project worker test/worker/golden/tables.test.ts -u`.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { ArmedTrigger } from "../../../durable-objects/api/trigger-api.ts";
import { TriggerTables } from "../../../durable-objects/triggers/trigger-tables.ts";
import { MemoryTables } from "../../../durable-objects/memory/memory-tables.ts";
import { roomSchema } from "../../../durable-objects/rooms/room-schema.ts";
import { SearchTables } from "../../../durable-objects/search/search-tables.ts";
import { makeAllTables } from "../../../durable-objects/tables/later/later-tables.ts";
import { migrate } from "../../../durable-objects/tables/schema.ts";
import { BEFORE_NEWEST } from "../../../storage/search/search-work.ts";
import baseline from "../../fixtures/baseline/session.json";
import { makeTenant } from "../support/api.ts";
import { createdSession, objectOf } from "../sessions/session.ts";
import { loadStoredSession, storedObject } from "../tables/stored-session.ts";

/** Without what the runtime and the tool of migrations keep for themselves. */
const SCHEMA = `SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB '_cf*' AND name NOT GLOB 'd1_*'
  AND name NOT GLOB 'sqlite_*' ORDER BY type, name`;

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
  readonly [column: string]: string | null;
}

test("D1 has the same tables after all migrations", async () => {
  const { results } = await env.DB.prepare(SCHEMA).all<SchemaRow>();

  await expect(textOf(results)).toMatchFileSnapshot("../../fixtures/golden/schema/database.sql");
});

test("a new session's object has the same tables, first and later ones", async () => {
  const init = await createdSession();
  const text = await runInDurableObject(objectOf(init), (_, { storage }) => bothOf(storage));

  await expect(text).toMatchFileSnapshot("../../fixtures/golden/schema/new-session.sql");
});

test("a session's object of the baseline comes to have the same tables", async () => {
  await loadStoredSession(baseline);
  const text = await runInDurableObject(storedObject(baseline), (_, { storage }) => {
    migrate(storage);
    return bothOf(storage);
  });

  await expect(text).toMatchFileSnapshot("../../fixtures/golden/schema/migrated-session.sql");
});

test("a tenant's object has the same tables", async () => {
  const { id } = await makeTenant();
  const text = await runInDurableObject(env.TENANT.getByName(id), (_, { storage }) =>
    textOf(storage.sql.exec<SchemaRow>(SCHEMA).toArray()),
  );

  await expect(text).toMatchFileSnapshot("../../fixtures/golden/schema/tenant.sql");
});

test("a search index's object has the same tables", async () => {
  const text = await runInDurableObject(env.SEARCH.getByName("golden"), (_, { storage }) => {
    new SearchTables(storage).begin("made", BEFORE_NEWEST);
    return textOf(storage.sql.exec<SchemaRow>(SCHEMA).toArray());
  });

  await expect(text).toMatchFileSnapshot("../../fixtures/golden/schema/search.sql");
});

test("a memory store's object has the same tables", async () => {
  const text = await runInDurableObject(env.MEMORY.getByName("golden"), (_, { storage }) => {
    const owner = { tenant_id: "ten_1", agent_id: "agt_1", end_user_id: null };
    new MemoryTables(storage).begin("memstore_1", owner, "2026-11-30T06:00:00.000Z");
    return textOf(storage.sql.exec<SchemaRow>(SCHEMA).toArray());
  });

  await expect(text).toMatchFileSnapshot("../../fixtures/golden/schema/memory.sql");
});

test("a room's object has the same tables", async () => {
  const text = await runInDurableObject(env.ROOM.getByName("golden"), (_, { storage }) => {
    storage.sql.exec(roomSchema());
    return textOf(storage.sql.exec<SchemaRow>(SCHEMA).toArray());
  });

  await expect(text).toMatchFileSnapshot("../../fixtures/golden/schema/room.sql");
});

test("a trigger's object has the same tables", async () => {
  const text = await runInDurableObject(env.TRIGGER.getByName("golden"), (_, { storage }) => {
    const tables = new TriggerTables(storage);
    const due_after = "2026-11-30T06:00:00.000Z";
    tables.inTransaction(() => tables.begin({ due_after } as ArmedTrigger));
    return textOf(storage.sql.exec<SchemaRow>(SCHEMA).toArray());
  });

  await expect(text).toMatchFileSnapshot("../../fixtures/golden/schema/trigger.sql");
});

function bothOf({ sql }: DurableObjectStorage): string {
  const read = () => textOf(sql.exec<SchemaRow>(SCHEMA).toArray());
  const first = read();
  makeAllTables(sql);
  return `-- at first\n${first}-- with the tables that are made later\n${read()}`;
}

function textOf(rows: readonly SchemaRow[]): string {
  return rows.map(({ type, name, sql }) => `-- ${type} ${name}\n${sql ?? ""}\n`).join("");
}
