// A stand-in for D1: one database in one object, behind the protocol of D1 bindings. Counts usage as D1 would bill it.
import { DurableObject } from "cloudflare:workers";

import type { DatabaseCounts } from "../database-counts.ts";

type Value = number | string | null | readonly number[];

interface Query {
  readonly sql: string;
  readonly params?: readonly Value[] | null;
}

interface DatabaseEnv {
  readonly DATABASE: DurableObjectNamespace<Database>;
}

export class Database extends DurableObject {
  readonly #counts = { requests: 0, statements: 0, rows_read: 0, rows_written: 0 };

  counts(): DatabaseCounts {
    return { ...this.#counts, size_bytes: this.ctx.storage.sql.databaseSize };
  }

  override async fetch(request: Request): Promise<Response> {
    const body = (await request.json()) as Query | readonly Query[];
    const queries = Array.isArray(body) ? (body as readonly Query[]) : [body as Query];
    this.#counts.requests += 1;
    try {
      const run = (): unknown[] => queries.map((query) => this.#run(query));
      return Response.json(this.ctx.storage.transactionSync(run));
    } catch (error) {
      return Response.json({ success: false, error: String((error as Error).message ?? error) });
    }
  }

  #run({ sql, params }: Query): unknown {
    const before = this.#changes();
    const cursor = this.ctx.storage.sql.exec(sql, ...(params ?? []).map(decode));
    const columns = cursor.columnNames;
    const rows = [...cursor.raw()].map((row) => row.map(encode));
    const after = this.#changes();
    const { rowsRead: rows_read, rowsWritten: rows_written } = cursor;
    this.#counts.statements += 1;
    this.#counts.rows_read += rows_read;
    this.#counts.rows_written += rows_written;
    const changes = after.total - before.total;
    return {
      success: true,
      results: { columns, rows },
      meta: {
        duration: 0,
        changes,
        changed_db: changes !== 0,
        last_row_id: after.last,
        size_after: this.ctx.storage.sql.databaseSize,
        rows_read,
        rows_written,
      },
    };
  }

  #changes(): { total: number; last: number } {
    const query = "SELECT total_changes() AS total, last_insert_rowid() AS last";
    return this.ctx.storage.sql.exec<{ total: number; last: number }>(query).one();
  }
}

/** Bytes are sent as an array of numbers. */
function decode(value: Value): SqlStorageValue {
  return typeof value === "object" && value !== null ? new Uint8Array(value).buffer : value;
}

function encode(value: SqlStorageValue): Value {
  return value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;
}

export default {
  async fetch(request, env): Promise<Response> {
    const object = env.DATABASE.get(env.DATABASE.idFromName("database"));
    const isCounting = new URL(request.url).pathname === "/counts";
    return isCounting ? Response.json(await object.counts()) : object.fetch(request);
  },
} satisfies ExportedHandler<DatabaseEnv>;
