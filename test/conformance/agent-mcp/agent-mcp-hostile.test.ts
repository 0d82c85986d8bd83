/** @module-tag broad */
// Clients of an agent's MCP endpoint that send what no released client does.
import { expect, it } from "vitest";

import { ASKING, callTool, connect, openMcpDesk, send } from "../../support/mcp-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";

it("a cancelled resume_desk stops the reply, as a cancelled ask_desk does", async () => {
  const desk = await openMcpDesk();
  const connection = await connect(desk);
  const message = '/call refund {"order_id":"A-1001"}\n/rate 20\n/words 20000';
  const { structuredContent } = await callTool(desk, "ask_desk", { message });
  const { session_id, pending } = structuredContent!;
  const answers = pending.map(({ call_id }) => ({ call_id, approved: true }));
  const params = { name: "resume_desk", arguments: { session_id, answers } };
  const stream = await openRequest("POST", desk.path, {
    key: desk.key,
    body: { jsonrpc: "2.0", id: "resume-1", method: "tools/call", params },
    headers: { accept: "application/json, text/event-stream", ...connection },
  });
  const cancelled = {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: "resume-1" },
  };
  const { status } = await send(desk, desk.key, cancelled, connection);
  const text = await stream.text();

  expect(status).toBe(202);
  expect(text).toContain('"status":"interrupted"');
});

it("a cancellation that is here before its call stops it", async () => {
  const desk = await openMcpDesk();
  const connection = await connect(desk);
  const params = { requestId: 1 };
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params };
  await send(desk, desk.key, cancelled, connection);
  const message = "/rate 20\n/words 20000";
  const { structuredContent } = await callTool(desk, "ask_desk", { message }, desk.key, connection);

  expect(structuredContent?.status).toBe("interrupted");
});

it("a key that is none is the error of its own call, and takes no other one of its batch along", async () => {
  const desk = await openMcpDesk();
  const call = (id: number, meta: object) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "ask_desk", arguments: { message: "/say Hello." }, _meta: meta },
  });
  const batch = [call(1, {}), call(2, { "reprise/idempotency-key": "" })];
  const headers = { accept: "application/json", "mcp-protocol-version": "2025-03-26" };
  const { status, body } = await request<{ id: number; error?: { code: number } }[]>(
    "POST",
    desk.path,
    { key: desk.key, body: batch, headers },
  );
  const alone = await send(desk, desk.key, batch[1]);

  expect(status).toBe(200);
  expect(body.toSorted((one, other) => one.id - other.id)).toMatchObject([
    { id: 1, result: { content: [{ text: "Hello." }] } },
    { id: 2, error: { code: -32_602 } },
  ]);
  expect(alone.body).toMatchObject({ id: 2, error: { code: -32_602 } });
});

it("calls of one batch with the same id are answered each", async () => {
  const desk = await openMcpDesk();
  const call = (text: string) => ({
    jsonrpc: "2.0",
    id: "same",
    method: "tools/call",
    params: { name: "ask_desk", arguments: { message: `/say ${text}` } },
  });
  const headers = {
    accept: "application/json",
    "mcp-protocol-version": "2025-03-26",
    ...(await connect(desk)),
  };
  const { body } = await request<{ result: { content: { text: string }[] } }[]>("POST", desk.path, {
    key: desk.key,
    body: [call("One."), call("Two.")],
    headers,
  });

  expect(body.map(({ result }) => result.content[0]?.text).toSorted()).toEqual(["One.", "Two."]);
});

it("calls of one connection with the same id do not cancel each other", async () => {
  const desk = await openMcpDesk();
  const connection = await connect(desk);
  const message = "/rate 30\n/words 20";
  const results = await Promise.all(
    Array.from({ length: 8 }, () => callTool(desk, "ask_desk", { message }, desk.key, connection)),
  );

  expect(results.map(({ structuredContent }) => structuredContent?.status)).toEqual(
    results.map(() => "completed"),
  );
});

it("a request state is of one tenant, one agent and one signature, and good for one answer", async () => {
  const [desk, other] = [await openMcpDesk(), await openMcpDesk()];
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "ask_desk",
  };
  const call = (more: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "ask_desk", arguments: { message: ASKING }, _meta: meta, ...more },
  });
  interface Asked {
    readonly requestState: string;
    readonly inputRequests: Readonly<Record<string, object>>;
    readonly structuredContent: { readonly status: string };
  }
  const asked = await send<Asked>(desk, desk.key, call({}), headers);
  const { requestState, inputRequests } = asked.body.result!;
  const [id = ""] = Object.keys(inputRequests);
  const answer = (decision: string) => ({
    [id]: { action: "accept", content: { decision } },
  });
  const sign = (state: string) => call({ requestState: state, inputResponses: answer("approve") });
  const [head = "", tail = ""] = requestState.split(/\.(?=[^.]*$)/);
  const flipped = `${tail.startsWith("A") ? "B" : "A"}${tail.slice(1)}`;

  const refused = [
    await send(other, other.key, sign(requestState), headers),
    await send(desk, desk.key, sign(`${head}.${flipped}`), headers),
    await send(desk, desk.key, sign(`${requestState}x`), headers),
    await send(desk, desk.key, sign("x".repeat(100_000)), headers),
  ];
  const first = await send<Asked>(desk, desk.key, sign(requestState), headers);
  const replayed = await send<Asked>(
    desk,
    desk.key,
    call({ requestState, inputResponses: answer("deny") }),
    headers,
  );

  expect(refused.map(({ body }) => body.error?.code)).toEqual([-32_602, -32_602, -32_602, -32_602]);
  expect(first.body.result?.structuredContent.status).toBe("completed");
  expect(replayed.body.result).toMatchObject({ isError: true });
});
