// Questions on the stream of a session that belongs to no call, and servers whose stream is odd: the call is what counts.
import type { ServerResponse } from "node:http";

import { describe, expect, it, onTestFinished } from "vitest";

import { INPUT_ANSWERED } from "../../../protocol/mcp/events.ts";
import type { McpDialect } from "../../../protocol/mcp/versions.ts";
import type { McpPeople } from "../../../tools/mcp/mcp-people.ts";
import { openStream, startRawServer, writeJson } from "../../support/mcp/raw-server.ts";
import { startSideAskingServer } from "../../support/mcp/side-asking-server.ts";
import {
  callInLog,
  longDeadline,
  resultText,
  startedCall,
  testLink,
} from "../../support/mcp/test-link.ts";
import { waitFor } from "../../support/wait-for.ts";

const SEAT = { action: "accept", content: { seat: "12A" } } as const;

/** A log, and people who answer each of its questions at once, when `look` was called. */
function answering(look: () => void | Promise<void> = () => undefined) {
  const log = startedCall();
  const people: McpPeople = {
    ttlMs: 60_000,
    keep: () => undefined,
    kept: () => null,
    async untilAnswered() {
      await look();
      const responses = { input: SEAT };
      const value = { reply_id: "rep_1", tool_call_id: "call_1", responses };
      log.append([{ type: "CUSTOM", name: INPUT_ANSWERED, reply_id: "rep_1", value }]);
      return responses;
    },
  };
  return { log, people };
}

describe.each(["sdk 1.32.2", "server 2.4.0"] as const)("elicitInput of %s", (of) => {
  async function open() {
    const mcp = await startSideAskingServer(of);
    onTestFinished(() => mcp.stop());
    return { mcp, link: testLink(mcp.url) };
  }

  it.each([
    ["book", 1],
    ["twice", 2],
  ] as const)("reaches a person: %s", async (name, times) => {
    const { mcp, link } = await open();
    const held: number[] = [];
    // While a person is asked no stream of the session is open but the call's own.
    const { log, people } = answering(async () => {
      await waitFor(() => expect(mcp.streams.open).toBe(0));
      held.push(mcp.streams.open);
    });
    await callInLog(link, { name, people }, log);

    expect(resultText(log)).toBe(JSON.stringify(Array.from({ length: times }, () => SEAT)));
    expect(held).toHaveLength(times);
    expect(mcp.heard).toHaveLength(times);
    await waitFor(() => expect(mcp.streams.open).toBe(0));
  });

  it("is cancelled where nobody can be asked", async () => {
    const { mcp, link } = await open();
    const log = await callInLog(link, { name: "book" });

    expect(mcp.heard).toEqual([{ action: "cancel" }]);
    expect(resultText(log)).toContain("needs an answer of a person");
  });
});

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "raw", version: "1" },
};

type Get = (response: ServerResponse, stream: () => ReturnType<typeof openStream>) => unknown;

/** A server with sessions whose GET does this. */
async function rawServer(get: Get, dialect: McpDialect | null = null) {
  const mcp = await startRawServer({
    initialize: ({ id }, response) => {
      response.setHeader("mcp-session-id", "s-1");
      writeJson(response, { id, result: INITIALIZED });
      return undefined;
    },
    GET: (_message, response) => {
      get(response, () => {
        const send = openStream(response);
        response.flushHeaders();
        return send;
      });
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const noted: (McpDialect | null)[] = [];
  const memory = { dialect, noteDialect: (found: McpDialect | null) => void noted.push(found) };
  return { mcp, link: testLink(mcp.url, memory), noted };
}

describe("a call is not harmed by a stream that", () => {
  it.each([
    ["is refused with 404", (response) => response.writeHead(404).end("no")],
    ["is refused with 400", (response) => response.writeHead(400).end()],
    ["fails", (response) => response.writeHead(500).end("<html>oops</html>")],
    [
      "is a page",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html></html>"),
    ],
    ["hangs", () => undefined],
    ["is cut before it begins", (response) => response.destroy()],
    ["closes at once", (response, stream) => (stream(), response.end())],
    [
      "floods",
      (_response, stream) => {
        const send = stream();
        for (let said = 0; said < 3_000; said += 1) send({ method: "notifications/message" });
      },
    ],
    [
      "is one endless line",
      (response, stream) => {
        stream();
        response.write(`data: ${"x".repeat(2_000_000)}`);
      },
    ],
    ["answers others' requests", (_, stream) => stream()({ id: "other", result: {} })],
    ["says what is no message", (response, stream) => (stream(), response.write("data: {\n\n"))],
  ] as const satisfies readonly (readonly [string, Get])[])("%s", async (_, get) => {
    const { mcp, link } = await rawServer(get);
    const texts = [await callInLog(link), await callInLog(link)].map(resultText);

    expect(texts).toEqual(["done", "done"]);
    expect(mcp.methods.filter((method) => method === "tools/call")).toHaveLength(2);
  });
});

it("405 is remembered, for the server and beyond the link", async () => {
  const { mcp, link, noted } = await rawServer((response) => response.writeHead(405).end());
  await callInLog(link);
  await callInLog(link);

  expect(mcp.gets).toHaveLength(1);
  expect(noted.at(-1)).toEqual({ era: "legacy", version: "2025-11-25", noStream: true });

  const known = await rawServer((response) => response.writeHead(405).end(), noted.at(-1));
  await callInLog(known.link);

  expect(known.mcp.gets).toHaveLength(0);
  expect(known.noted.at(-1)).toEqual(noted.at(-1));
});

it("a server without sessions is not asked for one", async () => {
  const mcp = await startRawServer();
  onTestFinished(() => mcp.stop());
  const log = await callInLog(testLink(mcp.url));

  expect([resultText(log), mcp.gets.length]).toEqual(["done", 0]);
});

it("sampling and roots are refused there too, a ping is answered, and a changed list is noted", async () => {
  let isChanged = false;
  const { mcp } = await rawServer((_, stream) => {
    const send = stream();
    send({ method: "notifications/tools/list_changed" });
    for (const method of ["sampling/createMessage", "roots/list", "ping"])
      send({ id: method, method, params: {} });
  });
  mcp.on("tools/call", async ({ id }, response) => {
    await waitFor(() => expect(mcp.posts.filter(({ method }) => !method)).toHaveLength(3));
    writeJson(response, { id, result: { content: [{ type: "text", text: "done" }] } });
    return undefined;
  });
  const noteListChanged = (): void => {
    isChanged = true;
  };
  const log = await callInLog(testLink(mcp.url, { noteListChanged }));
  const answers = mcp.posts.filter(({ method }) => !method);

  expect(resultText(log)).toBe("done");
  expect(answers).toEqual([
    expect.objectContaining({ id: "sampling/createMessage", error: expect.anything() }),
    expect.objectContaining({ id: "roots/list", error: expect.anything() }),
    expect.objectContaining({ id: "ping", result: {} }),
  ]);
  expect(isChanged).toBe(true);
});

it("a second call waits until the first one ends, or its server speaks of it", async () => {
  const { mcp, link } = await rawServer((_, stream) => stream());
  const open: { progress: () => void; end: () => void }[] = [];
  mcp.on("tools/call", ({ id, params }, response) => {
    const send = openStream(response);
    const progressToken = params?._meta?.progressToken;
    open.push({
      progress: () =>
        send({ method: "notifications/progress", params: { progressToken, progress: 1 } }),
      end: () => {
        send({ id, result: { content: [] } });
        response.end();
      },
    });
    return undefined;
  });
  const call = async (): Promise<void> => {
    const running = link.call(
      { name: "act", input: {}, headers: {}, people: null },
      longDeadline(),
    );
    while (!(await running.next()).done);
  };
  const calls = [call()];
  await waitFor(() => expect(open).toHaveLength(1));
  calls.push(call(), call());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(open).toHaveLength(1);
  open[0]?.progress();
  await waitFor(() => expect(open).toHaveLength(2));
  open[1]?.end();
  await waitFor(() => expect(open).toHaveLength(3));
  for (const one of open) one.end();
  await Promise.all(calls);

  expect(mcp.gets).toHaveLength(1);
});
