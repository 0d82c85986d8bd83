// A tenant's own tool server that answers with too much of anything: each call has its documented result, the reply goes
// on, and a neighbour's conversation stays as it was.
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Reply } from "../../protocol/replies/contract.ts";
import { sampled } from "../support/breadth.ts";
import { createAgent, createSession, createTenant, request } from "../support/platform-client.ts";
import {
  answer,
  startToolServer,
  type ToolRoute,
  type ToolServer,
} from "../support/tool-server.ts";

const MAX_BYTES = 8_000_000;
const TOO_LARGE = `The tool's answer is larger than ${MAX_BYTES} bytes.`;
const LARGE = { metadata_omitted: "larger than 16384 bytes" };
const DEEP = { metadata_omitted: "nested deeper than 64 levels" };
const STREAM = "text/event-stream";

const arrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const withMetadata = (json: string) => `{"output":"found","state":"success","metadata":${json}}`;
const refused = (reason: string) => `The tool's answer was not read: ${reason}.`;

/** Bytes one by one: each of them is a turn of the platform's event loop, which other tests use as well. */
const dripping: ToolRoute = async (response) => {
  response.writeHead(200, { "content-type": "text/plain" });
  for (let byte = 0; byte < 2_000; byte += 1) response.write("x");
  response.end();
};

/** Writes without end until its client leaves. */
function endless(piece: string, contentType: string): ToolRoute {
  return async (response) => {
    response.writeHead(200, { "content-type": contentType });
    const left = new Promise((resolve) => response.on("close", resolve));
    while (!response.destroyed) {
      await Promise.race([new Promise((resolve) => response.write(piece, resolve)), left]);
    }
  };
}

type Outcome = readonly [state: string, text: string, metadata: object];
/** Answers of the tool, and texts that the model is told; a text by its length when it is long. */
const CASES: Readonly<Record<string, readonly [ToolRoute, Outcome]>> = {
  "metadata of 8,000 objects in each other": [
    answer(withMetadata(objects(8_000))),
    ["success", "found", LARGE],
  ],
  "metadata of 8,000 arrays in each other": [
    answer(withMetadata(`{"a":${arrays(8_000)}}`)),
    ["success", "found", DEEP],
  ],
  "metadata of 65 levels": [answer(withMetadata(objects(64))), ["success", "found", DEEP]],
  "metadata of eight million bytes of values": [
    answer(withMetadata(`{"a":[${"1,".repeat(3_900_000)}1]}`)),
    ["success", "found", LARGE],
  ],
  "a stream whose end has deep metadata": [
    answer(`data: "I "\n\ndata: ${withMetadata(`{"a":${arrays(5_000)}}`)}\n\n`, STREAM),
    ["success", "I found", DEEP],
  ],
  "an output of four million numbers": [
    answer(`{"output":[${"1,".repeat(3_900_000)}1]}`),
    ["error", refused("its output holds more than 20000 values"), {}],
  ],
  "an output of four million levels": [
    answer(`{"output":${arrays(3_900_000)}}`),
    ["error", refused("its output is nested deeper than 64 levels"), {}],
  ],
  "an output of 257 blocks": [
    answer(`{"output":[${'{"type":"text","text":"x"},'.repeat(256)}{"type":"text","text":"x"}]}`),
    ["error", "The tool's answer has more than 256 blocks.", {}],
  ],
  "JSON of its own of 50,000 levels": [
    answer(arrays(50_000)),
    ["success", "100000 characters", {}],
  ],
  "a million events": [
    answer('data:"ab"\n\n'.repeat(100_000), STREAM),
    ["success", "200000 characters", {}],
  ],
  "empty events without end": [
    endless("data:\n\n".repeat(5_000), STREAM),
    ["error", TOO_LARGE, {}],
  ],
  "comments without end": [endless(":x\n".repeat(10_000), STREAM), ["error", TOO_LARGE, {}]],
  "an event without end": [endless("data:x\n".repeat(5_000), STREAM), ["error", TOO_LARGE, {}]],
  "zeros that are packed a thousand times": [
    (response) => {
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      response.writeHead(200, headers).end(gzipSync(Buffer.alloc(50_000_000)));
    },
    ["error", TOO_LARGE, {}],
  ],
  "single bytes": [dripping, ["success", "2000 characters", {}]],
  "a megabyte of headers": [
    (response) => {
      const header = "x".repeat(10_000);
      for (let index = 0; index < 100; index += 1) response.setHeader(`x-${index}`, header);
      response.end("late");
    },
    [
      "error",
      "The tool could not be reached, or closed the connection before any answer. It is not known whether it ran.",
      {},
    ],
  ],
  "a redirect to itself": [
    (response, { path }) => response.writeHead(302, { location: path }).end(),
    ["error", "The tool answered 302, a redirect; redirects are not followed.", {}],
  ],
};

const NAMES = Object.keys(CASES);
let tools: ToolServer;
let neighbour: { readonly key: string; readonly messages: string };
let said: unknown;

beforeAll(async () => {
  tools = await startToolServer(
    Object.fromEntries(Object.values(CASES).map(([route], index) => [`/${index}`, route])),
  );
  const { key } = await createTenant();
  const session = `/v1/sessions/${await createSession(key)}`;
  await request("POST", `${session}/replies`, { key, body: { input: "/say here" } });
  neighbour = { key, messages: `${session}/messages` };
  said = (await request("GET", neighbour.messages, { key })).body;
});
afterAll(() => tools.stop());

async function callTool(path: string): Promise<unknown> {
  const { key } = await createTenant();
  const url = `${tools.url}${path}`;
  // Single bytes take a busy machine a while.
  const tool = { type: "http", name: "tool", url, read_only: true, timeout_ms: 600_000 };
  const agent = await createAgent(key, { tools: [{ ...tool, max_bytes: MAX_BYTES }] });
  const session = `/v1/sessions/${await createSession(key, agent)}`;
  const body = { input: "/call tool {}\n/say Done." };
  const reply = (await request<Reply>("POST", `${session}/replies`, { key, body })).body;
  const read = await request<Reply>("GET", `${session}/replies/${reply.id}`, { key });
  const result = read.body.message?.content.find((block) => block.type === "tool_result");
  const output = typeof result?.output === "string" ? [] : (result?.output ?? []);
  const text = output.map((block) => (block.type === "text" ? block.text : "")).join("");
  const shown = text.length > 1_000 ? `${text.length} characters` : text;
  return [reply.status, read.body.status, result?.state, shown, result?.metadata];
}

describe("a reply whose tool answers with", () => {
  for (const [rows, breadth] of sampled(NAMES, 1))
    it.each(rows)("%s goes on", breadth, async (name) => {
      const [, outcome] = CASES[name]!;

      expect(await callTool(`/${NAMES.indexOf(name)}`)).toEqual([
        "completed",
        "completed",
        ...outcome,
      ]);

      const { key, messages } = neighbour;
      expect((await request("GET", messages, { key })).body).toEqual(said);
      expect(tools.calls(`/${NAMES.indexOf(name)}`)).toBe(1);
    });
});
