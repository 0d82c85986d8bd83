// Ends of an MCP server's streams: the last event counts without its blank line, and half an event never.
import { expect, it, onTestFinished } from "vitest";

import { CallDeadline } from "../../../tools/mcp/call-deadline.ts";
import { exchange } from "../../../tools/mcp/exchange.ts";
import type { McpOutcome } from "../../../tools/mcp/mcp-outcome.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";

const RESULT = 'data: {"jsonrpc":"2.0","id":"1","result":{"content":[]}}';
const found = { type: "result", result: { content: [] }, sessionId: null };

/** The outcome of a call whose answers are streams: the first of the POST, the others of GETs that take it up. */
async function call(...streams: readonly string[]) {
  const lastIds: unknown[] = [];
  const server = await startLoopbackServer(({ headers }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(streams[lastIds.length]);
    lastIds.push(headers["last-event-id"]);
  });
  onTestFinished(() => server.stop());
  const { signal } = new AbortController();
  const deadline = new CallDeadline({ idleMs: 60_000, totalMs: 60_000 }, signal);
  onTestFinished(() => deadline.release());
  const endpoint = {
    url: server.url,
    headers: new Headers(),
    secrets: [],
    outgoing: fetch,
    maxBytes: 1_000_000,
  };
  const message = { id: "1", headers: {}, body: { method: "tools/call" } };
  const messages = exchange(endpoint, message as never, deadline);
  let step = await messages.next();
  while (!step.done) step = await messages.next();
  return { outcome: step.value as McpOutcome, lastIds };
}

it.each([
  ["openai/openai-node#2725: one line end", `${RESULT}\n`],
  ["no line end", RESULT],
  ["a ping of empty data before it", `event: ping\ndata:\n\nevent: message\n${RESULT}`],
])("a response whose event ends with %s is read", async (_case, stream) => {
  expect(await call(stream)).toEqual({ outcome: found, lastIds: [undefined] });
});

it("a response that the end of the body cuts off is no response", async () => {
  const { outcome } = await call(RESULT.slice(0, -1));

  expect(outcome).toMatchObject({ type: "broken", kind: "connection_lost" });
});

it("an event that the end of the body cuts off is taken up behind the one before it", async () => {
  const note = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}';

  const { outcome, lastIds } = await call(
    `retry: 1\nid: a\n${note}\n\nid: b\n${RESULT.slice(0, -1)}`,
    `id: b\n${RESULT}\n\n`,
  );

  expect(outcome).toEqual(found);
  expect(lastIds).toEqual([undefined, "a"]);
});
