// The platform's Worker, unchanged, with additional endpoints for the bench: rows written by a session's object, usage
// of its database, repeating a session's reply, which would take too long by the API, and evicting an object.
import { memoryObjectName } from "../../durable-objects/api/memory-api.ts";
import { MemoryObject as Memory } from "../../durable-objects/memory/memory-object.ts";
import { SessionObject as Session } from "../../durable-objects/session-object.ts";
import { sessionObjectName } from "../../durable-objects/api/session-api.ts";
import { triggerObjectName } from "../../durable-objects/api/trigger-api.ts";
import { TenantObject as Tenant } from "../../durable-objects/tenant-object.ts";
import { TriggerObject as Trigger } from "../../durable-objects/triggers/trigger-object.ts";
import app from "../../worker/index.ts";
import type { MemoryFill } from "../memory/fill.ts";
import type { RowCounts } from "../row-counts.ts";
import { addCounter, countRequest, countRequests, objectUsage } from "./count-object-requests.ts";
import { countWrittenRows, type RowCounter } from "./count-written-rows.ts";
import { fillMemories } from "./fill-memories.ts";
import { measureLog } from "./measure-log.ts";
import { repeatReply } from "./repeat-reply.ts";

export { RoomObject } from "../../durable-objects/rooms/room-object.ts";
export { SearchObject } from "../../durable-objects/search/search-object.ts";

export class TriggerObject extends Trigger {
  /** Does not return: the caller's call fails. */
  async putAway(): Promise<void> {
    await this.ctx.storage.sync();
    this.ctx.abort("put away");
  }
}

export class TenantObject extends Tenant {
  constructor(ctx: DurableObjectState, env: Env) {
    addCounter(countWrittenRows(ctx.storage));
    super(ctx, counted(env));
  }

  override alarm(): Promise<void> {
    countRequest();
    return super.alarm();
  }
}

/** The number of times that a session's object has come into memory. */
let wakes = 0;

export class SessionObject extends Session {
  readonly #counter: RowCounter;

  constructor(ctx: DurableObjectState, env: Env) {
    const counter = addCounter(countWrittenRows(ctx.storage));
    super(ctx, counted(env));
    wakes += 1;
    this.#counter = counter;
  }

  override alarm(): Promise<void> {
    countRequest();
    return super.alarm();
  }

  async rowCounts(): Promise<RowCounts> {
    const { sql } = this.ctx.storage;
    const { written, byStatement } = this.#counter;
    const rows = sql.exec<{ frames: ArrayBuffer }>("SELECT frames FROM events").toArray();
    return {
      written,
      by_statement: byStatement,
      events: rows.length,
      size_bytes: sql.databaseSize,
      log: measureLog(rows.map(({ frames }) => new Uint8Array(frames))),
    };
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

export class MemoryObject extends Memory {
  async fill(memories: MemoryFill): Promise<void> {
    fillMemories(this.ctx.storage, memories);
    await this.ctx.storage.sync();
  }

  /** Does not return: the caller's call fails. */
  async putAway(): Promise<void> {
    await this.ctx.storage.sync();
    this.ctx.abort("put away");
  }
}

const countedEnvs = new WeakMap<object, Env>();

/** With namespaces that count the calls of their objects. The same one for the same bindings: others remember things by it. */
function counted(env: Env): Env {
  const known = countedEnvs.get(env);
  if (known) return known;
  const made = { ...env, SESSION: countRequests(env.SESSION), TENANT: countRequests(env.TENANT) };
  countedEnvs.set(env, made);
  return made;
}

type BenchEnv = Omit<Env, "SESSION" | "MEMORY" | "TRIGGER"> & {
  readonly SESSION: DurableObjectNamespace<SessionObject>;
  readonly MEMORY: DurableObjectNamespace<MemoryObject>;
  readonly TRIGGER: DurableObjectNamespace<TriggerObject>;
  /** The service behind the D1 binding. */
  readonly DATABASE: Fetcher;
};

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/bench/objects") return Response.json(objectUsage());
    if (pathname === "/bench/wakes") return Response.json(wakes);
    if (pathname === "/bench/database") return env.DATABASE.fetch("http://database/counts");
    if (!pathname.startsWith("/bench/")) return app.fetch(request, counted(env), ctx);
    if (pathname === "/bench/memories") {
      const store = env.MEMORY.getByName(
        memoryObjectName(searchParams.get("tenant") ?? "", searchParams.get("store") ?? ""),
      );
      await store.fill(await request.json<MemoryFill>());
      await store.putAway().catch(() => undefined);
      return Response.json(null);
    }
    if (pathname === "/bench/put-trigger-away") {
      const of = [searchParams.get("tenant") ?? "", searchParams.get("trigger") ?? ""] as const;
      await env.TRIGGER.getByName(triggerObjectName(...of))
        .putAway()
        .catch(() => undefined);
      return Response.json(null);
    }
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
