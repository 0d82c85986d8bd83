// Stores that go: by a request, with their agent, with their tenant, with their end user.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { listEndUserStores } from "../../../storage/memory/store-registry.ts";
import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import { eraseLeftStores, eraseMemoryStore } from "../../../worker/memory/erase-stores.ts";
import { eraseStep } from "../../../worker/jobs/erase-tenant.ts";
import { ask, makeAgent, OPERATOR } from "../support/api.ts";
import { readLimits } from "../support/tenant-use.ts";
import { contentsOf, makeStore, memoryDesk } from "./memory-desk.ts";

const rowsOf = async (tenantId: string) =>
  (
    await env.DB.prepare("SELECT id FROM memory_stores WHERE tenant_id = ?")
      .bind(tenantId)
      .all<{ id: string }>()
  ).results.map(({ id }) => id);

const isEmpty = (tenantId: string, storeId: string) =>
  runInDurableObject(
    env.MEMORY.getByName(memoryObjectName(tenantId, storeId)),
    (_, { storage }) =>
      storage.sql.exec("SELECT 1 FROM sqlite_schema WHERE name NOT GLOB '_cf_*'").toArray()
        .length === 0,
  );

const told = (content: string, session_id: string | null = null) => ({
  content,
  untrusted: null,
  source: { session_id, reply_id: "rep_1", tool_call_id: null },
});

describe("a store", () => {
  test("that is deleted leaves no row, no table and no byte; what is remembered later is a new one", async () => {
    const { write, path, call, tenant_id, store } = await memoryDesk();
    await write("The customer lives in Berlin.");

    const deleted = await ask("DELETE", path, call);

    expect(deleted.status).toBe(204);
    expect((await ask("GET", path, call)).status).toBe(404);
    await expect.poll(() => rowsOf(tenant_id)).toEqual([]);
    expect(await isEmpty(tenant_id, store.id)).toBe(true);
    const { used } = await readLimits(call);
    expect(used.memory_stores).toBe(0);
    const again = await makeStore(call, store.agent_id, store.end_user_id);
    expect([again.id, again.memories]).toEqual([store.id, 0]);
  });

  test("whose deletion was interrupted before its object was erased is found by the sweep", async () => {
    const { write, tenant_id, store, path, call } = await memoryDesk();
    await write("The customer lives in Berlin.");
    await env.DB.prepare("UPDATE memory_stores SET deleted_at = ? WHERE id = ?")
      .bind(new Date().toISOString(), store.id)
      .run();
    expect((await ask("GET", path, call)).status).toBe(404);

    await eraseLeftStores(env);

    expect(await rowsOf(tenant_id)).toEqual([]);
    expect(await isEmpty(tenant_id, store.id)).toBe(true);
  });

  test("that was made anew after an erasure had begun stays when that is repeated", async () => {
    const { object, asked, write, list } = await memoryDesk();
    await write("Old.");
    const begun = new Date(Date.now() - 60_000).toISOString();

    await object.erase(begun);

    expect(contentsOf(await list())).toEqual(["Old."]);
    expect(await object.gone(["mem_x"])).toEqual(["mem_x"]);
    expect(asked.embedding).toBe(null);
  });

  test("goes with its agent, and a reply that ends later makes none", async () => {
    const { write, tenant_id, store, agent_id, call, object, asked } = await memoryDesk();
    const { id: other } = await makeAgent(call, { name: "Other", memory: {} });
    const kept = await makeStore(call, other, "ada");
    await write("The customer lives in Berlin.");

    await ask("DELETE", `/v1/agents/${agent_id}`, call);

    await expect.poll(() => rowsOf(tenant_id)).toEqual([kept.id]);
    await expect.poll(() => isEmpty(tenant_id, store.id)).toBe(true);
    const late = await object.record({ ...asked, record_id: "rep_1", memories: [told("Late.")] });
    expect(late).toMatchObject({ ok: false, failure: { code: "store_gone" } });
    expect(await isEmpty(tenant_id, store.id)).toBe(true);
  });

  test("is not made by a session that is not there", async () => {
    const { object, asked, tenant_id, store } = await memoryDesk();
    await eraseMemoryStore(env, { id: store.id, tenant_id });

    const late = await object.record({
      ...asked,
      record_id: "rep_1",
      memories: [told("Late.", "ses_01kaj2vcr4k7n1q5s9v3x6z0b2")],
    });

    expect(late).toMatchObject({ ok: false, failure: { code: "store_gone" } });
    expect(await rowsOf(tenant_id)).toEqual([]);
  });

  test("goes with its tenant", async () => {
    const { write, tenant_id, store } = await memoryDesk();
    await write("The customer lives in Berlin.");

    await ask("DELETE", `/v1/tenants/${tenant_id}`, OPERATOR);
    await expect
      .poll(async () => (await eraseStep(env, tenant_id)) && (await rowsOf(tenant_id)))
      .toEqual([]);

    expect(await isEmpty(tenant_id, store.id)).toBe(true);
  });

  test("of an end user is found page by page, with all agents, and exported whole", async () => {
    const { write, tenant_id, store, call, object, agent_id } = await memoryDesk();
    const { id: other } = await makeAgent(call, { name: "Other", memory: {} });
    const second = await makeStore(call, other, "ada");
    await makeStore(call, agent_id, "bea");
    await makeStore(call, agent_id, null);
    const { json } = await write("The customer lives in Berlin.");

    const until = new Date().toISOString();
    const request = { tenantId: tenant_id, endUserId: "ada", until, most: 1 };
    const [first] = await listEndUserStores(env.DB, { ...request, after: "" });
    const [next] = await listEndUserStores(env.DB, { ...request, after: first!.id });
    const end = await listEndUserStores(env.DB, { ...request, after: next!.id });

    expect([first!.id, next!.id].toSorted()).toEqual([store.id, second.id].toSorted());
    expect(end).toEqual([]);
    expect(await object.export("")).toEqual({
      memories: [{ memory: json, versions: [expect.objectContaining({ memory_id: json.id })] }],
      next: null,
    });
  });

  test("is exported in pages of a bounded size, however long its versions are", async () => {
    const { write, tenant_id, store, object } = await memoryDesk();
    const ids: string[] = [];
    for (const color of ["Red.", "Green.", "Blue."]) ids.push((await write(color)).json.id);
    const stub = env.MEMORY.getByName(memoryObjectName(tenant_id, store.id));
    await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(
        `WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 400)
         INSERT INTO versions SELECT version_id || n, memory_id, n, operation, path, source, untrusted, supersedes,
           created_at, NULL, content_sha256, printf('%.8000c', 'x') FROM versions, n WHERE version = 1`,
      ),
    );

    const pages: (readonly string[])[] = [];
    for (let after: string | null = ""; after !== null;) {
      const page: Awaited<ReturnType<typeof object.export>> = await object.export(after);
      pages.push(page.memories.map(({ memory }) => memory?.id ?? ""));
      after = page.next;
    }

    expect(pages).toEqual(ids.map((id) => [id]));
  });
});
