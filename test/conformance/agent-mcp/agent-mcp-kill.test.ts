/** @module-tag broad */
// The platform killed with kill -9 between a question and its answer over MCP, and in the middle of a stream.
import { expect, test } from "vitest";

import type { RpcReply, ToolResult } from "../../support/mcp-desk.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";

const platform = mortalPlatform();

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};

async function post<Body>(key: string, path: string, body: object, headers: object = {}) {
  const { base_url } = await platform.running();
  const response = await fetch(base_url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json",
      ...headers,
    },
  });
  return (await response.json()) as Body;
}

async function openDesk(key: string): Promise<string> {
  const agent = await post<{ id: string }>(key, "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [{ type: "external", name: "print_label", input_schema: { type: "object" } }],
  });
  return `/v1/agents/${agent.id}/mcp`;
}

interface Asked extends ToolResult {
  readonly resultType: string;
  readonly requestState: string;
  readonly inputRequests: Readonly<Record<string, object>>;
}

function ask(key: string, path: string, more: object = {}) {
  const params = {
    name: "ask_desk",
    arguments: { message: "/call print_label {}\n/say Printed." },
    _meta: META,
    ...more,
  };
  return post<RpcReply<Asked>>(
    key,
    path,
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    {
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": "ask_desk",
    },
  );
}

test("a call that asked its client goes on after the kill, by its request state, and once", async () => {
  const key = await platform.createTenant();
  const path = await openDesk(key);
  let { result } = await ask(key, path);
  const [permission] = Object.keys(result!.inputRequests);
  // The tool asks for a permission first, and then for its result.
  const approved = {
    [permission!]: { action: "accept", content: { decision: "approve" } },
  };
  await platform.kill();
  const first = { requestState: result!.requestState, inputResponses: approved };
  ({ result } = await ask(key, path, first));
  const [call] = Object.keys(result!.inputRequests);
  const given = { [call!]: { action: "accept", content: { output: "LABEL-1" } } };
  const second = { requestState: result!.requestState, inputResponses: given };
  const done = await ask(key, path, second);
  const again = await ask(key, path, second);

  expect(done.result?.structuredContent).toMatchObject({ status: "completed", pending: [] });
  expect(done.result?.content.at(-1)).toEqual({ type: "text", text: "Printed." });
  expect(again.result?.structuredContent).toEqual(done.result?.structuredContent);
  const { base_url } = await platform.running();
  const events = await fetch(
    `${base_url}/v1/sessions/${done.result?.structuredContent?.session_id}/events?limit=100`,
    { headers: { authorization: `Bearer ${key}` } },
  );
  const { data } = (await events.json()) as { data: { type: string }[] };
  const answers = data.filter(({ type }) => /CONFIRM_RESULT|EXECUTION_RESULT/.test(type));
  expect(answers).toHaveLength(2);
});

test("a stream that dies with the platform goes on by its last frame", async () => {
  const key = await platform.createTenant();
  const path = await openDesk(key);
  const { base_url } = await platform.running();
  const response = await fetch(base_url + path, {
    method: "POST",
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: "q",
      method: "tools/call",
      params: {
        name: "ask_desk",
        arguments: { message: "/rate 100\n/words 300" },
        _meta: { progressToken: 1 },
      },
    }),
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  let text = "";
  let isKilled = false;
  try {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      // A piece may bring several at once.
      if (isKilled || (text.match(/notifications\/progress/g) ?? []).length < 3) continue;
      isKilled = true;
      await platform.kill();
    }
  } catch {
    // The connection breaks with the platform.
  }
  const [last] = [...text.matchAll(/^id: (.+)$/gm)].slice(-1);
  const { base_url: next } = await platform.running();
  const rest = await fetch(next + path, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: "text/event-stream",
      "last-event-id": last![1]!,
    },
  });
  const [, data = "{}"] = [...(await rest.text()).matchAll(/^data: (\{.+)$/gm)].at(-1) ?? [];
  const answer = JSON.parse(data) as RpcReply<ToolResult>;

  expect([answer.id, answer.result?.structuredContent?.status]).toEqual(["q", "completed"]);
});
