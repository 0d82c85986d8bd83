// The version of a session's tables, and how an older object comes to the newest one.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import {
  BASELINE_VERSION,
  MIGRATIONS,
  migrate,
  type TableSchema,
} from "../../../durable-objects/tables/schema.ts";
import { SESSION_SCHEMA } from "../../../durable-objects/tables/session-schema.ts";
import { writeSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import { SessionLog } from "../../../durable-objects/log/session-log.ts";
import baseline from "../../fixtures/baseline/session.json";
import { layoutOf } from "./table-layout.ts";
import { objectOf } from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";

const FIRST = "ALTER TABLE session ADD COLUMN colour TEXT;";
const SECOND = `
  CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
  UPDATE session SET colour = 'red';
`;

/** Code that has these migrations more than the baseline. */
function codeWith(...migrations: readonly string[]): TableSchema {
  return { tables: [SESSION_SCHEMA, ...migrations].join("\n"), migrations };
}

/** With the migrations of today. */
const NEWEST_VERSION = BASELINE_VERSION + MIGRATIONS.length;

const LATER = codeWith(FIRST, SECOND);

function withStorage<Answer>(use: (storage: DurableObjectStorage) => Answer): Promise<Answer> {
  return runInDurableObject(objectOf(sessionInit({})), (_, { storage }) => use(storage));
}

function versionsOf({ sql }: DurableObjectStorage): readonly unknown[] {
  return sql
    .exec<{ version: number }>("SELECT version FROM schema_version ORDER BY version")
    .toArray()
    .map(({ version }) => version);
}

describe("the tables of a session", () => {
  it("are made at once in a new object, in the newest version", async () => {
    const [now, later] = await Promise.all([
      withStorage((storage) => {
        migrate(storage);
        return versionsOf(storage);
      }),
      withStorage((storage) => {
        migrate(storage, LATER);
        return versionsOf(storage);
      }),
    ]);

    expect([now, later]).toEqual([[NEWEST_VERSION], [BASELINE_VERSION + 2]]);
  });

  it.each([
    ["the baseline", [codeWith()]],
    ["one migration later", [codeWith(), codeWith(FIRST)]],
  ])("of %s come to be those of a new object, with what is in them", async (_, earlier) => {
    const init = sessionInit({});
    const migrated = await withStorage((storage) => {
      for (const schema of earlier) migrate(storage, schema);
      writeSessionInit(storage.sql, init);
      migrate(storage, LATER);
      migrate(storage, LATER);
      const rows = storage.sql.exec("SELECT init, colour FROM session").toArray();
      return { layout: layoutOf(storage), versions: versionsOf(storage), rows };
    });
    const made = await withStorage((storage) => {
      migrate(storage, LATER);
      return layoutOf(storage);
    });

    expect(migrated).toEqual({
      layout: made,
      versions: [BASELINE_VERSION, BASELINE_VERSION + 1, BASELINE_VERSION + 2],
      rows: [{ init: JSON.stringify(init), colour: "red" }],
    });
  });

  it("stay as they were when a migration fails, with all of those before it", async () => {
    const found = await withStorage((storage) => {
      migrate(storage, codeWith());
      const before = layoutOf(storage);
      expect(() => migrate(storage, codeWith(FIRST, "ALTER TABLE missing ADD COLUMN x"))).toThrow(
        "no such table",
      );
      return { before, after: layoutOf(storage), versions: versionsOf(storage) };
    });

    expect(found.after).toEqual(found.before);
    expect(found.versions).toEqual([BASELINE_VERSION]);
  });

  it("of a newer version are left as they are", async () => {
    const newer = {
      tables: [SESSION_SCHEMA, FIRST, SECOND].join("\n"),
      migrations: [...MIGRATIONS, FIRST, SECOND],
    };
    const found = await withStorage((storage) => {
      migrate(storage, newer);
      const before = layoutOf(storage);
      migrate(storage);
      return { before, after: layoutOf(storage), versions: versionsOf(storage) };
    });

    expect(found.after).toEqual(found.before);
    expect(found.versions).toEqual([NEWEST_VERSION + 2]);
  });

  it.each([1, 8, 12, BASELINE_VERSION - 1])(
    "of version %i, from before the baseline, are refused and left as they are",
    async (version) => {
      const versions = await withStorage((storage) => {
        storage.sql.exec("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)");
        storage.sql.exec("INSERT INTO schema_version (version) VALUES (?)", version);
        for (const schema of [codeWith(), LATER]) {
          expect(() => migrate(storage, schema)).toThrow(
            `the session's tables have version ${version}, from before the baseline ${BASELINE_VERSION}`,
          );
        }
        return versionsOf(storage);
      });

      expect(versions).toEqual([version]);
    },
  );
});

/** The tables of the baseline, as they were. */
const BASELINE: TableSchema = {
  tables: baseline.object.filter((statement) => statement.startsWith("CREATE")).join(";\n"),
  migrations: [],
};

it.each([
  ["that a crash has lost events of", 20, 1_005, 1_006],
  ["that has all of its events", 20, 20, 21],
])(
  "a log of the baseline %s goes on above the seqs that were reserved",
  async (_, last, mark, next) => {
    const init = sessionInit({});
    const log = await withStorage((storage) => {
      migrate(storage, BASELINE);
      writeSessionInit(storage.sql, init);
      storage.sql.exec("UPDATE session SET reserved_seq = ?", mark);
      for (const seq of [last - 10, last]) {
        storage.sql.exec("INSERT INTO events (seq, frames) VALUES (?, ?)", seq, new Uint8Array());
      }
      migrate(storage);
      const observer = { committing() {}, logged() {}, committed() {}, durable() {}, failed() {} };
      const opened = new SessionLog(storage, observer);
      const before = opened.highWaterMark;
      const [event] = opened.append([{ type: "CUSTOM", name: "next", value: {} }]);
      return { before, next: event?.seq };
    });

    expect(log).toEqual({ before: mark, next });
  },
);
