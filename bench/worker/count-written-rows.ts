// Counts the rows that an object writes by wrapping its storage, so that all writes are counted.

export interface RowCounter {
  /** Rows as billed, including alarms. */
  written: number;
  /** The same, by the verb and the table of a statement, or by a method of the storage. */
  readonly byStatement: Record<string, number>;
}

const STATEMENT =
  /^\s*(INSERT|UPDATE|DELETE|CREATE)(?: OR REPLACE)?(?: INTO| FROM| TABLE| INDEX)?\s+(\w+)/i;

/** Wraps the storage's methods; call before the first write. */
export function countWrittenRows(storage: DurableObjectStorage): RowCounter {
  const counter: RowCounter = { written: 0, byStatement: {} };
  const exec = storage.sql.exec.bind(storage.sql);
  Object.defineProperty(storage.sql, "exec", {
    value: (...query: Parameters<typeof exec>) => {
      const cursor = exec(...query);
      if (cursor.rowsWritten > 0) count(nameOf(query[0]), cursor.rowsWritten);
      return cursor;
    },
    configurable: true,
    writable: true,
  });
  for (const method of ["setAlarm", "put", "delete"] as const) countCalls(storage, method);
  for (const method of ["put", "delete"] as const) countCalls(storage.kv, method);
  return counter;

  function count(name: string, rows: number): void {
    counter.written += rows;
    counter.byStatement[name] = (counter.byStatement[name] ?? 0) + rows;
  }

  /** A call writes one row, or one per key of an object or list. */
  function countCalls<K extends string>(
    target: Record<K, (...values: never[]) => unknown>,
    method: K,
  ) {
    const original = target[method].bind(target);
    Object.defineProperty(target, method, {
      value: (...values: never[]) => {
        const [first] = values as readonly unknown[];
        const isMany = typeof first === "object" && first !== null && method !== "setAlarm";
        count(method, isMany ? Object.keys(first).length : 1);
        return original(...values);
      },
    });
  }
}

function nameOf(query: string): string {
  const [, verb = "other", table = ""] = STATEMENT.exec(query) ?? [];
  return `${verb} ${table}`.toLowerCase();
}
