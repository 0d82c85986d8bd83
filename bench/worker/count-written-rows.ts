// Counts the rows that an object writes at its storage's own door, so that nothing is missed, whoever writes.

export interface RowCounter {
  /** Rows as they are billed, alarms included. */
  written: number;
}

/** To be called before anything is written: it stands before the storage's own methods from then on. */
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

  /** A call writes a row; one with an object or a list of keys, one for each. */
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
