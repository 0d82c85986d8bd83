// Tools that answer in bad faith, or by accident as if in bad faith.
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";

import { describe, expect, it, onTestFinished } from "vitest";

import type { ToolChunk } from "../../../agent/ports.ts";
import { call, failed, run } from "../../support/call-tool.ts";
import { collect } from "../../support/collect.ts";
import { SecretFilter } from "../../../outgoing/secret-filter.ts";
import { readAnswer } from "../../../tools/read-answer.ts";
import { answer, pieces, type ToolRoute } from "../../support/tool-server.ts";

const LOST = "The connection to the tool was lost before its answer ended.";

/** Writes without end until the client leaves. */
function endless(piece: string, contentType: string): ToolRoute {
  return async (response) => {
    response.writeHead(200, { "content-type": contentType });
    while (!response.destroyed) {
      response.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
}

function compressed(body: Buffer, encoding = "gzip"): ToolRoute {
  return (response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": encoding });
    response.end(body);
  };
}

/** Serves bytes as they are, a few at a time, to everybody who connects. @returns its address. */
async function serveBytes(parts: readonly string[]): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    void (async () => {
      for (const part of parts) {
        if (socket.destroyed) return;
        socket.write(part);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      socket.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}/tool`;
}

async function textOf(chunks: Promise<ToolChunk[]>): Promise<string> {
  return (await chunks).map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join("");
}

describe("an http tool that never ends", () => {
  it("is given up at timeout_ms when it drips bytes", async () => {
    expect(await textOf(call(endless("x", "text/plain"), { timeout_ms: 100 }))).toBe(
      "The tool did not answer within 100 ms.",
    );
  });

  it("is given up at timeout_ms when its headers drip", async () => {
    const address = await serveBytes(Array.from("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"));

    expect(await collect(run(address, { tool: { timeout_ms: 100 } }))).toEqual(
      failed("The tool did not answer within 100 ms."),
    );
  });

  it.each([
    ["text", endless("x".repeat(1_000), "text/plain")],
    ["comments", endless(`: ${"x".repeat(1_000)}\n\n`, "text/event-stream")],
    ["empty events", endless("data: \n\n".repeat(100), "text/event-stream")],
    ["one event", endless("data: x\n".repeat(100), "text/event-stream")],
  ])("is cut off at max_bytes when it writes %s", async (_case, route) => {
    expect(await textOf(call(route, { max_bytes: 5_000, timeout_ms: 60_000 }))).toBe(
      "The tool's answer is larger than 5000 bytes.",
    );
  });

  it("keeps the deltas that came before the limit", async () => {
    const route = endless('data: "ab"\n\n', "text/event-stream");

    expect(await textOf(call(route, { max_bytes: 40 }))).toBe(
      "ababab\nThe tool's answer is larger than 40 bytes.",
    );
  });
});

describe("a compressed answer of an http tool", () => {
  it("counts as large as it is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.byteLength).toBeLessThan(100_000);

    expect(await call(compressed(bomb), { max_bytes: 100_000 })).toEqual(
      failed("The tool's answer is larger than 100000 bytes."),
    );
  });

  it("is unpacked when it is small", async () => {
    expect(await call(compressed(gzipSync("all is well")))).toEqual([
      { type: "text", delta: "all is well" },
    ]);
  });

  it("that cannot be unpacked is a lost connection", async () => {
    expect(await call(compressed(Buffer.from("no gzip at all")))).toEqual(failed(LOST));
  });
});

describe("an http tool that answers with rubbish", () => {
  it.each(["text/plain", "application/json"])("is told of bytes that are not UTF-8 in %s", (type) =>
    expect(call(answer(Buffer.from([0x22, 0xc3, 0x28, 0x22]), type))).resolves.toEqual(
      failed(`The tool's answer is not text (${type}).`),
    ),
  );

  it("has such bytes of a stream replaced", async () => {
    const event = Buffer.concat([
      Buffer.from("data: a"),
      Buffer.from([0xff]),
      Buffer.from("b\n\n"),
    ]);

    expect(await call(pieces([event], { contentType: "text/event-stream" }))).toEqual([
      { type: "text", delta: "a\ufffdb" },
    ]);
  });

  it.each([
    ["no HTTP", ["SSH-2.0-OpenSSH_9.9\r\n"], "The tool could not be reached."],
    [
      "two lengths",
      ["HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabc"],
      "The tool could not be reached.",
    ],
    [
      "less than it announced",
      ["HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\nabc"],
      LOST,
    ],
    [
      "a broken chunk",
      ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "zz\r\nabc\r\n"],
      LOST,
    ],
  ])("is an error of the connection when it sends %s", async (_case, parts, text) => {
    expect(await collect(run(await serveBytes(parts)))).toEqual(failed(text));
  });

  it("is an error when there are more blocks than an answer may have", async () => {
    const output = Array.from({ length: 257 }, () => ({ type: "text", text: "x" }));

    expect(await call(answer(JSON.stringify({ output })))).toEqual(
      failed("The tool's answer has more than 256 blocks."),
    );
    expect(await textOf(call(answer(JSON.stringify({ output: output.slice(1) }))))).toBe(
      `x${"\nx".repeat(255)}`,
    );
  });

  it.each([
    ["too large", { text: "x".repeat(16_384) }],
    ["too deep to be written", nested(100_000)],
  ])("has metadata left out that is %s, and keeps its output", async (_case, metadata) => {
    const body =
      typeof metadata === "string"
        ? `{"output":"done","metadata":${metadata}}`
        : JSON.stringify({ output: "done", metadata });

    expect(await call(answer(body))).toEqual([
      { type: "text", delta: "done" },
      {
        type: "end",
        state: "success",
        metadata: { metadata_omitted: "larger than 16384 bytes" },
      },
    ]);
  });
});

describe("JSON of an http tool that may not be parsed", () => {
  const deep = nested(64);
  const wide = `[${"1,".repeat(20_000)}1]`;
  const TOO_DEEP = { metadata_omitted: "nested deeper than 64 levels" };

  it.each([
    ["7,901 levels", nested(7_900), TOO_DEEP],
    ["65 levels with its answer", nested(63), TOO_DEEP],
    ["too many values", `{"a":${wide}}`, { metadata_omitted: "larger than 16384 bytes" }],
  ])("has metadata of %s left out, whole or at the end of a stream", async (_case, json, left) => {
    const body = `{"output":"done","state":"success","metadata":${json}}`;
    const chunks = [
      { type: "text", delta: "done" },
      { type: "end", state: "success", metadata: left },
    ];

    expect(await call(answer(body))).toEqual(chunks);
    expect(await call(answer(`data: ${body}\n\n`, "text/event-stream"))).toEqual(chunks);
  });

  it("keeps metadata of 64 levels with its answer", async () => {
    const chunks = await call(answer(`{"output":"done","metadata":${nested(62)}}`));

    expect(chunks).toEqual([
      { type: "text", delta: "done" },
      { type: "end", state: "success", metadata: JSON.parse(nested(62)) as unknown },
    ]);
  });

  it.each([
    ["output", `{"output":[${deep}]}`, "its output is nested deeper than 64 levels."],
    ["output", `{"output":${wide}}`, "its output holds more than 20000 values."],
    ["state", `{"state":${deep},"output":""}`, "its state is nested deeper than 64 levels."],
  ])("is an error that names the member, %s", async (_case, body, reason) => {
    const failure = failed(`The tool's answer was not read: ${reason}`);

    expect(await call(answer(body))).toEqual(failure);
    expect(await call(answer(`data: ${body}\n\n`, "text/event-stream"))).toEqual(failure);
  });

  it.each([
    ["deep", deep],
    ["wide", wide],
    ["an object of the tool's own", `{"rows":${wide},"output":"x"}`],
  ])("is shown as it is when it is no answer of ours: %s", async (_case, body) => {
    expect(await call(answer(body))).toEqual([{ type: "text", delta: body }]);
  });

  it("is eight million bytes of values that are no blocks, and takes no memory", async () => {
    const body = `{"output":[${"1,".repeat(3_900_000)}1]}`;

    expect(await call(answer(body), { max_bytes: 8_000_000 })).toEqual(
      failed("The tool's answer was not read: its output holds more than 20000 values."),
    );
  });
});

describe("a stream of an http tool with more events than a read may bring apart", () => {
  it("is the same text in fewer chunks", async () => {
    const stream = new Response('data: "ab"\n\n'.repeat(10_000), {
      headers: { "content-type": "text/event-stream" },
    });

    const chunks = await collect(
      readAnswer(stream, { maxBytes: 1_000_000, filter: new SecretFilter([]) }),
    );

    expect(chunks.every(({ type }) => type === "text")).toBe(true);
    expect(chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join("")).toBe(
      "ab".repeat(10_000),
    );
    // Four reads of 32,768 bytes, each with 64 deltas apart and the rest as one.
    expect(chunks.length).toBeLessThanOrEqual(4 * 65);
  });
});

function nested(levels: number): string {
  return `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
}
