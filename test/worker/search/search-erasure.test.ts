// Sessions that leave the index: deleted ones, those of a tenant that turns the search off, and all of one that is closed.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { SessionSearch } from "../../../protocol/search/contract.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { finishRemoval } from "../../../worker/jobs/finish-removal.ts";
import { eraseStep } from "../../../worker/jobs/erase-tenant.ts";
import { eraseLeftIndexes } from "../../../worker/jobs/forget-in-search.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { ask, OPERATOR, refusalOf } from "../support/api.ts";
import { brokenDatabase } from "../support/broken-database.ts";
import {
  changesLeft,
  indexBytes,
  searchedTenant,
  searchObject,
  storedBytes,
} from "./searched-tenant.ts";

/** Whether the index's own pages have these bytes anywhere. */
function holds(tenantId: string, text: string): Promise<boolean> {
  return runInDurableObject(searchObject(tenantId), (_, { storage: { sql } }) => {
    const tables = sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '_cf_%'",
      )
      .toArray();
    return tables.some(({ name }) =>
      sql
        .exec(`SELECT * FROM ${name}`)
        .toArray()
        .some((row) =>
          Object.values(row).some((value) => {
            const bytes = value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value;
            return String(bytes).includes(text);
          }),
        ),
    );
  });
}

describe("a session that is deleted", () => {
  test("leaves the index with the request, and no byte of a word of its own stays", async () => {
    const { call, tenantId, say, find } = await searchedTenant();
    const id = await say("the word xylophone");
    const kept = await say("the word piano");
    await find("word");
    const before = await holds(tenantId, "xylophone");

    await ask("DELETE", `/v1/sessions/${id}`, call);

    expect([before, await holds(tenantId, "xylophone"), await holds(tenantId, id)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await find("word")).toEqual([kept]);
    expect(await changesLeft(tenantId)).toEqual([]);
  });

  test("does not come back with an entry of its outbox that is late", async () => {
    const { call, tenantId, agentId, say, find } = await searchedTenant();
    const id = await say("a late tuba");
    await say("another tuba");
    const told = makeEntry({ tenantId, id, agent_id: agentId }, { first_words: "a late tuba" });
    await ask("DELETE", `/v1/sessions/${id}`, call);

    await deliverOutbox(env.DB, [{ ...told, entry: 9_000 }]);

    expect((await find("tuba")).includes(id)).toBe(false);
    expect(await holds(tenantId, id)).toBe(false);
  });

  test("that was never indexed leaves nothing, though its mark is there", async () => {
    const { call, tenantId, say, find } = await searchedTenant();
    const kept = await say("harp");
    await find("harp");
    const id = await say("harp too");
    await ask("DELETE", `/v1/sessions/${id}`, call);

    expect(await find("harp")).toEqual([kept]);
    expect([await holds(tenantId, id), await changesLeft(tenantId)]).toEqual([false, []]);
  });

  test("whose deletion was interrupted leaves it when the deletion is finished", async () => {
    const { tenantId, say, find } = await searchedTenant();
    const id = await say("a banjo");
    await find("banjo");
    const { sessions } = tenantStorage(env.DB, tenantId);
    await sessions.beginRemoval(id, new Date().toISOString());
    await expect(
      finishRemoval({ ...env, DB: brokenDatabase(1) }, removal(tenantId, id)),
    ).rejects.toThrow();

    await finishRemoval(env, removal(tenantId, id));

    expect(await holds(tenantId, id)).toBe(false);
    expect(await sessions.findRemoval(id)).toBe(null);
  });
});

const removal = (tenant_id: string, session_id: string) =>
  ({ kind: "session_removal", tenant_id, session_id }) as const;

describe("a tenant's search", () => {
  test("counts what its index stores, from the first search on", async () => {
    const { call, tenantId, say, find } = await searchedTenant();
    await say("viola");
    const setting = async () => (await ask<SessionSearch>("GET", "/v1/session-search", call)).json;
    const [unused, before] = [await setting(), await storedBytes(tenantId)];

    await find("viola");

    const after = await setting();
    expect([unused, after.enabled]).toEqual([{ enabled: true, stored_bytes: 0 }, true]);
    expect(after.stored_bytes).toBeGreaterThan(4_096);
    expect((await storedBytes(tenantId)) - before).toBe(after.stored_bytes);
  });

  test("that is off is refused by name, has no index, marks nothing, and is made anew when it is on", async () => {
    const { call, tenantId, say, find } = await searchedTenant();
    const first = await say("a cello");
    await find("cello");
    const [before, indexed] = [await storedBytes(tenantId), await indexBytes(tenantId)];
    const set = (enabled: boolean) =>
      ask<SessionSearch>("PATCH", "/v1/session-search", { ...call, json: { enabled } });

    const off = await set(false);
    const freed = before - (await storedBytes(tenantId));
    const again = await set(false);
    const second = await say("a second cello");
    const refused = await ask("GET", "/v1/sessions?search=cello", call);
    const left = [await changesLeft(tenantId), await indexBytes(tenantId)];
    const wasHeld = await holds(tenantId, "cello");
    const on = await set(true);

    expect([off.json, again.json]).toEqual([
      { enabled: false, stored_bytes: 0 },
      { enabled: false, stored_bytes: 0 },
    ]);
    expect([refusalOf(refused).code, refused.status]).toEqual(["search_off", 409]);
    expect(refused.json.detail).toContain("PATCH /v1/session-search");
    expect([left, wasHeld]).toEqual([[[], 0], false]);
    expect(freed).toBe(indexed);
    expect([on.json.enabled, await find("cello")]).toEqual([true, [second, first]]);
    const { json } = await ask<Page<AuditEntry>>("GET", "/v1/audit", call);
    const acts = json.data.filter(({ action }) => action === "session_search.updated");
    expect(acts.map(({ after }) => after)).toEqual([{ enabled: true }, { enabled: false }]);
  });

  test("that was turned off by a request that went no further is erased by the sweep", async () => {
    const { tenantId, say, find } = await searchedTenant();
    await say("an oboe");
    await find("oboe");
    await env.DB.prepare("UPDATE search_indexes SET enabled = 0 WHERE tenant_id = ?")
      .bind(tenantId)
      .run();

    await eraseLeftIndexes(env);

    expect([await holds(tenantId, "oboe"), await indexBytes(tenantId)]).toEqual([false, 0]);
  });

  test("that is turned on though nobody has turned it off changes nothing", async () => {
    const { call, tenantId } = await searchedTenant();

    await ask("PATCH", "/v1/session-search", { ...call, json: { enabled: true } });

    expect(await indexBytes(tenantId)).toBe(null);
  });

  test("goes with a tenant that is closed, and a late search brings nothing back", async () => {
    const { call, tenantId, say, find } = await searchedTenant();
    await say("a trombone");
    await find("trombone");
    await ask("DELETE", `/v1/tenants/${tenantId}`, OPERATOR);
    while (!(await eraseStep(env, tenantId)));

    const stub = searchObject(tenantId);
    const late = await stub.find({ search: "trombone", most: 10 });

    expect(late.ok).toBe(false);
    expect([await holds(tenantId, "trombone"), await indexBytes(tenantId)]).toEqual([false, null]);
    expect((await ask("GET", "/v1/sessions?search=trombone", call)).status).toBe(401);
  });
});
