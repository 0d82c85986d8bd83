import { describe, expect, it } from "vitest";

import { call, failed, run, serve } from "../../support/call-tool.ts";
import { collect } from "../../support/collect.ts";
import {
  answer,
  echo,
  pieces,
  silence,
  startToolServer,
  type ToolRoute,
} from "../../support/tool-server.ts";

describe("the request of an http tool", () => {
  it("is a POST of the call with a key that names the call in its session", async () => {
    const server = await serve(echo);

    await collect(run(`${server.url}/tool`));

    expect(server.requests.map(({ method, body }) => ({ method, body }))).toEqual([
      {
        method: "POST",
        body: {
          tool_call_id: "call 1/ü",
          name: "look_up",
          input: { order: "A-17" },
          session_id: "ses_1",
          reply_id: "rep_1",
          end_user_id: "user-9",
        },
      },
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json, text/event-stream, text/*",
      "idempotency-key": "ses_1:call%201%2F%C3%BC",
    });
  });

  it("carries the tool's headers, except those that describe the request itself", async () => {
    const server = await serve(echo);
    const headers = {
      Authorization: "Bearer of-the-tenant",
      "Content-Type": "text/html",
      "Content-Length": "3",
      Host: "elsewhere.example",
      "Idempotency-Key": "mine",
    };

    await collect(run(`${server.url}/tool`, { tool: { headers } }));

    expect(server.requests[0]?.headers).toMatchObject({
      authorization: "Bearer of-the-tenant",
      "content-type": "application/json",
      host: server.url.slice("http://".length),
      "idempotency-key": "ses_1:call%201%2F%C3%BC",
    });
  });
});

describe("the answer of an http tool", () => {
  it("is text when it is text", async () => {
    expect(await call(answer("shipped on Monday — ✓", "text/plain"))).toEqual([
      { type: "text", delta: "shipped on Monday — ✓" },
    ]);
  });

  it("is text when a character is cut by the network", async () => {
    const bytes = Buffer.from("naïve 🚚");
    const parts = [bytes.subarray(0, 3), bytes.subarray(3, 9), bytes.subarray(9)];

    expect(await call(pieces(parts))).toEqual([{ type: "text", delta: "naïve 🚚" }]);
  });

  it("may be an output with a state and metadata", async () => {
    const body = { output: "no such order", state: "error", metadata: { tries: 2 } };

    expect(await call(answer(JSON.stringify(body)))).toEqual([
      { type: "text", delta: "no such order" },
      { type: "end", state: "error", metadata: { tries: 2 } },
    ]);
  });

  it("may be blocks of text and data", async () => {
    const output = [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
      { type: "data", source: { type: "base64", data: "aGk=", media_type: "image/png" } },
      {
        type: "data",
        source: { type: "url", url: "https://cdn.example/a.png", media_type: "image/png" },
      },
      { type: "text", text: "three" },
    ];

    expect(await call(answer(JSON.stringify({ output })))).toEqual([
      { type: "text", delta: "one" },
      { type: "text", delta: "\ntwo" },
      { type: "data", media_type: "image/png", data: "aGk=" },
      { type: "url", media_type: "image/png", url: "https://cdn.example/a.png" },
      { type: "text", delta: "three" },
      { type: "end", state: "success" },
    ]);
  });

  it.each(["http://cdn.example/a.png", "data:text/html,<script>alert(1)</script>"])(
    "has no address that models and apps should not follow: %s is left out, and the rest counts",
    async (url) => {
      const source = { type: "url", url, media_type: "image/png" };
      const output = [
        { type: "text", text: "one" },
        { type: "data", source },
      ];

      const chunks = await call(answer(JSON.stringify({ output })));

      expect(chunks).toEqual([
        { type: "text", delta: "one" },
        { type: "text", delta: expect.stringMatching(/^\n\[left out: .*data:.*\]$/) },
        { type: "end", state: "success" },
      ]);
    },
  );

  it("has no media type that is none: it may be of any length", async () => {
    const source = { type: "base64", data: "aGk=", media_type: "x".repeat(100_000) };
    const output = [{ type: "data", source }];

    expect(await call(answer(JSON.stringify({ output })))).toEqual([
      { type: "data", media_type: "application/octet-stream", data: "aGk=" },
      { type: "end", state: "success" },
    ]);
  });

  it.each([
    '{ "status": "shipped" }',
    '{"output": "done", "price": 3}',
    '{"output": [{"type": "video"}]}',
    "[1, 2]",
    "null",
    '"a string"',
  ])("is shown as it is when it is JSON of another shape: %s", async (body) => {
    expect(await call(answer(body))).toEqual([{ type: "text", delta: body }]);
  });

  it.each(["text/plain", "application/json", "text/event-stream"])(
    "may be empty as %s",
    async (contentType) => {
      expect(await call(answer("", contentType))).toEqual([]);
    },
  );

  it("may be a stream of deltas: JSON strings, objects with a delta, or plain text", async () => {
    const stream = [
      ": hello\n\n",
      'data: "Print"\n\ndata: {"del',
      'ta":"ing "}\n\n',
      'data: the label\n\ndata: 42\n\ndata: {"other":1}\n\ndata: {"state":"odd"}\n\n',
      'data: [DONE]\n\ndata: "late"\n\n',
    ];

    expect(await call(pieces(stream, { contentType: "text/event-stream; charset=utf-8" }))).toEqual(
      [
        { type: "text", delta: "Print" },
        { type: "text", delta: "ing " },
        { type: "text", delta: "the label" },
        { type: "text", delta: "42" },
        { type: "text", delta: '{"other":1}' },
        { type: "text", delta: '{"state":"odd"}' },
      ],
    );
  });

  it.each([
    ["a2aproject/a2a-python#1213: one line end", 'data: "o"\n\ndata: "k"\n'],
    ["no line end", 'data: "o"\n\ndata: {"delta":"k"}'],
    ["no line end, of plain text", "data: o\n\ndata: k"],
    [
      "a heartbeat with data",
      'data: "o"\n\nevent: ping\ndata: {}\n\ndata: "k"\n\nevent: keepalive\ndata: ok\n\n',
    ],
    ["[DONE] between spaces", 'data: "o"\n\ndata: "k"\n\ndata:  [DONE] \n\ndata: "late"\n\n'],
    ["no blank line, and heartbeats before it", 'data:\n\ndata: "o"\n\ndata: \n\ndata: "k"\n'],
  ])("is read to its last event, which ends with %s", async (_case, stream) => {
    const chunks = await call(answer(stream, "text/event-stream"));

    expect(chunks.map((chunk) => chunk.type === "text" && chunk.delta).join("")).toBe("ok");
  });

  it("may be a stream whose last event brings a state, metadata and the rest of the output", async () => {
    const picture = {
      type: "data",
      source: { type: "base64", data: "aGk=", media_type: "image/png" },
    };
    const end = { output: [picture], state: "error", metadata: { pages: 2 } };
    const stream = ['data: "half"\n\n', `data: ${JSON.stringify(end)}\n\ndata: "late"\n\n`];

    expect(await call(pieces(stream, { contentType: "text/event-stream" }))).toEqual([
      { type: "text", delta: "half" },
      { type: "data", media_type: "image/png", data: "aGk=" },
      { type: "end", state: "error", metadata: { pages: 2 } },
    ]);
  });

  it("is cut into deltas of bounded length, never through a character", async () => {
    const text = `${"a".repeat(127_999)}🚚${"b".repeat(10)}`;

    expect(await call(answer(text, "text/plain"))).toEqual([
      { type: "text", delta: "a".repeat(127_999) },
      { type: "text", delta: `🚚${"b".repeat(10)}` },
    ]);
  });
});

describe("an http tool that fails", () => {
  it("tells the status and what the body says", async () => {
    expect(await call(answer("the printer is out of paper\n", "text/plain", 503))).toEqual(
      failed("The tool answered 503: the printer is out of paper"),
    );
    expect(await call(answer("", "text/plain", 500))).toEqual(failed("The tool answered 500."));
  });

  it("shows a bounded part of a long body", async () => {
    expect(await call(answer("x".repeat(100_000), "text/html", 500))).toEqual(
      failed(`The tool answered 500: ${"x".repeat(2_000)} …`),
    );
  });

  it.each([
    ["bytes that come in pieces", "x", 70, "x".repeat(2_000)],
    ["characters, and half of the one at the bound", "€", 50, `${"€".repeat(666)}`],
    ["one piece that ends at the bound", "x", 2_000, "x".repeat(2_000)],
  ])("counts %s together, and waits for no more", async (_case, character, count, shown) => {
    const piece = character.repeat(count);
    const route: ToolRoute = async (response) => {
      response.writeHead(502, { "content-type": "text/plain" });
      while (!response.destroyed) {
        response.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };

    expect(await call(route)).toEqual(failed(`The tool answered 502: ${shown} …`));
  });

  it("does not follow a redirect", async () => {
    expect(
      await call((response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end()),
    ).toEqual(failed("The tool answered 307, a redirect; redirects are not followed."));
  });

  it("says so when its JSON is none", async () => {
    expect(await call(answer('{"output": "do'))).toEqual(
      failed('The tool\'s answer is declared as JSON but is not valid JSON: {"output": "do'),
    );
  });

  it("says so when its answer is not text", async () => {
    expect(await call(answer(Buffer.from([0x89, 0x50, 0xff, 0x00]), "image/png"))).toEqual(
      failed("The tool's answer is not text (image/png)."),
    );
  });

  it("is given up when the answer never begins", async () => {
    expect(await call(silence, { timeout_ms: 60 })).toEqual(
      failed("The tool did not answer within 60 ms."),
    );
  });

  it("is given up when the answer never ends, and keeps what came", async () => {
    const route = pieces(['data: "half"\n\n'], {
      contentType: "text/event-stream",
      ending: "hang",
    });

    expect(await call(route, { timeout_ms: 2_000 })).toEqual([
      { type: "text", delta: "half" },
      ...failed("\nThe tool did not answer within 2000 ms."),
    ]);
  });

  it.each([
    ["announced", answer("x".repeat(101), "text/plain")],
    ["unannounced", pieces(["x".repeat(60), "x".repeat(60)], { ending: "hang" })],
    [
      "streamed",
      pieces([`data: ${"x".repeat(200)}`], { contentType: "text/event-stream", ending: "hang" }),
    ],
  ])("is cut off at max_bytes when the size is %s", async (_case, route) => {
    expect(await call(route, { max_bytes: 100 })).toEqual(
      failed("The tool's answer is larger than 100 bytes."),
    );
  });

  it("takes an answer of exactly max_bytes", async () => {
    expect(await call(answer("x".repeat(100), "text/plain"), { max_bytes: 100 })).toEqual([
      { type: "text", delta: "x".repeat(100) },
    ]);
  });

  it("says so when the connection is cut in the answer", async () => {
    expect(await call(pieces(["some"], { ending: "cut" }))).toEqual(
      failed("The connection to the tool was lost before its answer ended."),
    );
  });

  it("says so when a stream ends in the middle of an event", async () => {
    const stream = 'data: "Printed, "\n\ndata: {"delta":"but';

    expect(await call(answer(stream, "text/event-stream"))).toEqual([
      { type: "text", delta: "Printed, " },
      ...failed("\nThe connection to the tool was lost before its answer ended."),
    ]);
  });

  it("says so when nobody listens", async () => {
    const server = await startToolServer({});
    await server.stop();

    expect(await collect(run(`${server.url}/tool`))).toEqual(
      failed("The tool could not be reached."),
    );
  });

  it("says so when its address is refused", async () => {
    expect(await collect(run("http://tools.example.com/x"))).toEqual(
      failed(
        "The tool's address was refused: plain http:// is allowed to this machine only; use https://.",
      ),
    );
  });
});

describe("stopping an http tool", () => {
  it("drops the connection and says nothing", async () => {
    const server = await serve(silence);
    const controller = new AbortController();
    const chunks = collect(run(`${server.url}/tool`, { stop: controller.signal }));
    await expect.poll(() => server.calls("/tool")).toBe(1);

    controller.abort();

    expect(await chunks).toEqual([]);
    await server.abandoned("/tool");
  });

  it("drops a stream whose reader does not come back", async () => {
    const server = await serve(
      pieces(['data: "half"\n\n'], { contentType: "text/event-stream", ending: "hang" }),
    );
    const controller = new AbortController();
    const chunks = run(`${server.url}/tool`, { stop: controller.signal })[Symbol.asyncIterator]();
    await chunks.next();

    controller.abort();

    await server.abandoned("/tool");
  });

  it("sends nothing when it was stopped before", async () => {
    const server = await serve(echo);

    expect(await collect(run(`${server.url}/tool`, { stop: AbortSignal.abort() }))).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
