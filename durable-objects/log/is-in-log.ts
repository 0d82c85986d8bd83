/**
 * Whether an event that is on disk contains this text. SQLite searches: no row is read into memory. In a row of more than
 * 1 MB, a text that is split between two parts is not found.
 */
export function isInLog(sql: SqlStorage, text: string): boolean {
  const [row] = sql
    .exec(
      `SELECT 1 FROM events WHERE instr(frames, ?1) > 0 OR (parts > 0 AND EXISTS
       (SELECT 1 FROM parts WHERE owner = 'event' AND key = seq AND instr(bytes, ?1) > 0)) LIMIT 1`,
      new TextEncoder().encode(text),
    )
    .toArray();
  return row !== undefined;
}
