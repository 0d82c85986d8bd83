// The released client of MCP's older era, `@modelcontextprotocol/sdk`, asks an agent of the running platform.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, inject, onTestFinished, test } from "vitest";

import { createAgent, createTenant, request } from "../../support/platform-client.ts";

async function connect(key: string, agentId: string) {
  const url = new URL(`${inject("baseUrl")}/v1/agents/${agentId}/mcp`);
  const headers = { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

test("it lists the agent's tools, asks, and continues the conversation", async () => {
  const { key } = await createTenant();
  const client = await connect(key, await createAgent(key));

  const { tools } = await client.listTools();
  const progress: string[] = [];
  const first = await client.callTool(
    {
      name: "ask_refund_desk",
      arguments: {
        message: '/say Hello.\n/call lookup_order {"order_id":"A-1001"}\n/say It is a teapot.',
      },
    },
    undefined,
    { onprogress: ({ message }) => void progress.push(message ?? "") },
  );
  const { session_id } = first.structuredContent as { session_id: string };
  const second = await client.callTool({
    name: "ask_refund_desk",
    arguments: { message: "/say Still here.", session_id },
  });

  expect(tools.map(({ name }) => name)).toEqual([
    "ask_refund_desk",
    "resume_refund_desk",
    "stop_refund_desk",
  ]);
  expect(first.content).toEqual([
    { type: "text", text: "Hello." },
    { type: "text", text: "It is a teapot." },
  ]);
  expect(progress.join("|")).toContain("Calls lookup_order");
  expect(second).toMatchObject({
    content: [{ type: "text", text: "Still here." }],
    structuredContent: { session_id, status: "completed", pending: [] },
  });
  const { body } = await request<{ agent_id: string }>("GET", `/v1/sessions/${session_id}`, {
    key,
  });
  expect(body).toMatchObject({ end_user_id: null, status: "idle" });
});
