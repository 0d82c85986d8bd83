// Memories by base URL alone: by words and, with an endpoint for embeddings, by what they mean.
import { describe, expect, it, onTestFinished } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type {
  FoundMemories,
  Memory,
  MemoryStoreRecord,
} from "../../../protocol/memory/contract.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";

interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
}

/** Each word that the endpoint knows has a direction; of two with one meaning it is the same. */
const MEANINGS: Readonly<Record<string, number>> = { car: 0, automobile: 0, tea: 1, drink: 1 };

function vectorOf(text: string, size: number): readonly number[] {
  const vector = Array.from({ length: size }, (_, index): number =>
    index === size - 1 ? 0.01 : 0,
  );
  for (const [word, place] of Object.entries(MEANINGS)) {
    if (text.toLowerCase().includes(word)) vector[place] = 1;
  }
  return vector;
}

/** An OpenAI-compatible endpoint, which fails while it is down. @param most Characters of a text that it takes. */
async function startEmbedder(most = Infinity) {
  const state = { isDown: false, asked: [] as EmbeddingRequest[], authorization: [] as unknown[] };
  const server = await startLoopbackServer(({ path, body, headers }, response) => {
    const asked = body as EmbeddingRequest;
    state.asked.push(asked);
    state.authorization.push([path, headers["authorization"]]);
    const isRefused = asked.input.some((text) => text.length > most);
    const failure = state.isDown ? 503 : isRefused ? 400 : null;
    response.writeHead(failure ?? 200, { "content-type": "application/json" });
    const data = asked.input.map((text, index) => ({
      index,
      embedding: vectorOf(text, asked.dimensions ?? 8),
    }));
    // In another order than they were asked for.
    response.end(JSON.stringify(failure !== null ? { error: {} } : { data: data.toReversed() }));
  });
  onTestFinished(() => server.stop());
  return { ...server, state };
}

async function openStore(memory: object, call?: { readonly key: string }) {
  const { key } = call ?? (await createTenant());
  const agent_id = await createAgent(key, { memory });
  const { body: store } = await request<MemoryStoreRecord>("POST", "/v1/memory-stores", {
    key,
    body: { agent_id, end_user_id: "ada" },
  });
  const path = `/v1/memory-stores/${store.id}/memories`;
  return {
    key,
    agent_id,
    store,
    path,
    write: async (content: string) =>
      (await request<Memory>("POST", path, { key, body: { content } })).body,
    find: async (search: string) =>
      (await request<FoundMemories>("GET", `${path}?search=${encodeURIComponent(search)}`, { key }))
        .body,
  };
}

const contents = ({ data }: FoundMemories) => data.map(({ content }) => content);

describe("a store with an endpoint for embeddings", () => {
  it("finds what means the same, and by words alone while the endpoint fails, and says so", async () => {
    const { key } = await createTenant();
    const embedder = await startEmbedder();
    const { body: credential } = await request<{ id: string }>("POST", "/v1/credentials", {
      key,
      body: {
        name: "E",
        type: "model",
        secret: "sk-embed",
        allowed_hosts: [new URL(embedder.url).host],
      },
    });
    const embedding = {
      name: "embed-1",
      base_url: `${embedder.url}/v1`,
      credential_id: credential.id,
      dimensions: 16,
    };
    const { write, find } = await openStore({ embedding }, { key });
    await write("The customer drives a car.");
    await write("The customer likes tea.");

    await expect
      .poll(async () => contents(await find("automobile"))[0])
      .toBe("The customer drives a car.");

    const nothing = await find("zebra");
    expect([contents(nothing), nothing.note]).toEqual([
      [],
      "no memory has any of these words: zebra",
    ]);
    expect(new Set(embedder.state.authorization.map(String))).toEqual(
      new Set(["/v1/embeddings,Bearer sk-embed"]),
    );
    expect(embedder.state.asked[0]).toMatchObject({ model: "embed-1", dimensions: 16 });
    embedder.state.isDown = true;
    const [byWords, unfound] = [await find("tea"), await find("automobile")];
    expect([contents(byWords), byWords.note]).toEqual([
      ["The customer likes tea."],
      `searched by words alone: the endpoint for embeddings at ${new URL(embedder.url).host} answered 503`,
    ]);
    expect([contents(unfound), unfound.note]).toEqual([
      [],
      `${byWords.note}; no memory has any of these words: automobile`,
    ]);
  });

  it(
    "finds by their beginnings what is too long for its model, and all others",
    BROAD,
    async () => {
      const embedder = await startEmbedder(1_000);
      const embedding = { name: "embed-1", base_url: `${embedder.url}/v1` };
      const { write, find } = await openStore({ embedding });
      const long = await write(`The customer drives a car. ${"They said so. ".repeat(200)}`);
      const short = await write("The customer likes tea.");

      await expect.poll(async () => contents(await find("automobile"))[0]).toBe(long.content);
      await expect.poll(async () => contents(await find("drink"))[0]).toBe(short.content);
    },
  );

  it("forgets what a redacted memory meant", BROAD, async () => {
    const embedder = await startEmbedder();
    const embedding = { name: "embed-1", base_url: `${embedder.url}/v1` };
    const { key, store, write, find } = await openStore({ embedding });
    const memory = await write("The customer drives a car.");
    await write("The customer likes tea.");
    await expect.poll(async () => contents(await find("automobile"))[0]).toBe(memory.content);

    const at = `/v1/memory-stores/${store.id}/versions/${memory.version_id}/redact`;
    const { status } = await request("POST", at, { key });

    expect(status).toBe(200);
    expect(contents(await find("automobile"))).not.toContain(memory.content);
  });

  it("is refused with an address that requests may not go to, and a credential that is not there", async () => {
    const { key } = await createTenant();
    const agentOf = (embedding: object) =>
      request<{ errors: readonly { pointer: string }[] }>("POST", "/v1/agents", {
        key,
        body: { name: "A", memory: { embedding: { name: "e", ...embedding } } },
      });

    const inside = await agentOf({ base_url: "http://169.254.169.254/v1" });
    const unknown = await agentOf({ credential_id: "crd_none" });

    expect([inside, unknown].map(({ status, body }) => [status, body.errors[0]?.pointer])).toEqual([
      [400, "#/memory/embedding/base_url"],
      [400, "#/memory/embedding/credential_id"],
    ]);
  });
});

describe("a store", () => {
  it("is one for an agent and an end user, and no other tenant's", async () => {
    const { key, agent_id, store, write, path } = await openStore({});
    const other = await createTenant();
    await write("The customer likes tea.");

    const again = await request<MemoryStoreRecord>("POST", "/v1/memory-stores", {
      key,
      body: { agent_id, end_user_id: "ada" },
    });
    const foreign = [
      await request("GET", path, { key: other.key }),
      await request("POST", path, { key: other.key, body: { content: "No." } }),
      await request("POST", "/v1/memory-stores", {
        key: other.key,
        body: { agent_id, end_user_id: "ada" },
      }),
    ];

    expect([again.status, again.body]).toEqual([
      200,
      { ...store, memories: 1, bytes: expect.any(Number), updated_at: expect.any(String) },
    ]);
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it.each([
    [{ content: "" }, "#/content"],
    [{ content: "x".repeat(8_001) }, "#/content"],
    [{ content: "\ud800" }, "#/content"],
    [{ content: "a", path: "/a" }, "#/path"],
    [{ content: "a", path: "a//b" }, "#/path"],
    [{ content: "a", untrusted: null }, "#/untrusted"],
    [{}, "#/content"],
  ])("refuses %j", async (body, pointer) => {
    const { key, path } = await openStore({});

    const answer = await request<{ errors: readonly { pointer: string }[] }>("POST", path, {
      key,
      body,
    });

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer]);
  });
});
