// Hook endpoints that hang, lie, answer too much or die, and hooks of one session: the reply goes on or ends as was said.
import { expect, it, onTestFinished } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { startHookServer } from "../../support/hook-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { answer, pieces, silence, startToolServer } from "../../support/tool-server.ts";

interface Reply {
  readonly id: string;
  readonly status: string;
  readonly message: Msg;
}

interface Hooks {
  readonly hooks: readonly { readonly name: string; readonly point: string }[];
  readonly agent_hooks: readonly { readonly name: string }[];
  readonly version: number;
}

/** Of an endpoint whose silence is waited for. */
const TIMEOUT_MS = 3_000;
/** Of all others: as long as a hook may take. */
const LONG_MS = 30_000;

const FAILURES: readonly [string, string, string][] = [
  ["hangs", "/silent", "timeout"],
  ["never ends its answer", "/hanging", "timeout"],
  ["answers 10 MB", "/huge", "too_large"],
  ["dies in its answer", "/cut", "connection_lost"],
  ["answers another status", "/broken", "provider_error"],
  ["redirects", "/redirect", "redirect"],
  ["answers no JSON", "/text", "invalid_answer"],
  ["answers an action that its point has not", "/asks", "invalid_answer"],
  ["changes a message that it was not shown", "/lies", "invalid_answer"],
  ["answers an input nested 100,000 deep", "/deep", "invalid_answer"],
  ["answers with members of its own", "/more", "invalid_answer"],
  ["is not there", "closed port", "unreachable"],
];

async function openEndpoint() {
  const lies = { input: { messages: [{ id: "another", content: "/say gotcha" }] } };
  const server = await startToolServer({
    "/silent": silence,
    "/hanging": pieces(['{"action":'], { contentType: "application/json", ending: "hang" }),
    "/huge": answer(JSON.stringify({ reason: "x".repeat(10_000_000) }), "application/json"),
    "/cut": pieces(['{"action":'], { contentType: "application/json", ending: "cut" }),
    "/broken": answer("out of order", "text/plain", 503),
    "/redirect": (response) => response.writeHead(307, { location: "/asks" }).end(),
    "/text": answer("fine", "text/plain"),
    "/asks": answer(JSON.stringify({ action: "ask" }), "application/json"),
    "/lies": answer(JSON.stringify(lies), "application/json"),
    "/deep": answer(`{"input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    "/more": answer(JSON.stringify({ permission: "allow" }), "application/json"),
  });
  onTestFinished(() => server.stop());
  return server;
}

for (const [rows, breadth] of sampled(FAILURES, 3))
  it.each(rows)(
    "an endpoint that %s: open goes on, closed ends the reply",
    breadth,
    async (_, path, kind) => {
      const endpoint = await openEndpoint();
      const { key } = await createTenant();
      const url = path.startsWith("/") ? `${endpoint.url}${path}` : "http://127.0.0.1:9/hook";
      const timeout_ms = kind === "timeout" ? TIMEOUT_MS : LONG_MS;
      const hook = { name: "guard", point: "pre_reply", type: "http", url, timeout_ms };
      const reply = async (on_failure: string) => {
        const agentId = await createAgent(key, { hooks: [{ ...hook, on_failure }] });
        const session = `/v1/sessions/${await createSession(key, agentId)}`;
        const body = { input: "/say hello" };
        const given = await request<Reply>("POST", `${session}/replies`, { key, body });
        const events = await request<{ data: LoggedEvent[] }>(
          "GET",
          `${session}/events?limit=100`,
          {
            key,
          },
        );
        const answered = events.body.data.find(
          (event) => event.type === "CUSTOM" && event.name === "hook_answered",
        );
        return { ...given.body, answered, end: events.body.data.at(-1) };
      };
      const open = await reply("open");
      const closed = await reply("closed");

      expect([open.status, open.message.content.at(-1)]).toMatchObject([
        "completed",
        { type: "text", text: "hello" },
      ]);
      expect(open.answered).toMatchObject({
        value: { outcome: "failed", failure: { kind, on_failure: "open" } },
      });
      expect([closed.status, closed.message.content]).toEqual(["error", []]);
      expect(closed.end).toMatchObject({
        type: "REPLY_END",
        metadata: { failed_hook: { hook: "guard", point: "pre_reply", kind } },
      });
    },
  );

it("a closed hook before printing that fails shows nothing of the text", BROAD, async () => {
  const endpoint = await openEndpoint();
  const { key } = await createTenant();
  const url = `${endpoint.url}/broken`;
  const hook = { name: "guard", point: "pre_print", type: "http", url, timeout_ms: LONG_MS };
  const session = await createSession(key, await createAgent(key, { hooks: [hook] }));
  const path = `/v1/sessions/${session}`;
  const reply = await request<Reply>("POST", `${path}/replies`, {
    key,
    body: { input: "/say 4711" },
  });
  const events = await request<{ data: LoggedEvent[] }>("GET", `${path}/events?limit=100`, { key });

  expect(reply.body.status).toBe("error");
  const said = events.body.data.filter(({ type }) => type === "TEXT_BLOCK_DELTA");
  expect(said).toMatchObject([{ delta: "This was held back." }]);
});

it("hooks of a session are listed, replaced and cleared by name, run before the agent's, and hold from the next reply on", async () => {
  const server = await startHookServer(() => undefined);
  onTestFinished(() => server.stop());
  const { key } = await createTenant();
  const http = { type: "http", url: server.url, point: "pre_reply", timeout_ms: LONG_MS };
  const agentId = await createAgent(key, { hooks: [{ ...http, name: "agent" }] });
  const path = `/v1/sessions/${await createSession(key, agentId)}`;
  const put = (hooks: object[], headers = {}) =>
    request<Hooks & { code?: string }>("PUT", `${path}/hooks`, { key, headers, body: { hooks } });
  const say = () => request("POST", `${path}/replies`, { key, body: { input: "/say hi" } });
  const one = { ...http, name: "one" };
  const two = { ...http, name: "two" };
  const written = await put([one, two]);
  await say();
  const both = server.asked.map(({ hook }) => hook);
  const stale = await put([], { "If-Match": '"0"' });
  const removed = await put([two], { "If-Match": '"1"' });
  await say();
  const listed = await request<Hooks>("GET", `${path}/hooks`, { key });
  const cleared = await put([]);
  const doubled = await put([one, one]);

  expect(written.headers.get("etag")).toBe('"1"');
  expect(both).toEqual(["one", "two", "agent"]);
  expect([stale.status, stale.body.code]).toEqual([412, "version_mismatch"]);
  expect(removed.body.hooks.map(({ name }) => name)).toEqual(["two"]);
  expect(server.asked.slice(3).map(({ hook }) => hook)).toEqual(["two", "agent"]);
  expect(listed.body).toMatchObject({ version: 2, agent_hooks: [{ name: "agent" }] });
  expect(cleared.body).toMatchObject({ hooks: [], version: 3 });
  expect(doubled.status).toBe(400);
});

it("another tenant reads and writes no hooks of the session, and its credentials sign nothing", async () => {
  const { key } = await createTenant();
  const { key: other } = await createTenant();
  const path = `/v1/sessions/${await createSession(key)}/hooks`;
  const secret = `whsec_${btoa("a secret of twenty-four bytes or more")}`;
  const credential = await request<{ id: string }>("POST", "/v1/credentials", {
    key: other,
    body: { name: "hooks", type: "tool", secret, allowed_hosts: ["shop.example"] },
  });
  const hook = { name: "spy", point: "pre_reply", type: "http", url: "https://shop.example/" };
  const borrowed = { ...hook, signing_credential_id: credential.body.id };
  const statuses = [
    await request("GET", path, { key: other }),
    await request("PUT", path, { key: other, body: { hooks: [hook] } }),
    await request("PUT", path, { key, body: { hooks: [borrowed] } }),
    await request("PUT", path, { key, body: { hooks: [{ ...hook, url: "https://10.0.0.1/" }] } }),
    await request("PUT", path, { key, body: { hooks: [{ ...hook, point: "on_reply" }] } }),
    await request("PUT", path, {
      key,
      body: { hooks: [{ name: "gone", point: "on_reply", type: "code" }] },
    }),
  ];

  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 400, 400, 400, 400]);
  expect((await request<Hooks>("GET", path, { key })).body).toMatchObject({
    hooks: [],
    version: 0,
  });
});

it("hooks around observed messages: one is refused, one is changed for the model alone, and both are told of afterwards", async () => {
  const server = await startHookServer(({ point, input }) => {
    const [message] = input.messages ?? [];
    if (point === "post_observe") return undefined;
    if (message?.content[0]?.text === "spam") return { action: "block", reason: "No spam." };
    return { input: { messages: [{ id: message?.id, content: "[reviewed] news" }] } };
  });
  onTestFinished(() => server.stop());
  const { key } = await createTenant();
  const hooks = ["pre_observe", "post_observe"].map((point) => {
    return { name: "desk", point, type: "http", url: server.url, timeout_ms: LONG_MS };
  });
  const path = `/v1/sessions/${await createSession(key, await createAgent(key, { hooks }))}`;
  const observe = (id: string, content: string) =>
    request<{ code?: string; detail?: string }>("POST", `${path}/observe`, {
      key,
      body: { messages: [{ id, content }] },
    });
  const spam = await observe("m1", "spam");
  const news = await observe("m2", "news");
  const again = await observe("m2", "news");
  await expect
    .poll(() => server.asked.filter(({ point }) => point === "post_observe").length)
    .toBe(1);
  const context = await request<{ messages: { message: Msg }[] }>("GET", `${path}/context`, {
    key,
  });

  expect([spam.status, spam.body.code, spam.body.detail]).toEqual([
    403,
    "hook_blocked",
    "No spam.",
  ]);
  expect([news.status, again.status]).toEqual([201, 201]);
  expect(context.body.messages).toMatchObject([
    { message: { id: "m2", content: [{ text: "[reviewed] news" }] } },
  ]);
  expect(server.asked.map(({ point }) => point)).toEqual([
    "pre_observe",
    "pre_observe",
    "post_observe",
  ]);
});
