// The released client of MCP, `@modelcontextprotocol/client`, in the era of 2026-07-28 and, by its own choice, before.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";

import { ASKING, openMcpDesk, type McpDesk, type ToolResult } from "../../support/mcp-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };

async function connect(
  { url, key }: McpDesk,
  mode: "auto" | "legacy",
  answer?: (params: { message: string }) => Answer,
) {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode },
      ...(answer && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (answer) {
    client.setRequestHandler("elicitation/create", async ({ params }) => answer(params));
  }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

async function ask(client: Client, message: string): Promise<ToolResult> {
  return (await client.callTool({ name: "ask_desk", arguments: { message } })) as ToolResult;
}

test("it finds the newest era, and asks with progress", async () => {
  const client = await connect(await openMcpDesk(), "auto");
  const progress: string[] = [];

  const { tools } = await client.listTools();
  const result = await client.callTool(
    { name: "ask_desk", arguments: { message: "/rate 200\n/words 40" } },
    { onprogress: ({ message }) => void progress.push(message ?? "") },
  );

  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  expect(tools.map(({ name }) => name)).toEqual(["ask_desk", "resume_desk", "stop_desk"]);
  const [said] = result.content as { text: string }[];
  expect(said?.text.length).toBeGreaterThan(40);
  expect(said?.text.startsWith(progress.join("").slice(0, 20))).toBe(true);
  expect(progress.length).toBeGreaterThan(0);
});

test("a permission is a form, whose approval lets the reply go on in the same call", async () => {
  const messages: string[] = [];
  const client = await connect(await openMcpDesk(), "auto", ({ message }) => {
    messages.push(message);
    return { action: "accept", content: { decision: "approve" } };
  });

  const result = await ask(client, ASKING);

  expect(messages).toEqual([expect.stringContaining('refund {"order_id":"A-1001"}')]);
  expect(result.structuredContent).toMatchObject({ status: "completed", pending: [] });
  expect(result.content.at(-1)).toEqual({ type: "text", text: "It is done." });
});

test("a form that is declined denies the call, and one that is dismissed leaves it waiting", async () => {
  const desk = await openMcpDesk();
  const declining = await connect(desk, "auto", () => ({ action: "decline" }));
  const dismissing = await connect(desk, "auto", () => ({ action: "cancel" }));

  const declined = await ask(declining, ASKING);
  const dismissed = await ask(dismissing, ASKING);

  expect(declined.structuredContent?.status).toBe("completed");
  const { body } = await request<{ data: { behavior: string; decided_by: object }[] }>(
    "GET",
    `/v1/sessions/${declined.structuredContent?.session_id}/decisions`,
    { key: desk.key },
  );
  expect(body.data.map(({ behavior }) => behavior)).toContain("deny");
  expect(dismissed.structuredContent).toMatchObject({
    status: "waiting",
    pending: [{ kind: "permission", tool: "refund" }],
  });
});

test("a result from outside is a form too", async () => {
  const client = await connect(await openMcpDesk(), "auto", () => ({
    action: "accept",
    content: { output: "RETURN-7741" },
  }));

  const result = await ask(client, "/call print_label {}\n/say Printed.");

  expect(result.structuredContent?.status).toBe("completed");
  expect(result.content.at(-1)).toEqual({ type: "text", text: "Printed." });
});

test.each(["auto", "legacy"] as const)(
  "without forms (%s) what waits is shown, and resume_… answers it",
  async (mode) => {
    const client = await connect(await openMcpDesk(), mode);
    const waiting = await ask(client, ASKING);
    const { session_id, status, pending } = waiting.structuredContent!;

    const done = await client.callTool({
      name: "resume_desk",
      arguments: {
        session_id,
        answers: pending.map(({ call_id }) => ({ call_id, approved: true })),
      },
    });

    expect([status, pending.length]).toEqual(["waiting", 1]);
    expect(done).toMatchObject({ structuredContent: { status: "completed", pending: [] } });
  },
);

// In the older era it says so, in the newer one it closes the call's stream.
test.each(["legacy", "auto"] as const)(
  "a call that is cancelled ends its reply: %s",
  async (mode) => {
    const desk = await openMcpDesk();
    const client = await connect(desk, mode);
    const stop = new AbortController();

    const asked = client.callTool(
      { name: "ask_desk", arguments: { message: "/rate 20\n/words 2000" } },
      { signal: stop.signal, onprogress: () => stop.abort() },
    );

    await expect(asked).rejects.toThrow();
    await waitFor(async () => {
      const { key } = desk;
      const sessions = await request<{ data: { id: string }[] }>("GET", "/v1/sessions", { key });
      const path = `/v1/sessions/${sessions.body.data[0]?.id}/replies`;
      const replies = await request<{ data: { status: string }[] }>("GET", path, { key });
      expect(replies.body.data[0]?.status).toBe("interrupted");
    });
  },
);
