import { drizzle } from "drizzle-orm/d1";

/** D1 through drizzle. Use `batch`, which is atomic; `transaction` fails on D1. */
export function openDatabase(binding: D1Database) {
  return drizzle(binding);
}
export type Database = ReturnType<typeof openDatabase>;
