// Tables that are made when something is first written to them. Each table is a page of the file and of memory, and most
// sessions never use most of them. Code that reads or writes does not know: a table that is not there is empty.
import { definitionsOf, type TableDefinition } from "./table-definitions.ts";
import { SESSION_SCHEMA } from "../session-schema.ts";

const DEFINITIONS = definitionsOf(SESSION_SCHEMA);
/**
 * Tables that are written to when a session is opened, and of those of its first reply as many as are worth their
 * pages.
 */
const FIRST_TABLES: ReadonlySet<string> = new Set([
  "session",
  "timers",
  "schema_version",
  "events",
  "messages",
  "outbox",
]);

/** Statements that make the tables of a new session. */
export const FIRST_SCHEMA: string = [...DEFINITIONS.values()]
  .filter(({ name }) => FIRST_TABLES.has(name))
  .map(({ statements }) => statements)
  .join("");

/** Whether it is a table that may not be there. */
function isLater(name: string): boolean {
  return DEFINITIONS.has(name) && !FIRST_TABLES.has(name);
}

/** The use that a statement makes of tables that may not be there. */
interface TableUse {
  /** Null for what may change the schema. */
  readonly verb: "read" | "insert" | "change" | null;
  /** The table that is written to, if it may not be there. */
  readonly target: string | null;
  /** The tables that are read, if they may not be there. */
  readonly sources: readonly string[];
  /** Whether it has no row where its table has none: no aggregate, and no second table. */
  readonly isPlain: boolean;
}

const NO_ROWS = "SELECT NULL WHERE 0";
const NEWEST = "SELECT max(version) AS newest FROM schema_version";
const NOTE_VERSION = "INSERT OR IGNORE INTO schema_version (version) VALUES (?)";
const VERBS = { select: "read", insert: "insert", update: "change", delete: "change" } as const;
const TABLES = /\b(FROM|JOIN|INTO|UPDATE)\s+(\w+)/gi;
const MISSING = /no such table: (\w+)/;

/**
 * Uses by the statements of all sessions: statements are constants of the code, but for some with lists of parameters.
 */
const uses = new Map<string, TableUse>();
const MAX_USES = 1_000;

function useOf(query: string): TableUse {
  const known = uses.get(query);
  if (known) return known;
  if (uses.size >= MAX_USES) uses.clear();
  const use = readUse(query);
  uses.set(query, use);
  return use;
}

function readUse(query: string): TableUse {
  const word = /^\s*(\w+)/.exec(query)?.[1]?.toLowerCase() ?? "";
  const verb = VERBS[word as keyof typeof VERBS] ?? null;
  const named = [...query.matchAll(TABLES)].map(([, , name = ""]) => name);
  const [target = ""] = verb === "read" ? [] : named;
  const sources = new Set(verb === "read" ? named : named.slice(1));
  const beforeSource = query.slice(0, query.search(/\bFROM\b/i));
  return {
    verb,
    target: isLater(target) ? target : null,
    sources: [...sources].filter(isLater),
    isPlain: verb === "read" && named.length === 1 && !beforeSource.includes("("),
  };
}

/** Makes every table that is not there. */
export function makeAllTables(sql: SqlStorage): void {
  for (const name of missingTables(sql)) make(sql, name);
}

/** The tables of an object; asks the catalogue only, so it creates no storage. */
export function tableNames(sql: SqlStorage): ReadonlySet<string> {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table'";
  const tables = sql.exec<{ name: string }>(query).toArray();
  return new Set(tables.map(({ name }) => name));
}

/** Tables that nothing was written to. */
export function missingTables(sql: SqlStorage): ReadonlySet<string> {
  const present = tableNames(sql);
  return new Set([...DEFINITIONS.keys()].filter((name) => isLater(name) && !present.has(name)));
}

function make(sql: Pick<SqlStorage, "exec">, name: string): void {
  sql.exec((DEFINITIONS.get(name) as TableDefinition).statements);
}

/**
 * Lets all statements of this storage find every table of the schema: reads of one that is not there find no rows,
 * changes change nothing, and what is inserted makes it, in the same transaction. An object without a session, and one
 * that was erased, gets no table: its statements fail as they would without this.
 * @param version Of the schema that this code knows. That it makes a table in an object of a newer version is noted in
 * `schema_version`, as the version's negative: the newer code's migrations have passed over the table.
 */
export function makeTablesWhenNeeded(sql: SqlStorage, version: number): void {
  const exec: SqlStorage["exec"] = sql.exec.bind(sql);
  /** Null when it has to be read. */
  let missing: Set<string> | null = null;
  Object.defineProperty(sql, "exec", { value: execute, configurable: true, writable: true });

  function execute<Row extends Record<string, SqlStorageValue>>(
    query: string,
    ...bindings: unknown[]
  ): SqlStorageCursor<Row> {
    const use = useOf(query);
    if (use.verb === null) {
      missing = null;
      return exec<Row>(query, ...bindings);
    }
    try {
      return find<Row>(use, query, bindings);
    } catch (error) {
      // A transaction that made tables was rolled back.
      const name = MISSING.exec(String(error))?.[1];
      if (name === undefined || !isLater(name) || missing?.has(name)) throw error;
      missing = null;
      return find<Row>(use, query, bindings);
    }
  }

  function find<Row extends Record<string, SqlStorageValue>>(
    { verb, target, sources, isPlain }: TableUse,
    query: string,
    bindings: readonly unknown[],
  ): SqlStorageCursor<Row> {
    if (target === null && sources.length === 0) return exec<Row>(query, ...bindings);
    missing ??= new Set(missingTables({ exec } as SqlStorage));
    const isTargetMissing = target !== null && missing.has(target);
    const empty = sources.filter((name) => missing?.has(name));
    if (!isTargetMissing && empty.length === 0) return exec<Row>(query, ...bindings);
    // Fails in an object without a session.
    const { newest } = exec<{ newest: number }>(NEWEST).one();
    if (isTargetMissing && verb === "change") return exec<Row>(NO_ROWS);
    if (isTargetMissing) makeTarget(target, missing);
    if (isTargetMissing && newest > version) exec(NOTE_VERSION, -version);
    if (empty.length > 0 && isPlain) return exec<Row>(NO_ROWS);
    const stillEmpty = empty.filter((name) => missing?.has(name));
    return exec<Row>(withEmpty(stillEmpty) + query, ...bindings);
  }

  function makeTarget(target: string, known: Set<string>): void {
    // Read again if one cannot be made: it may be there without its index.
    missing = null;
    make({ exec }, target);
    known.delete(target);
    missing = known;
  }
}

/** A prefix by which a statement finds empty tables under these names. */
function withEmpty(names: readonly string[]): string {
  if (names.length === 0) return "";
  const tables = names.map((name) => {
    const columns = DEFINITIONS.get(name)?.columns ?? [];
    return `${name} (${columns.join(", ")}) AS (SELECT ${columns.map(() => "NULL").join(", ")} WHERE 0)`;
  });
  return `WITH ${tables.join(", ")} `;
}
