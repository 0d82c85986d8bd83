// Counts the rows that an object writes by wrapping its storage, so that all writes are counted.

export interface RowCounter {
  /** Rows as billed, including alarms. */
  written: number;
}

/** Wraps the storage's methods; call before the first write. */
export function countWrittenRows(storage: DurableObjectStorage): RowCounter {
  const counter: RowCounter = { written: 0 };
  const exec = storage.sql.exec.bind(storage.sql);
  Object.defineProperty(storage.sql, "exec", {
    value: (...query: Parameters<typeof exec>) => {
      const cursor = exec(...query);
      counter.written += cursor.rowsWritten;
      return cursor;
    },
  });
  for (const method of ["setAlarm", "put", "delete"] as const) countCalls(storage, method);
  for (const method of ["put", "delete"] as const) countCalls(storage.kv, method);
  return counter;

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
        counter.written += isMany ? Object.keys(first).length : 1;
        return original(...values);
      },
    });
  }
}
