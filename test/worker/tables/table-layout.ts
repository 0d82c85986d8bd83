import { makeAllTables } from "../../../durable-objects/tables/later/later-tables.ts";

/** The tables, also those that are made when they are needed, their columns whatever their order, and the indexes: what two ways to make them must agree in. */
export function layoutOf({ sql }: DurableObjectStorage) {
  makeAllTables(sql);
  const tables = sql
    .exec<{ name: string; wr: number }>("PRAGMA table_list")
    .toArray()
    .filter(({ name }) => !/^(sqlite|_cf)_/.test(name))
    .map(({ name, wr }) => ({ name, isWithoutRowIds: wr === 1, columns: columnsOf(sql, name) }));
  const indexes = sql
    .exec<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    )
    .toArray()
    .map((index) => ({ ...index, sql: index.sql.replaceAll(/\s+/g, " ") }));
  const checks = sql
    .exec("SELECT name FROM sqlite_master WHERE sql LIKE '%CHECK (id = 1)%'")
    .toArray();
  return { tables: byName(tables), indexes: byName(indexes), checks: checks.length };
}

function columnsOf(sql: SqlStorage, table: string) {
  return sql
    .exec(
      'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY name',
      table,
    )
    .toArray();
}

function byName<T extends { name: unknown }>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
}
