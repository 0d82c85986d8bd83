// Tables that are made when something is first written to them: no statement sees a difference.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import {
  makeAllTables,
  makeTablesWhenNeeded,
  missingTables,
} from "../../../durable-objects/tables/later/later-tables.ts";
import {
  BASELINE_VERSION,
  MIGRATIONS,
  migrate,
  SCHEMA_VERSION,
} from "../../../durable-objects/tables/schema.ts";
import { SESSION_SCHEMA } from "../../../durable-objects/tables/session-schema.ts";
import { definitionsOf } from "../../../durable-objects/tables/later/table-definitions.ts";
import { createdSession, objectOf, reply } from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";

const RULE =
  "INSERT INTO permission_rules (id, rule, created_at, created_by) VALUES (?, '', '', '')";
const IDS = "SELECT id FROM permission_rules ORDER BY id";
const DEFINITIONS = definitionsOf(SESSION_SCHEMA);

/** In an object with the tables of a new session. */
function withTables<Answer>(use: (storage: DurableObjectStorage) => Answer): Promise<Answer> {
  return runInDurableObject(objectOf(sessionInit({})), (_, { storage }) => {
    migrate(storage);
    return use(storage);
  });
}

function rows({ sql }: DurableObjectStorage, query: string, ...values: unknown[]): unknown[] {
  return sql.exec(query, ...values).toArray();
}

function tablesOf(storage: DurableObjectStorage): unknown[] {
  return rows(
    storage,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
  ).map((row) => (row as { name: string }).name);
}

describe("a table that is made later", () => {
  it("is not there in a new session, nor after a reply that does not need it", async () => {
    const init = await createdSession();
    const look = () => runInDurableObject(objectOf(init), (_, { storage }) => tablesOf(storage));
    const before = await look();
    await reply(init, "/say done");
    const first = ["events", "messages", "outbox", "schema_version", "session", "timers"];

    expect(before).toEqual(first);
    expect(await look()).toEqual([...first, "replies"].toSorted());
  });

  it("is empty until then: no row is read, changed or deleted, and none of it is made", async () => {
    const found = await withTables((storage) => {
      const read = [
        rows(storage, IDS),
        rows(storage, "SELECT count(*) AS n, max(id) AS last FROM permission_rules"),
        rows(storage, "SELECT EXISTS (SELECT 1 FROM tool_calls WHERE id = ?) AS has", "call_1"),
        rows(
          storage,
          `SELECT m.id FROM messages AS m LEFT JOIN changed_messages AS c ON c.message_id = m.id
           UNION SELECT id FROM tool_calls`,
        ),
        rows(storage, "DELETE FROM timers WHERE id IN (SELECT id FROM tool_calls) RETURNING id"),
        storage.sql.exec("UPDATE runs SET to_seq = 1 WHERE run_id = ?", "r").rowsWritten,
        storage.sql.exec("DELETE FROM parts WHERE owner = ? AND key > ?", "event", 1).rowsWritten,
      ];
      return { read, missing: missingTables(storage.sql).size };
    });

    expect(found.read).toEqual([[], [{ n: 0, last: null }], [{ has: 0 }], [], [], 0, 0]);
    expect(found.missing).toBe(DEFINITIONS.size - 6);
  });

  it("is made with what is first inserted, and read from then on", async () => {
    const found = await withTables((storage) => {
      rows(storage, RULE, "b");
      rows(storage, RULE, "a");
      rows(storage, "UPDATE permission_rules SET rule = 'x' WHERE id = ?", "a");
      return [rows(storage, IDS), rows(storage, "SELECT count(*) AS n FROM permission_rules")];
    });

    expect(found).toEqual([[{ id: "a" }, { id: "b" }], [{ n: 2 }]]);
  });

  it("is made again after the transaction that made it was rolled back", async () => {
    const found = await withTables((storage) => {
      const write = () =>
        storage.transactionSync(() => {
          rows(storage, RULE, "a");
          throw new Error("rolled back");
        });
      expect(write).toThrow("rolled back");
      const before = rows(storage, IDS);
      rows(storage, RULE, "b");
      return [before, rows(storage, IDS)];
    });

    expect(found).toEqual([[], [{ id: "b" }]]);
  });

  it("is not made in an object that was erased, nor in one that was never created", async () => {
    const created = await createdSession();
    const found = await runInDurableObject(objectOf(created), async (_, { storage }) => {
      rows(storage, IDS);
      await storage.deleteAll();
      expect(() => rows(storage, RULE, "a")).toThrow("no such table");
      expect(() => rows(storage, IDS)).toThrow("no such table");
      return tablesOf(storage);
    });
    const never = await runInDurableObject(objectOf(sessionInit({})), (_, { storage }) => {
      expect(() => rows(storage, RULE, "a")).toThrow("no such table");
      expect(() => rows(storage, IDS)).toThrow("no such table");
      return tablesOf(storage);
    });

    expect([found, never]).toEqual([[], []]);
  });

  it("has the columns that empty reads of it are made of", async () => {
    const columns = await withTables((storage) => {
      makeAllTables(storage.sql);
      return [...DEFINITIONS.keys()].map((name) => [
        name,
        rows(storage, "SELECT name FROM pragma_table_info(?) ORDER BY cid", name).map(
          (row) => (row as { name: string }).name,
        ),
      ]);
    });

    expect(columns).toEqual([...DEFINITIONS.values()].map((table) => [table.name, table.columns]));
  });

  it("is passed over by a migration, which changes it where it is there", async () => {
    const later = {
      tables: SESSION_SCHEMA,
      migrations: [
        ...MIGRATIONS,
        "-- A column; and a row.\nALTER TABLE permission_rules ADD COLUMN hue TEXT;\nUPDATE permission_rules SET hue = 'red';",
      ],
    };
    const columns = "SELECT name FROM pragma_table_info('permission_rules') WHERE name = 'hue'";
    const found = await Promise.all(
      [false, true].map((isThere) =>
        withTables((storage) => {
          if (isThere) rows(storage, RULE, "a");
          migrate(storage, later);
          return [
            rows(storage, columns).length,
            rows(storage, "SELECT max(version) AS version FROM schema_version"),
          ];
        }),
      ),
    );
    const version = BASELINE_VERSION + MIGRATIONS.length + 1;

    expect(found).toEqual([
      [0, [{ version }]],
      [1, [{ version }]],
    ]);
  });

  it("has the columns of a newer version, also where an older one has made it meanwhile", async () => {
    const newer = {
      tables: SESSION_SCHEMA,
      migrations: [
        ...MIGRATIONS,
        `CREATE TABLE notes (id TEXT PRIMARY KEY);
         ALTER TABLE permission_rules ADD COLUMN hue TEXT;
         ALTER TABLE session ADD COLUMN hue TEXT;`,
      ],
    };
    const newest = {
      ...newer,
      migrations: [...newer.migrations, "UPDATE permission_rules SET hue = 'red' || id;"],
    };
    const found = await withTables((storage) => {
      migrate(storage, newer);
      rows(storage, "INSERT INTO tool_calls (id, seq) VALUES ('call_1', 1)");
      // The version before is back, and makes a table that it knows without the column.
      rows(storage, RULE, "a");
      for (const code of [newer, newer, newest]) migrate(storage, code);
      return [
        rows(storage, "SELECT id, hue FROM permission_rules"),
        rows(storage, "SELECT version FROM schema_version ORDER BY version"),
      ];
    });
    const version = BASELINE_VERSION + MIGRATIONS.length;

    expect(found).toEqual([
      [{ id: "a", hue: "reda" }],
      [{ version }, { version: version + 1 }, { version: version + 2 }],
    ]);
  });

  it("is used where the disk was full when it had been made, and its index had not", async () => {
    const found = await withTables((storage) => {
      let isFull = true;
      const disk = {
        exec: (query: string, ...values: unknown[]) => {
          const [table = ""] = query.split(";");
          if (!isFull || !table.startsWith("CREATE TABLE replies")) {
            return storage.sql.exec(query, ...values);
          }
          storage.sql.exec(table);
          throw new Error("database or disk is full");
        },
      };
      const sql = disk as unknown as SqlStorage;
      makeTablesWhenNeeded(sql, SCHEMA_VERSION);
      const write = () =>
        sql.exec(
          `INSERT INTO replies (id, epoch, status, start_cursor, agent_version, model_name, created_at)
           VALUES ('rep_1', 1, 'running', 0, 1, '', '')`,
        );
      expect(write).toThrow("disk is full");
      isFull = false;
      write();
      return sql.exec("SELECT id FROM replies").toArray();
    });

    expect(found).toEqual([{ id: "rep_1" }]);
  });
});
