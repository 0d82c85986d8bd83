// Whose memories are whose: two tenants, two agents, two end users and their tokens with the same words.
import { describe, expect, test } from "vitest";

import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { FoundMemories, Memory } from "../../../protocol/memory/contract.ts";
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, type Call, makeAgent } from "../support/api.ts";
import { contentsOf, makeStore, memoryDesk } from "./memory-desk.ts";

async function openFor(call: Call, agent_id: string, end_user_id?: string): Promise<Session> {
  const json = { agent_id, ...(end_user_id !== undefined && { end_user_id }) };
  return (await ask<Session>("POST", "/v1/sessions", { ...call, json })).json;
}

async function tokenOf(call: Call, sessionId: string, verbs = ["memory"]): Promise<Call> {
  const path = `/v1/sessions/${sessionId}/tokens`;
  const { json } = await ask<ClientToken>("POST", path, { ...call, json: { verbs } });
  return { key: json.token };
}

describe("memories", () => {
  test("of two end users, two agents and two tenants with the same words never cross", async () => {
    const desk = await memoryDesk();
    const other = await memoryDesk();
    const { id: agent } = await makeAgent(desk.call, { name: "Second", memory: {} });
    const stores = [
      desk.store,
      await makeStore(desk.call, desk.agent_id, "bea"),
      await makeStore(desk.call, agent, "ada"),
      await makeStore(desk.call, desk.agent_id, null),
    ];
    for (const [index, { id }] of stores.entries()) {
      const json = { content: `The secret word is ${"abcd"[index]}.` };
      await ask("POST", `/v1/memory-stores/${id}/memories`, { ...desk.call, json });
    }
    await other.write("The secret word is e.");

    expect(new Set([...stores.map(({ id }) => id), other.store.id]).size).toBe(5);
    const found = stores.map(async ({ id }) => {
      const at = `/v1/memory-stores/${id}/memories?search=secret+word`;
      return contentsOf((await ask<FoundMemories>("GET", at, desk.call)).json);
    });
    expect(await Promise.all(found)).toEqual([
      ["The secret word is a."],
      ["The secret word is b."],
      ["The secret word is c."],
      ["The secret word is d."],
    ]);
    expect((await ask("GET", desk.path, other.call)).status).toBe(404);
    expect((await ask("GET", `${desk.path}/memories?search=word`, other.call)).status).toBe(404);
  });

  test("are asked for by another owner in vain", async () => {
    const { object, asked, write } = await memoryDesk();
    await write("The secret word is a.");
    const owner = { ...asked.owner, end_user_id: "bea" };

    const call = { owner, embedding: null };
    const answers = [
      await object.write({ ...call, content: "b", record_id: "x" }),
      await object.search({ ...call, texts: ["secret"], limit: 5 }),
    ];

    expect(answers).toMatchObject([
      { ok: false, refusal: { code: "not_found" } },
      { ok: false, refusal: { code: "not_found" } },
    ]);
  });
});

describe("a client token with the verb memory", () => {
  test("lists, corrects and deletes the memories of its session's agent and end user", async () => {
    const { call, agent_id, write } = await memoryDesk();
    const { json } = await write("Wears size 42.");
    await makeStore(call, agent_id, "bea");
    const session = await openFor(call, agent_id, "ada");
    const token = await tokenOf(call, session.id);
    const path = `/v1/sessions/${session.id}/memories`;

    const listed = await ask<FoundMemories>("GET", path, token);
    const found = await ask<FoundMemories>("GET", `${path}?search=size`, token);
    const change = { content: "Wears size 43." };
    const corrected = await ask<Memory>("PATCH", `${path}/${json.id}`, {
      ...token,
      json: change,
      headers: { "If-Match": '"1"' },
    });
    const deleted = await ask("DELETE", `${path}/${json.id}`, token);

    expect(listed.json.data).toEqual([json]);
    expect(found.json.data).toEqual([json]);
    expect(corrected.json).toMatchObject({ version: 2, ...change, untrusted: null });
    expect(deleted.status).toBe(204);
    expect((await ask<FoundMemories>("GET", path, token)).json.data).toEqual([]);
  });

  test("leaves no entry in the audit, where what a key changes in the same place has one", async () => {
    const { call, agent_id, write } = await memoryDesk();
    const [one, two] = [await write("Wears size 42."), await write("Drinks green tea.")];
    const session = await openFor(call, agent_id, "ada");
    const token = await tokenOf(call, session.id);
    const path = `/v1/sessions/${session.id}/memories`;

    for (const [whose, { json }] of [
      [token, one],
      [call, two],
    ] as const) {
      await ask("PATCH", `${path}/${json.id}`, { ...whose, json: { content: "It is corrected." } });
      await ask("DELETE", `${path}/${json.id}`, whose);
    }

    const audit = await ask<{ data: readonly AuditEntry[] }>("GET", "/v1/audit", call);
    const changes = audit.json.data.filter(({ action }) => action.startsWith("memory."));
    expect(changes.map(({ action, target_id }) => [action, target_id])).toEqual([
      ["memory.deleted", two.json.id],
      ["memory.corrected", two.json.id],
    ]);
  });

  test("has no memories but its own session's", async () => {
    const { call, agent_id, write } = await memoryDesk();
    const { json } = await write("Wears size 42.");
    const [bea, ada] = [await openFor(call, agent_id, "bea"), await openFor(call, agent_id, "ada")];
    const token = await tokenOf(call, bea.id);

    const own = await ask<FoundMemories>("GET", `/v1/sessions/${bea.id}/memories`, token);
    const refused = [
      await ask("GET", `/v1/sessions/${ada.id}/memories`, token),
      await ask("DELETE", `/v1/sessions/${bea.id}/memories/${json.id}`, token),
      await ask("PATCH", `/v1/sessions/${bea.id}/memories/${json.id}`, {
        ...token,
        json: { content: "No." },
      }),
    ];

    expect(own.json.data).toEqual([]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test("is refused what all end users share, and a session in which nothing is remembered", async () => {
    const { call, agent_id } = await memoryDesk({ scope: "agent" }, null);
    const shared = await openFor(call, agent_id, "ada");
    const plain = await openFor(call, (await makeAgent(call)).id, "ada");
    const nobody = await openFor(call, (await makeAgent(call, { name: "A", memory: {} })).id);

    const answers: unknown[] = [];
    for (const { id } of [shared, plain, nobody]) {
      const token = await tokenOf(call, id);
      const { status, json } = await ask("GET", `/v1/sessions/${id}/memories`, token);
      answers.push([status, json.code]);
    }
    const byKey = await ask("GET", `/v1/sessions/${shared.id}/memories`, call);

    expect(answers).toEqual([
      [409, "conflict"],
      [409, "conflict"],
      [409, "conflict"],
    ]);
    expect(byKey.status).toBe(200);
  });

  test("is minted by a key with both scopes alone, and no other verb has memories", async () => {
    const { call, agent_id } = await memoryDesk();
    const session = await openFor(call, agent_id, "ada");
    const path = `/v1/sessions/${session.id}/tokens`;
    const scopes = ["sessions:write", "sessions:read", "memories:write"];
    const made = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes },
    });

    const minted = await ask("POST", path, { key: made.json.api_key, json: { verbs: ["memory"] } });
    const reader = await tokenOf(call, session.id, ["read", "reply"]);
    const read = await ask("GET", `/v1/sessions/${session.id}/memories`, reader);

    expect([minted.status, minted.json.errors]).toEqual([
      403,
      [{ pointer: "#/verbs/0", detail: "the API key lacks memories:read" }],
    ]);
    expect([read.status, read.json.code]).toEqual([403, "verb_missing"]);
  });
});
