// Catalogues of servers that list too much, on real servers: what is read of them, and what the platform says of the rest.
import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

import { describe, expect, it, onTestFinished } from "vitest";

import { describeLeftOut } from "../../../agent/mcp/describe-left-out.ts";
import { MAX_MCP_LISTING_BYTES, MAX_MCP_TOOLS } from "../../../protocol/mcp/limits.ts";
import { readServerCatalogue } from "../../../tools/mcp/read-server-catalogue.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { linkTo } from "../../support/mcp/link-to.ts";
import { openStream, startRawServer, TOOL, type RawMethod } from "../../support/mcp/raw-server.ts";

const MB = 1_000_000;
const SPLIT =
  "Split the server into several, or let it list fewer tools, or shorter descriptions and schemas.";
const TOO_LARGE = {
  kind: "too_large",
  reason: `The MCP server wh lists more than 1000000 bytes of tools at once, so none of them is used. ${SPLIT}`,
};

async function open(list: RawMethod, settings: Parameters<typeof linkTo>[1] = {}) {
  const mcp = await startRawServer({ "tools/list": list });
  onTestFinished(() => mcp.stop());
  const made = linkTo(mcp.url, settings);
  const read = () =>
    readServerCatalogue(made.link, {
      timeoutMs: HANG_LIMITS.testTimeout,
      isOfPerson: false,
      stop: new AbortController().signal,
    });
  const pages = () => mcp.methods.filter((method) => method === "tools/list").length;
  return { ...made, mcp, read, pages };
}

const toolsFrom = (first: number, count: number, bytes = 0) =>
  Array.from({ length: count }, (_, index) => ({
    ...TOOL,
    name: `act_${first + index}`,
    ...(bytes > 0 && { description: "x".repeat(bytes) }),
  }));

/** Writes until it was taken or the connection is closed. @returns the bytes that were given away. */
async function pour(response: ServerResponse, bytes: number): Promise<number> {
  const piece = Buffer.alloc(100_000, "x");
  let given = 0;
  const closed = new Promise((resolve) => response.once("close", resolve));
  while (given < bytes && !response.destroyed) {
    given += piece.byteLength;
    if (response.write(piece)) continue;
    await Promise.race([closed, new Promise((resolve) => response.once("drain", resolve))]);
  }
  return given;
}

describe("a server whose pages never end", () => {
  it("is asked for sixteen of them, and what they had is used", async () => {
    const { read, pages } = await open(({ params }) => {
      const page = Number(params?.cursor ?? 0);
      return { tools: toolsFrom(page * 10, 10), nextCursor: String(page + 1) };
    });
    const found = await read();

    expect(found).toMatchObject({ ok: true });
    if (!found.ok) return;
    const { tools, rest } = found.catalogue;
    expect([tools.length, rest, pages()]).toEqual([
      160,
      { beyond: 0, has_more: true, cut: "endless" },
      16,
    ]);
    expect(describeLeftOut(rest)?.detail).toContain("Let the last page have no `nextCursor`");
  });

  it("and has nothing on them is a server without tools", async () => {
    const { read, pages } = await open(({ params }) => ({
      tools: [],
      nextCursor: `${params?.cursor ?? ""}x`,
    }));

    expect(await read()).toMatchObject({
      ok: false,
      failure: {
        kind: "malformed_answer",
        reason: "The MCP server wh lists its tools without end.",
      },
    });
    expect(pages()).toBe(16);
  });

  it.each([
    ["the same one", () => "again", 2],
    ["an earlier one", (cursor: string) => (cursor === "a" ? "b" : "a"), 3],
  ] as const)(
    "because its cursor leads to %s is asked for each page once",
    async (_, next, asked) => {
      const { read, pages } = await open(({ params }) => ({
        tools: [TOOL],
        nextCursor: next(params?.cursor ?? ""),
      }));
      const found = await read();

      expect(found).toMatchObject({
        ok: true,
        catalogue: {
          tools: [{ name: "act" }],
          rest: { beyond: 0, has_more: true, cut: "endless" },
        },
      });
      expect(pages()).toBe(asked);
    },
  );
});

describe("a page of 50 MB", () => {
  const endless =
    (write: (response: ServerResponse) => void, note: (bytes: number) => void): RawMethod =>
    async (_message, response) => {
      write(response);
      note(await pour(response, 50 * MB));
      response.end();
      return undefined;
    };
  const as = (type: string, start: string) => (response: ServerResponse) => {
    response.writeHead(200, { "content-type": type });
    response.write(start);
  };

  it.each([
    ["as JSON", as("application/json", '{"jsonrpc":"2.0","filler":"')],
    ["as one event", as("text/event-stream", 'data: {"jsonrpc":"2.0","filler":"')],
    ["as a comment of a stream", as("text/event-stream", ": ")],
    ["of no declared type", as("text/plain", "data: ")],
  ])("%s is left after the first of it", async (_, write) => {
    const given: number[] = [];
    const { read } = await open(endless(write, (bytes) => given.push(bytes)));

    expect(await read()).toMatchObject({ ok: false, failure: TOO_LARGE });
    await expect.poll(() => given.length).toBe(1);
    // Bytes that the sockets of both sides hold are given away unread.
    expect(given[0]).toBeLessThan(25 * MB);
  });

  it("that says its length is not read at all", async () => {
    const { read } = await open((_message, response) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": String(50 * MB),
      });
      response.flushHeaders();
      return undefined;
    });

    expect(await read()).toMatchObject({ ok: false, failure: TOO_LARGE });
  });

  it("that is packed into 50 kB counts as what it is unpacked", async () => {
    const packed = gzipSync(`{"jsonrpc":"2.0","filler":"${"x".repeat(50 * MB)}"}`);
    const { read } = await open((_message, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(packed);
      return undefined;
    });

    expect(packed.byteLength).toBeLessThan(100_000);
    expect(await read()).toMatchObject({ ok: false, failure: TOO_LARGE });
  });

  it("to the handshake, at a server that may answer with more than that, is left as well", async () => {
    const { mcp, read } = await open(() => ({ tools: [TOOL] }), { maxBytes: 8 * MB });
    mcp.on("initialize", async (_message, response) => {
      as("application/json", '{"jsonrpc":"2.0","filler":"')(response);
      await pour(response, 50 * MB);
      response.end();
      return undefined;
    });

    expect(await read()).toMatchObject({
      ok: false,
      failure: { reason: "The MCP server wh answered with more than 1000000 bytes." },
    });
  });
});

describe("the bound of bytes", () => {
  it("holds for all pages together, and those before it are used", async () => {
    const { read, pages } = await open(({ params }) => {
      const page = Number(params?.cursor ?? 0);
      return { tools: toolsFrom(page * 4, 4, 100_000), nextCursor: String(page + 1) };
    });
    const found = await read();

    expect(found).toMatchObject({
      ok: true,
      catalogue: { rest: { beyond: 0, has_more: true, cut: "too_large" } },
    });
    if (!found.ok) return;
    const { tools, rest } = found.catalogue;
    expect([tools.length, pages()]).toEqual([8, 3]);
    expect(describeLeftOut(rest)?.detail).toContain("more than 1000000 bytes");
  });

  it("holds for a stream that is taken up again and again", async () => {
    let gets = 0;
    const { mcp, read } = await open((_message, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`retry: 1\nid: e0\ndata: \n\n: ${"x".repeat(300_000)}\n\n`);
      return undefined;
    });
    mcp.on("GET", (_message, response) => {
      gets += 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`id: e${gets}\ndata: \n\n: ${"x".repeat(300_000)}\n\n`);
      return undefined;
    });

    expect(await read()).toMatchObject({ ok: false, failure: TOO_LARGE });
    expect(gets).toBe(3);
  });

  it("leaves a catalogue whole that is just under it, by what the platform adds to it too", async () => {
    const frame = Buffer.byteLength(JSON.stringify({ jsonrpc: "2.0", id: crypto.randomUUID() }));
    const bare = Buffer.byteLength(JSON.stringify({ tools: toolsFrom(100, MAX_MCP_TOOLS) }));
    const each = Math.floor((MAX_MCP_LISTING_BYTES - frame - bare - 100) / MAX_MCP_TOOLS) - 20;
    const tools = toolsFrom(100, MAX_MCP_TOOLS, each);
    const { read } = await open(() => ({ tools }));
    const found = await read();

    const bytes = Buffer.byteLength(JSON.stringify({ tools }));
    expect(bytes).toBeGreaterThan(0.99 * MAX_MCP_LISTING_BYTES);
    expect(found).toMatchObject({ ok: true, catalogue: { rest: { beyond: 0, has_more: false } } });
    if (!found.ok) return;
    expect([found.catalogue.tools.length, describeLeftOut(found.catalogue.rest)]).toEqual([
      MAX_MCP_TOOLS,
      null,
    ]);
  });
});

it("10,000 tools are cut to the first 256, in words that say what to do", async () => {
  const { read, pages } = await open(() => ({ tools: toolsFrom(0, 10_000), nextCursor: "2" }));
  const found = await read();

  expect(found).toMatchObject({
    ok: true,
    catalogue: { rest: { beyond: 9_744, has_more: true, cut: "too_many" } },
  });
  if (!found.ok) return;
  expect([found.catalogue.tools.length, pages()]).toEqual([MAX_MCP_TOOLS, 1]);
  expect(describeLeftOut(found.catalogue.rest)).toEqual({
    reason: "too_many",
    tools: 9_744,
    has_more: true,
    detail:
      "The server lists more than 256 tools, and only the first 256 can be used. Split it into several servers, or let it list the allowed tools alone, by its address or a header: `enable` of an agent chooses among those that are read.",
  });
});

it("an answer on a stream of events is read as any other", async () => {
  const { read } = await open(({ id }, response) => {
    const send = openStream(response);
    send({ method: "notifications/message", params: {} });
    send({ id, result: { tools: [TOOL] } });
    response.end();
    return undefined;
  });

  expect(await read()).toMatchObject({
    ok: true,
    catalogue: { tools: [{ name: "act" }], rest: { beyond: 0, has_more: false } },
  });
});

describe("a server that is left alone for a while", () => {
  it("is one that answers with an error, also as a 200", async () => {
    const { read } = await open(({ id }, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: "no" } }));
      return undefined;
    });

    expect(await read()).toMatchObject({
      ok: false,
      failure: {
        kind: "tool_error",
        reason: "The MCP server wh refused the request with error -32000.",
      },
      avoidUntilMs: expect.any(Number),
    });
  });

  it("is none whose caller has stopped", async () => {
    const stopping = new AbortController();
    const { link } = await open(() => {
      stopping.abort();
      return undefined;
    });
    const read = await readServerCatalogue(link, {
      timeoutMs: HANG_LIMITS.testTimeout,
      isOfPerson: false,
      stop: stopping.signal,
    });

    expect(read).toMatchObject({ ok: false, avoidUntilMs: null });
  });

  it("is none at which a person has to sign in: its connection says so", async () => {
    const { link } = await open((_message, response) => {
      response.writeHead(401).end();
      return undefined;
    });
    const ask = (isOfPerson: boolean) =>
      readServerCatalogue(link, {
        timeoutMs: HANG_LIMITS.testTimeout,
        isOfPerson,
        stop: new AbortController().signal,
      });

    expect([await ask(true), await ask(false)]).toMatchObject([
      { avoidUntilMs: null },
      { avoidUntilMs: expect.any(Number) },
    ]);
  });
});
