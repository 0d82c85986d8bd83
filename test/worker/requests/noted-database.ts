// D1, with a note of what it was given.
import { env } from "cloudflare:workers";

export interface Asked {
  readonly query: string;
  readonly values: readonly unknown[];
}

export function notedDatabase(asked: Asked[]): D1Database {
  const prepare = (query: string) => ({
    bind(...values: unknown[]) {
      asked.push({ query, values });
      return env.DB.prepare(query).bind(...values);
    },
  });
  const batch = (statements: D1PreparedStatement[]) => env.DB.batch(statements);
  return { prepare, batch } as unknown as D1Database;
}

/** Statements in a batch, and what each of them has cost. */
export function meteredDatabase(costs: D1Meta[]): D1Database {
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await env.DB.batch(statements);
    costs.push(...results.map(({ meta }) => meta));
    return results;
  };
  return { prepare: (query: string) => env.DB.prepare(query), batch } as unknown as D1Database;
}
