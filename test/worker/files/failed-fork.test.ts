// A fork that is refused: what it would have named.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { ask, makeSession, openSession } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";

/** D1 with something that happens when a fork has its references, and its copy has not begun. */
function interleaved(happens: () => Promise<unknown>): D1Database {
  const wrapped = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== "function") return member;
        if (name === "bind") return (...values: unknown[]) => wrapped(target.bind(...values));
        return async (...given: unknown[]) => {
          const result = (await Reflect.apply(member, target, given)) as unknown;
          await happens();
          return result;
        };
      },
    });
  return new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      if (name !== "prepare") return member.bind(target) as unknown;
      return (sql: string) => {
        const statement = target.prepare(sql);
        return /insert into "file_references"/i.test(sql) ? wrapped(statement) : statement;
      };
    },
  });
}

async function openWithFile() {
  const opened = await openSession();
  const { json: file } = await ask<{ id: string; url: string }>(
    "POST",
    `/v1/files?session_id=${opened.session.id}`,
    { ...opened.call, json: { note: "shoes" } },
  );
  const source = { type: "url", url: file.url, media_type: "application/json" };
  const json = { messages: [{ role: "user", content: [{ type: "data", source }] }] };
  const { status, text } = await ask("POST", `${opened.path}/observe`, { ...opened.call, json });
  if (status !== 201) throw new Error(text);
  return { ...opened, file };
}

const references = async (tenantId: string) =>
  (
    await env.DB.prepare("SELECT session_id FROM file_references WHERE tenant_id = ?")
      .bind(tenantId)
      .all<{ session_id: string }>()
  ).results.map(({ session_id }) => session_id);

describe("a fork that is refused", () => {
  test("because its source was deleted leaves no file readable", async () => {
    const { call, path, tenantId, file } = await openWithFile();
    const bindings = { ...env, DB: interleaved(() => ask("DELETE", path, call)) };

    const forked = await ask("POST", `${path}/fork`, { ...call, json: {}, bindings });

    const read = await ask("GET", `/v1/files/${file.id}`, call);
    expect([forked.status, read.status]).toEqual([404, 404]);
    expect(await references(tenantId)).toEqual([]);
  });

  test("by a quota names no files; its source does", async () => {
    const { call, path, tenantId, session, file } = await openWithFile();
    await makeSession(call, { agent_id: session.agent_id });
    await changeTenant(tenantId, { quotas: { sessions: 2 } });

    const forked = await ask("POST", `${path}/fork`, { ...call, json: {} });

    const read = await ask("GET", `/v1/files/${file.id}`, call);
    expect([forked.status, read.status]).toEqual([429, 200]);
    expect(await references(tenantId)).toEqual([session.id]);
  });
});
