/** @module-tag broad */
// Tools that misbehave, on the platform's own runtime, whose fetch is not Node's: the reply always goes on.
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Msg } from "../../../protocol/messages/messages.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import {
  answer,
  pieces,
  silence,
  startToolServer,
  type ToolServer,
} from "../../support/tool-server.ts";

const MAX_BYTES = 10_000;
/** Of a tool whose silence is waited for. */
const TIMEOUT_MS = 3_000;

const CASES: readonly [string, string, string][] = [
  ["an answer too large", "/huge", "The tool's answer is larger than 10000 bytes."],
  ["a compressed bomb", "/bomb", "The tool's answer is larger than 10000 bytes."],
  ["no answer", "/silent", "The tool did not answer within 3000 ms."],
  ["an answer without an end", "/hanging", "half\nThe tool did not answer within 3000 ms."],
  ["a cut answer", "/cut", "The connection to the tool was lost before its answer ended."],
  ["a redirect", "/redirect", "The tool answered 307, a redirect; redirects are not followed."],
  ["bytes that are no text", "/binary", "The tool's answer is not text (image/png)."],
  ["a failure of its own", "/broken", "The tool answered 503: out of paper"],
];

let tools: ToolServer;

beforeAll(async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  tools = await startToolServer({
    "/huge": answer("x".repeat(MAX_BYTES + 1), "text/plain"),
    "/bomb": (response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.end(bomb);
    },
    "/silent": silence,
    "/hanging": pieces(['data: "half"\n\n'], { contentType: "text/event-stream", ending: "hang" }),
    "/cut": pieces(["some"], { ending: "cut" }),
    "/redirect": (response) => response.writeHead(307, { location: `${tools.url}/broken` }).end(),
    "/binary": answer(Buffer.from([0x89, 0x50, 0xff, 0x00]), "image/png"),
    "/broken": answer("out of paper", "text/plain", 503),
  });
});

afterAll(() => tools.stop());

describe("a reply whose tool misbehaves", () => {
  it.each(CASES)("by %s is told so and goes on", async (_case, path, text) => {
    const { key } = await createTenant();
    const tool = {
      type: "http",
      name: "tool",
      url: `${tools.url}${path}`,
      read_only: true,
      timeout_ms: text.includes("within") ? TIMEOUT_MS : HANG_LIMITS.testTimeout,
      max_bytes: MAX_BYTES,
    };
    const session = await createSession(key, await createAgent(key, { tools: [tool] }));

    const { body } = await request<{ status: string; message: Msg }>(
      "POST",
      `/v1/sessions/${session}/replies`,
      { key, body: { input: "/call tool {}\n/say Sorry." } },
    );

    const result = body.message.content.find((block) => block.type === "tool_result");
    const output = typeof result?.output === "string" ? [] : (result?.output ?? []);
    expect({
      status: body.status,
      state: result?.state,
      text: output.map((block) => (block.type === "text" ? block.text : block.source)),
      calls: tools.calls(path),
    }).toEqual({ status: "completed", state: "error", text: [text], calls: 1 });
  });
});
