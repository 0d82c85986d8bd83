import { drizzle } from "drizzle-orm/d1";

/** D1 as the files of this folder see it. `transaction` fails on D1; `batch` is atomic. */
export function openDatabase(binding: D1Database) {
  return drizzle(binding);
}
export type Database = ReturnType<typeof openDatabase>;
