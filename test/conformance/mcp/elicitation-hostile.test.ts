/** @module-tag broad */
// Servers that ask people for what they must not, or in ways that the protocol does not allow: the reply ends well, and
// nobody is shown it.
import { expect, it, onTestFinished } from "vitest";

import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { openStream, startRawServer, writeJson } from "../../support/mcp/raw-server.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const VERSION = "2026-07-28";
const field = (schema: object) => ({ type: "object", properties: { value: schema } });
const TEXT = field({ type: "string" });
const done = (text: string) => ({ content: [{ type: "text", text }] });

interface Posted {
  readonly id?: string | number;
  readonly result?: { readonly action?: string };
  readonly error?: { readonly code: number };
  readonly params?: { readonly inputResponses?: object; readonly requestState?: string };
}

/** A server of the older era that asks once, and gives what it has heard. */
async function openLegacy(params: object, method = "elicitation/create") {
  const open = { end: (_text: string): unknown => undefined, call: "" as string | number };
  const mcp = await startRawServer({
    "tools/call": ({ id }, response) => {
      open.end = (text) => response.end(text);
      open.call = id ?? 0;
      openStream(response)({ id: "ask-1", method, params });
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  const heard = () => (mcp.posts as readonly Posted[]).find(({ id }) => id === "ask-1");
  const running = desk.say("/call mcp__wh__act {}\n/say Done.");
  return {
    mcp,
    desk,
    heard,
    running,
    give: (text: string) => {
      const message = { jsonrpc: "2.0", id: open.call, result: done(text) };
      open.end(`data: ${JSON.stringify(message)}\n\n`);
    },
  };
}

/** A server of the modern era that gives these results, one for each call. */
async function openModern(results: readonly object[]) {
  const left = [...results];
  const mcp = await startRawServer({
    "server/discover": () => ({
      supportedVersions: [VERSION],
      capabilities: { tools: {} },
      serverInfo: { name: "raw", version: "1" },
    }),
    "tools/call": ({ id }, response) => {
      writeJson(response, { id, result: left.shift() ?? done("the end") });
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  const calls = () =>
    (mcp.posts as readonly (Posted & { method?: string })[]).filter(
      ({ method }) => method === "tools/call",
    );
  return { desk, calls };
}

const asking = (params: object, more: object = {}) => ({
  resultType: "input_required",
  inputRequests: { q: { method: "elicitation/create", params } },
  ...more,
});

const SECRETS = [
  [
    "a password by its format",
    { message: "Who?", requestedSchema: field({ type: "string", format: "password" }) },
  ],
  [
    "a token by its name",
    {
      message: "Who?",
      requestedSchema: { type: "object", properties: { accessToken: { type: "string" } } },
    },
  ],
  [
    "a card number by its title",
    { message: "Who?", requestedSchema: field({ type: "string", title: "Card Number" }) },
  ],
  [
    "a one-time code by its description",
    {
      message: "Who?",
      requestedSchema: field({ type: "string", description: "the one-time code" }),
    },
  ],
  ["a password by its question", { message: "Type your password, please.", requestedSchema: TEXT }],
] as const;

it.each(SECRETS)("%s is declined in the older era", async (_what, params) => {
  const { heard, running, give, desk } = await openLegacy(params);
  await waitFor(() => expect(heard()?.result).toEqual({ action: "decline" }));
  give("after all");
  const reply = await running;

  expect([reply.status, desk.textOf(reply.results[0])]).toEqual(["completed", "after all"]);
});

it.each(SECRETS)("%s is declined in the modern era", async (_what, params) => {
  const { desk, calls } = await openModern([asking(params, { requestState: "s" })]);
  const reply = await desk.say("/call mcp__wh__act {}\n/say Done.");

  expect([reply.status, desk.textOf(reply.results[0])]).toEqual(["completed", "the end"]);
  expect(calls()[1]?.params).toMatchObject({
    inputResponses: { q: { action: "decline" } },
    requestState: "s",
  });
});

const UNUSABLE = [
  [
    "a form within a form",
    { message: "?", requestedSchema: field({ type: "object", properties: {} }) },
  ],
  ["a form that is a list", { message: "?", requestedSchema: { type: "array" } }],
  [
    "a required field that is not there",
    { message: "?", requestedSchema: { ...TEXT, required: ["other"] } },
  ],
  [
    "a form of 100 kB",
    {
      message: "?",
      requestedSchema: field({
        type: "string",
        enum: Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(500, "x")),
      }),
    },
  ],
  ["a link of a script", { mode: "url", message: "?", url: "javascript:alert(1)" }],
  [
    "a link with a name in it",
    { mode: "url", message: "?", url: "https://bank.example@evil.example/" },
  ],
  ["a mode that is not known", { mode: "camera", message: "?" }],
  ["no message", { requestedSchema: TEXT }],
] as const;

it.each(UNUSABLE)("%s is refused in the older era, and the call goes on", async (_what, params) => {
  const { heard, running, give, desk } = await openLegacy(params);
  await waitFor(() => expect(heard()?.error?.code).toBe(-32_602));
  give("without");
  const reply = await running;

  expect([reply.status, desk.textOf(reply.results[0])]).toEqual(["completed", "without"]);
});

it.each(UNUSABLE)("%s ends the call with an error in the modern era", async (_what, params) => {
  const { desk, calls } = await openModern([asking(params)]);
  const reply = await desk.say("/call mcp__wh__act {}\n/say Done.");

  expect([reply.status, reply.results[0]?.["state"]]).toEqual(["completed", "error"]);
  expect(calls()).toHaveLength(1);
});

it.each(["sampling/createMessage", "roots/list"])("%s is refused in both eras", async (method) => {
  const { heard, running, give } = await openLegacy({ messages: [] }, method);
  await waitFor(() => expect(heard()?.error?.code).toBe(-32_601));
  give("alone");
  expect((await running).status).toBe("completed");
  const inputRequests = { q: { method, params: {} } };
  const { desk } = await openModern([{ resultType: "input_required", inputRequests }]);
  const reply = await desk.say("/call mcp__wh__act {}\n/say Done.");

  expect(desk.textOf(reply.results[0])).toContain("does not offer to servers");
});

it("a question of 100 kB is cut", async () => {
  const { desk } = await openModern([
    asking({ message: "x".repeat(100_000), requestedSchema: TEXT }),
  ]);
  const { pending } = await desk.say("/call mcp__wh__act {}\n/say Done.");

  expect(pending[0]?.question).toBe(`${"x".repeat(1_999)}…`);
});

it("a server that has its answer already ends the question, and what comes late is refused", async () => {
  const { heard, running, give, desk } = await openLegacy({
    message: "Which?",
    requestedSchema: TEXT,
  });
  const asked = await running;
  give("too late");
  const { key, path } = desk;
  await waitFor(async () => {
    const { body } = await request("GET", `${path}/replies/${asked.id}`, { key });
    expect(body["status"]).toBe("completed");
  });
  const result = { id: asked.pending[0]?.tool_call.id, output: '{"action":"decline"}' };
  const late = await request("POST", `${path}/events`, {
    key,
    body: { type: "EXTERNAL_EXECUTION_RESULT", reply_id: asked.id, execution_results: [result] },
  });

  expect(asked.status).toBe("awaiting_external_result");
  expect([late.status, late.body["code"]]).toEqual([409, "call_not_pending"]);
  expect(heard()?.result).toEqual({ action: "cancel" });
});

it("a server that wants nothing but another try gets a few", async () => {
  const again = { resultType: "input_required", requestState: "later" };
  const { desk, calls } = await openModern(Array.from({ length: 20 }, () => again));
  const reply = await desk.say("/call mcp__wh__act {}\n/say Done.");

  expect(desk.textOf(reply.results[0])).toContain("asks in a loop");
  expect(calls()).toHaveLength(9);
});
