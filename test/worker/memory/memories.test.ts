// Memories of a store: written, settled beside those that are there, corrected, deleted, redacted.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import type { NewMemory } from "../../../agent/memory-store.ts";
import type { Memory, RedactedMemory } from "../../../protocol/memory/contract.ts";
import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import { ask } from "../support/api.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";
import { contentsOf, memoryDesk } from "./memory-desk.ts";

const SOURCE = { session_id: null, reply_id: null, tool_call_id: null };

const told = (content: string, more: Partial<NewMemory> = {}): NewMemory => ({
  content,
  untrusted: null,
  source: SOURCE,
  ...more,
});

describe("a memory that an API key writes", () => {
  test("is stored once, with its hash, and answered by its id", async () => {
    const { write, path, call, store, list } = await memoryDesk();

    const { status, json, headers } = await write("The customer's shoes are size 42.");

    expect([status, headers.get("ETag")]).toEqual([201, '"1"']);
    expect(json).toEqual({
      id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
      store_id: store.id,
      path: null,
      content: "The customer's shoes are size 42.",
      content_sha256: "sha256:5ee50648fd4cdb424e35fc3728d6d47668f9d0877899bcec38916dd0c4aeba75",
      source: null,
      untrusted: null,
      supersedes: null,
      version: 1,
      version_id: expect.stringMatching(/^memver_[0-9a-z]{26}$/),
      created_at: json.updated_at,
      updated_at: expect.any(String),
    });
    expect((await ask<Memory>("GET", `${path}/memories/${json.id}`, call)).json).toEqual(json);
    expect(await list()).toEqual({ data: [json], has_more: false, next_page: null, note: null });
  });

  test("that is there already, whatever its case and punctuation, is answered as it is", async () => {
    const { write, list } = await memoryDesk();
    const first = await write("The customer lives in Berlin.");

    const again = await write("the customer lives in Berlin");

    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(contentsOf(await list())).toEqual(["The customer lives in Berlin."]);
  });

  test("that says otherwise takes the place of the old one, which stays among the versions", async () => {
    const { write, list, versions } = await memoryDesk();
    const first = await write("The customer lives in Berlin.");
    const second = await write("The customer lives in Munich now.");

    const { json } = second;
    expect([second.status, json.id, json.version]).toEqual([200, first.json.id, 2]);
    expect(json.supersedes).toBe(first.json.version_id);
    expect(contentsOf(await list())).toEqual(["The customer lives in Munich now."]);
    expect((await versions()).map((one) => [one.version, one.operation, one.content])).toEqual([
      [2, "superseded", "The customer lives in Munich now."],
      [1, "recorded", "The customer lives in Berlin."],
    ]);
  });

  test("at a path takes the place of what is there, and only of that", async () => {
    const { write, list } = await memoryDesk();
    await write("Green", "taste/colour");
    await write("Jazz", "taste/music");
    await write("A note.");

    await write("Blue", "taste/colour");

    expect(contentsOf(await list("?path=taste"))).toEqual(["Jazz", "Blue"]);
    expect(contentsOf(await list())).toEqual(["A note.", "Jazz", "Blue"]);
  });

  test("of a full store is refused by name; a correction is not", async () => {
    const { write, tenant_id } = await memoryDesk();
    await changeTenant(tenant_id, { quotas: { memories_per_store: 1 } });
    await write("The customer lives in Berlin.");

    const refused = await write("The dog is called Rex.");
    const corrected = await write("The customer lives in Bonn.");

    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({ code: "memory_store_full" });
    expect([corrected.status, corrected.json.version]).toEqual([200, 2]);
  });
});

describe("a record of a reply", () => {
  test("has the outcomes that it had when it is repeated, and writes nothing", async () => {
    const { object, asked, list } = await memoryDesk();
    const memories = [told("Likes tea."), told("likes tea"), told(" "), told("x".repeat(8_001))];

    const first = await object.record({ ...asked, record_id: "rep_1", memories });
    const again = await object.record({ ...asked, record_id: "rep_1", memories: [told("Other.")] });

    const [{ id }] = (await list()).data as [Memory];
    expect(first).toEqual({
      ok: true,
      value: {
        outcomes: [
          { kind: "added", memory_id: id, version: 1 },
          { kind: "duplicate", memory_id: id },
          { kind: "refused", code: "memory_empty", detail: expect.any(String) },
          { kind: "refused", code: "memory_too_long", detail: expect.any(String) },
        ],
      },
    });
    expect(again).toEqual(first);
    expect(contentsOf(await list())).toEqual(["Likes tea."]);
  });

  test("keeps where a memory is from, and what was untrusted", async () => {
    const { object, asked, list } = await memoryDesk();
    const untrusted = { tool_name: "read_mail", tool_call_id: "call_1" };
    const source = { session_id: null, reply_id: "rep_1", tool_call_id: "call_2" };

    await object.record({
      ...asked,
      record_id: "call_2",
      memories: [told("The parcel is late.", { untrusted, source })],
    });

    expect((await list()).data).toMatchObject([{ untrusted, source }]);
    const recalled = await object.recall({ ...asked, texts: ["parcel"], limit: 5 });
    expect(recalled).toMatchObject({ ok: true, value: { memories: [{ untrusted, version: 1 }] } });
  });

  test("corrects the memory that it names", async () => {
    const { object, asked, write, list } = await memoryDesk();
    const { json } = await write("Drinks coffee.");

    await object.record({
      ...asked,
      record_id: "rep_2",
      memories: [told("Has given up coffee.", { supersedes: json.id })],
    });

    expect((await list()).data).toMatchObject([
      { id: json.id, version: 2, content: "Has given up coffee." },
    ]);
  });
});

describe("a correction", () => {
  test("is made at the version that If-Match names alone", async () => {
    const { write, path, call } = await memoryDesk();
    const { json } = await write("Wears size 42.");
    const at = `${path}/memories/${json.id}`;
    const change = { ...call, json: { content: "Wears size 43." } };

    const stale = await ask("PATCH", at, { ...change, headers: { "If-Match": '"7"' } });
    const done = await ask<Memory>("PATCH", at, { ...change, headers: { "If-Match": '"1"' } });
    const same = await ask<Memory>("PATCH", at, change);

    expect([stale.status, stale.json.code]).toEqual([412, "version_mismatch"]);
    expect([done.status, done.headers.get("ETag"), done.json.content]).toEqual([
      200,
      '"2"',
      "Wears size 43.",
    ]);
    expect(same.json).toEqual(done.json);
  });

  test("does not take another memory's path", async () => {
    const { write, path, call } = await memoryDesk();
    await write("Green", "colour");
    const { json } = await write("Blue");

    const at = `${path}/memories/${json.id}`;
    const { status, json: problem } = await ask("PATCH", at, { ...call, json: { path: "colour" } });

    expect([status, problem.code]).toEqual([409, "conflict"]);
  });
});

/** Each text in the tables of the store's object, those of the index included. */
async function textsOf(tenantId: string, storeId: string): Promise<string> {
  const stub = env.MEMORY.getByName(memoryObjectName(tenantId, storeId));
  return runInDurableObject(stub, (_, { storage: { sql } }) => {
    const tables = sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
      )
      .toArray();
    const decoder = new TextDecoder("latin1");
    return tables
      .filter(({ name }) => name !== "words")
      .flatMap(({ name }) => [...sql.exec(`SELECT * FROM ${name}`).raw()].flat())
      .map((value) => (value instanceof ArrayBuffer ? decoder.decode(value) : String(value)))
      .join("\n");
  });
}

describe("a redaction", () => {
  test("takes the content out of all versions and of the index, and leaves the versions listed", async () => {
    const { write, path, call, versions, find, list, tenant_id, store, object } =
      await memoryDesk();
    await write("The customer lives in Zwickau.");
    const { json } = await write("The customer lives in Quedlinburg.");
    await write("The dog is called Rex.");
    expect(await textsOf(tenant_id, store.id)).toMatch(/zwickau[^]*quedlinburg/i);

    const at = `${path}/versions/${json.version_id}/redact`;
    const { status, json: redacted } = await ask<RedactedMemory>("POST", at, call);

    expect(status).toBe(200);
    expect(redacted).toEqual({
      memory_id: json.id,
      version_ids: expect.arrayContaining([json.version_id, json.supersedes]),
      redacted_at: expect.any(String),
    });
    expect(
      (await versions(`?memory_id=${json.id}`)).map((one) => [
        one.version,
        one.content,
        one.content_sha256,
      ]),
    ).toEqual([
      [2, null, null],
      [1, null, null],
    ]);
    expect(await textsOf(tenant_id, store.id)).not.toMatch(/zwick|quedlin/i);
    expect(contentsOf(await find("Quedlinburg"))).toEqual([]);
    expect(contentsOf(await list())).toEqual(["The dog is called Rex."]);
    expect(await object.gone([json.id, "mem_other"])).toEqual([json.id, "mem_other"]);
    expect((await ask<RedactedMemory>("POST", at, call)).json).toEqual(redacted);
  });

  test("of a deleted memory finds nothing: nothing of it is left", async () => {
    const { write, path, call, versions, tenant_id, store } = await memoryDesk();
    const { json } = await write("The customer lives in Zwickau.");

    const deleted = await ask("DELETE", `${path}/memories/${json.id}`, call);

    expect(deleted.status).toBe(204);
    expect(await versions()).toEqual([]);
    expect(await textsOf(tenant_id, store.id)).not.toMatch(/zwick/i);
    const redacted = await ask("POST", `${path}/versions/${json.version_id}/redact`, call);
    expect(redacted.status).toBe(404);
  });
});

test("a store tells D1 how large it is, and the tenant's bytes and stores count it", async () => {
  const { write, path, call, store } = await memoryDesk();
  const before = (await readLimits(call)).used;
  await write("The customer lives in Berlin.");

  const { json } = await ask<typeof store>("GET", path, call);
  const after = (await readLimits(call)).used;

  expect(json).toMatchObject({ id: store.id, memories: 1 });
  expect(json.bytes).toBeGreaterThan(4_096);
  expect(before.memory_stores).toBe(1);
  expect(after.stored_bytes - before.stored_bytes).toBe(json.bytes - store.bytes);
});

test("a store keeps the endpoint for embeddings of the agent's newest version, whoever searches", async () => {
  const { object, owner, tenant_id, store } = await memoryDesk();
  const stub = env.MEMORY.getByName(memoryObjectName(tenant_id, store.id));
  const endpointOf = () =>
    runInDurableObject(stub, (_, { storage }) => {
      const { embedding } = storage.sql.exec("SELECT embedding FROM store").one();
      return JSON.parse(String(embedding)) as { readonly name: string };
    });
  const searchWith = (agent_version: number) => {
    const embedding = { name: `embed-${agent_version}`, base_url: "https://embeddings.invalid/v1" };
    return object.search({ owner, embedding, agent_version, texts: ["tea"], limit: 5 });
  };

  const names: string[] = [];
  for (const agent_version of [2, 1, 3]) {
    await searchWith(agent_version);
    names.push((await endpointOf()).name);
  }

  expect(names).toEqual(["embed-2", "embed-2", "embed-3"]);
});
