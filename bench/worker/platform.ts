// The platform's Worker, unchanged, with additional endpoints for the bench: rows written by a session's object, usage
// of its database, repeating a session's reply, which would take too long by the API, and evicting an object.
import { SessionObject as Session } from "../../durable-objects/session-object.ts";
import { sessionObjectName } from "../../durable-objects/api/session-api.ts";
import app from "../../worker/index.ts";
import type { RowCounts } from "../row-counts.ts";
import { countWrittenRows, type RowCounter } from "./count-written-rows.ts";
import { repeatReply } from "./repeat-reply.ts";

export { TenantObject } from "../../durable-objects/tenant-object.ts";

export class SessionObject extends Session {
  readonly #counter: RowCounter;

  constructor(ctx: DurableObjectState, env: Env) {
    const counter = countWrittenRows(ctx.storage);
    super(ctx, env);
    this.#counter = counter;
  }

  async rowCounts(): Promise<RowCounts> {
    const { sql } = this.ctx.storage;
    const { events } = sql.exec<{ events: number }>("SELECT count(*) AS events FROM events").one();
    return { written: this.#counter.written, events, size_bytes: sql.databaseSize };
  }

  async repeatReply(times: number): Promise<number> {
    return repeatReply(this.ctx.storage, times);
  }

  /** Does not return: the caller's call fails. */
  async putAway(): Promise<void> {
    await this.ctx.storage.sync();
    this.ctx.abort("put away");
  }
}

type BenchEnv = Omit<Env, "SESSION"> & {
  readonly SESSION: DurableObjectNamespace<SessionObject>;
  /** The service behind the D1 binding. */
  readonly DATABASE: Fetcher;
};

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/bench/database") return env.DATABASE.fetch("http://database/counts");
    if (!pathname.startsWith("/bench/")) return app.fetch(request, env, ctx);
    const name = sessionObjectName(
      searchParams.get("tenant") ?? "",
      searchParams.get("session") ?? "",
    );
    const session = env.SESSION.get(env.SESSION.idFromName(name));
    switch (pathname) {
      case "/bench/rows":
        return Response.json(await session.rowCounts());
      case "/bench/repeat":
        return Response.json(await session.repeatReply(Number(searchParams.get("times"))));
      case "/bench/put-away":
        await session.putAway().catch(() => undefined);
        return Response.json(null);
      default:
        return new Response(null, { status: 404 });
    }
  },
} satisfies ExportedHandler<BenchEnv>;
