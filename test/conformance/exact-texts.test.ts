// Texts of a tool and a model reach the other one as they were written: all digits of an id, and whole letters.
import { describe, expect, it, onTestFinished } from "vitest";

import type { Reply } from "../../protocol/replies/contract.ts";
import { sampled } from "../support/breadth.ts";
import { FakeBody, startFakeEndpoint } from "../support/fake-endpoint.ts";
import { HANG_LIMITS } from "../support/hang-limits.ts";
import { startRawServer } from "../support/mcp/raw-server.ts";
import { createAgent, createSession, createTenant, request } from "../support/platform-client.ts";
import { startToolServer } from "../support/tool-server.ts";

/** Not the digits of its double, which are 1234567890123456800. */
const ID = "1234567890123456789";
const RESULT = `{"order_id":${ID},"next":[${ID}]}`;

interface Wire {
  readonly name: string;
  readonly path: string;
  readonly model: (url: string) => object;
  /** The events of a turn of text, or with a call of each tool whose input is given as JSON text. */
  readonly text: string;
  readonly calls: (names: readonly string[], input: string) => string;
}

const event = (data: string) => `data: ${data}\n\n`;
const chatChunk = (delta: string, finish = "null") =>
  event(`{"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}`);

function chatCalls(names: readonly string[], input: string): string {
  const calls = names.map(
    (name, index) =>
      `{"index":${index},"id":"call_${index}","function":{"name":"${name}","arguments":${input}}}`,
  );
  return chatChunk(`{"tool_calls":[${calls.join()}]}`) + chatChunk("{}", '"tool_calls"');
}

const CHAT: Wire = {
  name: "chat completions",
  path: "/v1/chat/completions",
  model: (url) => ({ provider: "openai", name: "m", base_url: `${url}/v1` }),
  text: chatChunk('{"content":"Done."}') + chatChunk("{}", '"stop"'),
  calls: (names, input) => chatCalls(names, JSON.stringify(input)),
};

const WIRES: readonly Wire[] = [
  CHAT,
  { ...CHAT, name: "chat completions with inputs as objects", calls: chatCalls },
  {
    name: "the Messages API, with inputs in the start of a block",
    path: "/v1/messages",
    model: (url) => ({ provider: "anthropic", name: "m", base_url: url }),
    text:
      event(
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Done."}}',
      ) +
      event('{"type":"message_delta","delta":{"stop_reason":"end_turn"}}') +
      event('{"type":"message_stop"}'),
    calls: (names, input) =>
      names
        .map(
          (name, index) =>
            event(
              `{"type":"content_block_start","index":${index},"content_block":{"type":"tool_use","id":"call_${index}","name":"${name}","input":${input}}}`,
            ) + event(`{"type":"content_block_stop","index":${index}}`),
        )
        .join("") +
      event('{"type":"message_delta","delta":{"stop_reason":"tool_use"}}') +
      event('{"type":"message_stop"}'),
  },
  {
    name: "the Responses API, with arguments as objects",
    path: "/v1/responses",
    model: (url) => ({ provider: "openai", api: "responses", name: "m", base_url: `${url}/v1` }),
    text:
      event('{"type":"response.output_text.delta","output_index":0,"delta":"Done."}') +
      event('{"type":"response.completed","response":{"status":"completed"}}'),
    calls: (names, input) =>
      names
        .map((name, index) =>
          event(
            `{"type":"response.output_item.done","output_index":${index},"item":{"type":"function_call","id":"fc_${index}","call_id":"call_${index}","name":"${name}","arguments":${input}}}`,
          ),
        )
        .join("") + event('{"type":"response.completed","response":{"status":"completed"}}'),
  },
];

/** A model that calls the tools once, and an endpoint that refuses JSON of half letters, as strict ones do. */
async function startModel({ path, text, calls }: Wire, names: readonly string[], input: string) {
  const sent: string[] = [];
  const server = await startFakeEndpoint(path, (response) => new FakeBody(response), [
    (body, { text: given }) => {
      sent.push(given);
      if (/(?<!\\)\\u[dD]8/.test(given)) {
        const message = "The request body is not valid JSON: no low surrogate in string";
        body.refuse(400, { error: { message, type: "invalid_request_error" } });
        return;
      }
      body.raw(sent.length === 1 ? calls(names, input) : text);
      body.end();
    },
  ]);
  onTestFinished(() => server.stop());
  return { url: server.url, sent };
}

/** The session's one reply, with the tools of an MCP server, whose answer is written here, and of an http tool. */
async function reply(wire: Wire, { result, input }: { result: string; input: string }) {
  const heard: string[] = [];
  const mcp = await startRawServer({
    "tools/call": ({ id }, response, { text }) => {
      heard.push(text);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const shop = await startToolServer({
    "/look": (response, { text }) => {
      heard.push(text);
      response.writeHead(200, { "content-type": "application/json" }).end(RESULT);
    },
  });
  onTestFinished(() => shop.stop());
  const model = await startModel(wire, ["mcp__wh__act", "look"], input);
  const { key } = await createTenant();
  const { body: created } = await request<{ id: string }>("POST", "/v1/mcp-servers", {
    key,
    body: { name: "wh", url: mcp.url, timeout_ms: HANG_LIMITS.testTimeout },
  });
  const agent = await createAgent(key, {
    model: wire.model(model.url),
    tools: [
      { type: "mcp", server_id: created.id, permissions: { "*": "allow" } },
      { type: "http", name: "look", url: `${shop.url}/look`, read_only: true },
    ],
  });
  const session = await createSession(key, agent);
  const path = `/v1/sessions/${session}/replies`;
  const { body } = await request<Reply>("POST", path, { key, body: { input: "Look it up." } });
  return { status: body.status, heard, sent: model.sent };
}

for (const [rows, breadth] of sampled(WIRES, 1))
  describe.each(rows)("by $name", breadth, (wire) => {
    it("an id of 19 digits goes to the tools and back to the model with all of them", async () => {
      const { status, heard, sent } = await reply(wire, {
        result: `{"content":[],"structuredContent":${RESULT}}`,
        input: `{"order_id":${ID}}`,
      });

      expect(status).toBe("completed");
      expect(heard.map((text) => text.includes(`"order_id":${ID}`))).toEqual([true, true]);
      expect(sent).toHaveLength(2);
      const [, second = ""] = sent;
      // Its own calls, and what each tool has given, twice.
      expect(second.split(ID)).toHaveLength(2 + 4 + 1);
      expect(second).not.toContain("12345678901234568");
    });
  });

it("half a letter in the text of an MCP tool does not fail the reply (anomalyco/opencode#17758)", async () => {
  const { status, sent } = await reply(CHAT, {
    result: String.raw`{"content":[{"type":"text","text":"half \ud83d pair"}]}`,
    input: "{}",
  });

  expect(status).toBe("completed");
  expect(sent).toHaveLength(2);
  expect(sent[1]).toContain("half \ufffd pair");
});
