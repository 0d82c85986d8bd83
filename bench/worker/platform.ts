// The platform's own Worker, unchanged, with one door more: how many rows has a session's object written?
import { SessionObject as Session } from "../../durable-objects/session-object.ts";
import { sessionObjectName } from "../../durable-objects/session-api.ts";
import app from "../../worker/index.ts";
import type { RowCounts } from "../row-counts.ts";

export class SessionObject extends Session {
  readonly #counter: { written: number };

  constructor(ctx: DurableObjectState, env: Env) {
    const counter = countWrittenRows(ctx.storage);
    super(ctx, env);
    this.#counter = counter;
  }

  async rowCounts(): Promise<RowCounts> {
    const { events } = this.ctx.storage.sql
      .exec<{ events: number }>("SELECT count(*) AS events FROM events")
      .one();
    return { written: this.#counter.written, events };
  }
}

/** Counts at the storage's own door, so that nothing the session writes is missed. */
function countWrittenRows(storage: DurableObjectStorage): { written: number } {
  const counter = { written: 0 };
  const exec = storage.sql.exec.bind(storage.sql);
  const setAlarm = storage.setAlarm.bind(storage);
  Object.defineProperty(storage.sql, "exec", {
    value: (...query: Parameters<typeof exec>) => {
      const cursor = exec(...query);
      counter.written += cursor.rowsWritten;
      return cursor;
    },
  });
  Object.defineProperty(storage, "setAlarm", {
    value: (...alarm: Parameters<typeof setAlarm>) => {
      counter.written += 1;
      return setAlarm(...alarm);
    },
  });
  return counter;
}

type BenchEnv = Omit<Env, "SESSION"> & { readonly SESSION: DurableObjectNamespace<SessionObject> };

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/bench/rows") return app.fetch(request, env, ctx);
    const name = sessionObjectName(
      searchParams.get("tenant") ?? "",
      searchParams.get("session") ?? "",
    );
    return Response.json(await env.SESSION.get(env.SESSION.idFromName(name)).rowCounts());
  },
} satisfies ExportedHandler<BenchEnv>;
