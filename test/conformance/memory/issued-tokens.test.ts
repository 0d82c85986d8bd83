// Memories of an end user, seen with a JWT of an issuer that the tenant has registered with the verb `memory`.
import { describe, expect, it } from "vitest";

import type {
  FoundMemories,
  Memory,
  MemoryStoreRecord,
} from "../../../protocol/memory/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { openMcpDesk, type McpDesk } from "../../support/mcp-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";
import { readRun } from "../../support/run-answer.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";

async function openSignIn(settings: object = {}) {
  const desk = await openMcpDesk({ memory: {} });
  const issuer = await startTokenIssuer();
  const { body } = await request<{ id: string }>("POST", "/v1/token-issuers", {
    key: desk.key,
    body: {
      name: "Sign-in",
      issuer: issuer.issuer,
      jwks_url: issuer.jwksUrl,
      verbs: ["reply", "memory"],
      ...settings,
    },
  });
  const tokenOf = (sub: string, claims: object = {}) =>
    issuer.sign({ sub, aud: desk.url.href, ...claims });
  return { desk, id: body.id, tokenOf };
}

async function remember({ key, agentId }: McpDesk, end_user_id: string, content: string) {
  const store = await request<MemoryStoreRecord>("POST", "/v1/memory-stores", {
    key,
    body: { agent_id: agentId, end_user_id },
  });
  const path = `/v1/memory-stores/${store.body.id}/memories`;
  return (await request<Memory>("POST", path, { key, body: { content } })).body;
}

async function openFor({ key, agentId: agent_id }: McpDesk, end_user_id?: string) {
  const body = { agent_id, ...(end_user_id !== undefined && { end_user_id }) };
  const { body: session } = await request<Session>("POST", "/v1/sessions", { key, body });
  return `/v1/sessions/${session.id}/memories`;
}

const outcomeOf = ({ status, body }: { readonly status: number; readonly body: object }) =>
  status < 400 ? status : [status, (body as { readonly code: string }).code];

describe("an end user with a token of an issuer that has the verb memory", () => {
  it("lists, finds, corrects and deletes the memories of their own session", async () => {
    const { desk, tokenOf } = await openSignIn();
    const memory = await remember(desk, "ada", "Wears size 42.");
    await remember(desk, "bea", "Wears size 36.");
    const path = await openFor(desk, "ada");
    const key = await tokenOf("ada");

    const listed = await request<FoundMemories>("GET", path, { key });
    const found = await request<FoundMemories>("GET", `${path}?search=size`, { key });
    const corrected = await request<Memory>("PATCH", `${path}/${memory.id}`, {
      key,
      body: { content: "Wears size 43." },
      headers: { "if-match": '"1"' },
    });
    const deleted = await request("DELETE", `${path}/${memory.id}`, { key });
    const left = await request<FoundMemories>("GET", path, { key });

    expect([listed.body.data, found.body.data]).toEqual([[memory], [memory]]);
    expect(corrected.body).toMatchObject({ version: 2, content: "Wears size 43." });
    expect([deleted.status, left.body.data]).toEqual([204, []]);
  });

  it("has none of another end user's, of another agent's and of nobody's session", async () => {
    const { desk, tokenOf } = await openSignIn();
    const other = await openMcpDesk({ memory: {} });
    const memory = await remember(desk, "bea", "Wears size 36.");
    const second = await request<{ id: string }>("POST", "/v1/agents", {
      key: desk.key,
      body: { name: "Second", memory: {}, model: { provider: "scripted" } },
    });
    const [bea, nobodys, foreign, ofSecond] = [
      await openFor(desk, "bea"),
      await openFor(desk),
      await openFor(other, "ada"),
      await openFor({ ...desk, agentId: second.body.id }, "ada"),
    ];
    const key = await tokenOf("ada");

    const answers = [
      await request("GET", bea, { key }),
      await request("PATCH", `${bea}/${memory.id}`, { key, body: { content: "No." } }),
      await request("DELETE", `${bea}/${memory.id}`, { key }),
      await request("GET", nobodys, { key }),
    ];
    // Its issuer is not registered there, or the token is for the address of another agent.
    const unknown = [
      await request("GET", foreign, { key }),
      await request("GET", "/v1/sessions/ses_01kaj2vcr4k7n1q5s9v3x6z0b2/memories", { key }),
      await request("GET", "/v1/sessions/nothing/memories", { key }),
    ];
    const elsewhere = await request("GET", ofSecond, { key });

    expect(answers.map(outcomeOf)).toEqual(answers.map(() => [404, "not_found"]));
    expect(unknown.map(outcomeOf)).toEqual(unknown.map(() => [401, "unauthenticated"]));
    // Nothing says whether such a session is there.
    const details = unknown.map(({ body }) => (body as { readonly detail: string }).detail);
    expect(new Set(details).size).toBe(1);
    expect(outcomeOf(elsewhere)).toEqual([401, "unauthenticated"]);
  });

  it("has none of the end user for whom a thread of theirs was opened anew", async () => {
    const { desk, tokenOf } = await openSignIn();
    const memory = await remember(desk, "bea", "Wears size 36.");
    const openThread = async (endUserId: string) => {
      const body = {
        threadId: "chat",
        runId: crypto.randomUUID(),
        protocolVersion: "1.0",
        messages: [{ id: crypto.randomUUID(), role: "user", content: "/say Hello." }],
      };
      const path = `/v1/agents/${desk.agentId}/ag-ui?end_user_id=${endUserId}`;
      await readRun(await openRequest("POST", path, { key: desk.key, body }));
      const { body: listed } = await request<{ data: readonly Session[] }>(
        "GET",
        `/v1/sessions?agent_id=${desk.agentId}`,
        { key: desk.key },
      );
      return listed.data.map(({ id }) => `/v1/sessions/${id}`);
    };
    const key = await tokenOf("ada");

    const [session] = await openThread("ada");
    const own = await request("GET", `${session}/memories`, { key });
    await request("DELETE", `${session}`, { key: desk.key });
    const anew = await openThread("bea");
    const path = `${session}/memories`;
    const answers = [
      await request("GET", path, { key }),
      await request("PATCH", `${path}/${memory.id}`, { key, body: { content: "No." } }),
      await request("DELETE", `${path}/${memory.id}`, { key }),
    ];

    expect([own.status, anew]).toEqual([200, [session]]);
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => [404, "not_found"]));
  });

  it("does not find the session of an agent that theirs has called", async () => {
    const { desk, tokenOf } = await openSignIn({ audience: "shop" });
    const { key, agentId } = desk;
    const helper = await request<{ id: string }>("POST", "/v1/agents", {
      key,
      body: { name: "Helper", memory: {}, model: { provider: "scripted" } },
    });
    const tool = { type: "agent", name: "help", agent_id: helper.body.id, read_only: true };
    await request("PATCH", `/v1/agents/${agentId}`, {
      key,
      body: { model: { provider: "scripted" }, tools: [tool] },
    });
    const own = await openFor(desk, "ada");
    const input = '/call help {"message":"/say Hello."}\n/say done';
    await request("POST", own.replace("/memories", "/replies"), { key, body: { input } });
    const parent = own.split("/")[3];
    const called = await request<{ data: readonly Session[] }>(
      "GET",
      `/v1/sessions?parent_session_id=${parent}`,
      { key },
    );
    const [child] = called.body.data;
    const token = await tokenOf("ada", { aud: "shop" });

    const seen = await request("GET", own, { key: token });
    const hidden = await request("GET", `/v1/sessions/${child?.id}/memories`, { key: token });

    expect(child?.end_user_id).toBe("ada");
    expect([seen, hidden].map(outcomeOf)).toEqual([200, [404, "not_found"]]);
  });

  it("is refused without the verb, from another page, with a token that has expired, and elsewhere", async () => {
    const { desk, tokenOf } = await openSignIn({ allowed_origins: ["https://shop.example"] });
    const plain = await openSignIn({ verbs: ["reply"] });
    const path = await openFor(desk, "ada");
    const key = await tokenOf("ada");
    const from = (origin: string) => request("GET", path, { key, headers: { origin } });

    const answers = [
      await request("GET", await openFor(plain.desk, "ada"), { key: await plain.tokenOf("ada") }),
      await from("https://evil.example"),
      await from("https://shop.example"),
      await request("GET", path, { key: await tokenOf("ada", { exp: 1 }) }),
      await request("GET", path.replace("/memories", ""), { key }),
      await request("GET", path.replace("/memories", "/messages"), { key }),
    ];

    expect(answers.map(outcomeOf)).toEqual([
      [403, "verb_missing"],
      [403, "origin_forbidden"],
      200,
      [401, "unauthenticated"],
      [401, "unauthenticated"],
      [401, "unauthenticated"],
    ]);
  });

  it("is refused what all end users share, and once the issuer is gone", async () => {
    const { desk, id, tokenOf } = await openSignIn();
    await request("PATCH", `/v1/agents/${desk.agentId}`, {
      key: desk.key,
      body: { memory: { scope: "agent" } },
    });
    const path = await openFor(desk, "ada");
    const key = await tokenOf("ada");

    const shared = await request("GET", path, { key });
    await request("DELETE", `/v1/token-issuers/${id}`, { key: desk.key });
    const after = await request("GET", path, { key });

    expect([shared, after].map(outcomeOf)).toEqual([
      [409, "conflict"],
      [401, "unauthenticated"],
    ]);
  });
});
