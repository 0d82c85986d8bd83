// An agent as a tool of another one, over HTTP: its session, its question, who may see it, and how it ends.
import { describe, expect, it, onTestFinished } from "vitest";

import type { Problem } from "../../../protocol/problem.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { EventReceipt } from "../../../protocol/events/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session, SessionPage } from "../../../protocol/sessions/contract.ts";
import { callTool, openMcpDesk } from "../../support/mcp-desk.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";
import { waitFor } from "../../support/wait-for.ts";

const SCRIPT = JSON.stringify({ message: "/call refund {}\n/say Refunded." });
const INPUT = `/call helper ${SCRIPT}\n/say Thanks.`;

async function open() {
  const { key } = await createTenant();
  const ask = async <Body>(method: string, path: string, body?: object) =>
    (await request<Body>(method, path, { key, body })).body;
  const refund = { type: "external", name: "refund" };
  const agent_id = await createAgent(key, { name: "Helper", tools: [refund] });
  const helper = { type: "agent", name: "helper", agent_id, read_only: true };
  const caller = await createAgent(key, { name: "Caller", tools: [helper] });
  const session = await ask<Session>("POST", "/v1/sessions", { agent_id: caller });
  const path = `/v1/sessions/${session.id}`;
  const body = { input: INPUT, background: true };
  const { id } = await ask<Reply>("POST", `${path}/replies`, body);
  const read = () => ask<Reply>("GET", `${path}/replies/${id}`);
  const children = async () =>
    (await ask<SessionPage>("GET", `/v1/sessions?parent_session_id=${session.id}`)).data;
  const child = await waitFor(async () => {
    const [one] = await children();
    const called = await ask<Session>("GET", `/v1/sessions/${one?.id}`);
    expect(called.pending).toHaveLength(1);
    return called;
  });
  const ended = () =>
    waitFor(async () => {
      const reply = await read();
      expect(reply.status).not.toBe("running");
      return reply;
    });
  onTestFinished(async () => void (await ask("DELETE", path)));
  return { key, ask, path, session, child, read, children, ended };
}

type Desk = Awaited<ReturnType<typeof open>>;

/** Allows the call that the agent asks about, and gives its result, both in the agent's own session. */
async function answer({ ask, child }: Desk): Promise<void> {
  const path = `/v1/sessions/${child.id}`;
  const { reply_id } = child;
  const { tool_call } = child.pending[0]!;
  const confirmed = { confirmed: true, tool_call: { id: tool_call.id } };
  await ask("POST", `${path}/events`, {
    type: "USER_CONFIRM_RESULT",
    reply_id,
    confirm_results: [confirmed],
  });
  await waitFor(async () => {
    const { pending } = await ask<Session>("GET", path);
    expect(pending[0]?.kind).toBe("external_result");
  });
  const { id, name } = tool_call;
  const result = { type: "tool_result", id, name, output: "Paid.", state: "success" };
  await ask("POST", `${path}/events`, {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id,
    execution_results: [result],
  });
}

describe("an agent that is called", () => {
  it("asks in its own session and in the inbox, and its caller waits until it is answered", async () => {
    const desk = await open();
    const inbox = await desk.ask<Page<{ session_id: string }>>("GET", "/v1/confirmations");
    const waiting = await desk.read();
    await answer(desk);
    const reply = await desk.ended();
    const result = reply.message?.content.find(({ type }) => type === "tool_result");

    expect(inbox.data.map(({ session_id }) => session_id)).toEqual([desk.child.id]);
    expect([waiting.status, waiting.pending]).toEqual(["running", []]);
    expect(reply.status).toBe("completed");
    expect(result).toMatchObject({
      state: "success",
      output: [{ type: "text", text: "Refunded." }],
      metadata: { subagent: { session_id: desk.child.id, status: "completed" } },
    });
  });

  it("is waited for by one event, and goes on by another one", async () => {
    const desk = await open();
    await answer(desk);
    await desk.ended();
    const { data } = await desk.ask<Page<LoggedEvent>>("GET", `${desk.path}/events?limit=100`);
    const events = data.flatMap((event) =>
      event.type === "CUSTOM" && event.name === "subagent_call" ? [event.value] : [],
    );

    expect(events.map(({ session_id, waits }) => [session_id, waits])).toEqual([
      [desk.child.id, true],
      [desk.child.id, false],
    ]);
  });

  it("is seen in its caller's log, whose own client token answers what it asks", async () => {
    const desk = await open();
    const minted = await desk.ask<{ token: string }>("POST", `${desk.path}/tokens`, {
      verbs: ["read", "confirm", "tool_result"],
    });
    const asApp = <Body>(method: string, path: string, body?: object) =>
      request<Body>(method, path, { key: minted.token, body });
    const pending = (kind: string) =>
      waitFor(async () => {
        const found = (await desk.read()).subagents?.[0]?.pending?.[0];
        expect(found?.kind).toBe(kind);
        return found!;
      });
    const { tool_call, reply_id, input_hash } = await pending("permission");
    const { id, name } = tool_call;
    const confirmed = await asApp<EventReceipt>("POST", `${desk.path}/events`, {
      type: "USER_CONFIRM_RESULT",
      reply_id,
      confirm_results: [{ confirmed: true, tool_call: { id } }],
      metadata: { input_hashes: { [id]: input_hash } },
    });
    await pending("external_result");
    const result = { type: "tool_result", id, name, output: "Paid.", state: "success" };
    await asApp("POST", `${desk.path}/events`, {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id,
      execution_results: [result],
    });
    const reply = await desk.ended();
    const there = await asApp("GET", `/v1/sessions/${desk.child.id}`);
    const { data } = await desk.ask<Page<LoggedEvent>>("GET", `${desk.path}/events?limit=100`);
    const told = data.flatMap((event) =>
      event.type === "CUSTOM" && event.name.startsWith("subagent_") ? [event] : [],
    );

    expect([confirmed.status, there.status, reply.status]).toEqual([202, 404, "completed"]);
    expect(confirmed.body.reply).toMatchObject({ session_id: desk.child.id, message: null });
    expect(told.flatMap((event) => (event.name === "subagent_event" ? [] : [event.name]))).toEqual([
      "subagent_call",
      "subagent_require_user_confirm",
      "subagent_user_confirm_result",
      "subagent_require_user_confirm",
      "subagent_user_confirm_result",
      "subagent_call",
    ]);
  });

  it("is stopped when its caller is interrupted, and takes no answer any more", async () => {
    const desk = await open();
    await desk.ask("POST", `${desk.path}/interrupt`);
    await waitFor(async () => {
      const { status } = await desk.ask<Session>("GET", `/v1/sessions/${desk.child.id}`);
      expect(status).toBe("idle");
    });
    const { id } = desk.child.pending[0]!.tool_call;
    const late = await desk.ask<Problem>("POST", `/v1/sessions/${desk.child.id}/events`, {
      type: "USER_CONFIRM_RESULT",
      reply_id: desk.child.reply_id,
      confirm_results: [{ confirmed: true, tool_call: { id } }],
    });

    expect(late).toMatchObject({
      status: 409,
      code: "call_not_pending",
      detail: "the reply that has called this agent has ended, and the question with it",
    });
  });

  it("is nothing that another tenant finds, lists or names", async () => {
    const desk = await open();
    const { key } = await createTenant();
    const read = await request("GET", `/v1/sessions/${desk.child.id}`, { key });
    const path = `/v1/sessions?parent_session_id=${desk.session.id}`;
    const listed = await request<SessionPage>("GET", path, { key });
    const tool = { type: "agent", name: "theirs", agent_id: desk.child.agent_id };
    const body = { name: "Thief", tools: [tool] };
    const named = await request<Problem>("POST", "/v1/agents", { key, body });

    expect([read.status, listed.body.data, named.status]).toEqual([404, [], 400]);
    expect(named.body.errors?.map(({ pointer }) => pointer)).toEqual(["#/tools/0/agent_id"]);
  });

  it("goes with the session that has called it", async () => {
    const desk = await open();
    await desk.ask("DELETE", desk.path);
    const gone = await request("GET", `/v1/sessions/${desk.child.id}`, { key: desk.key });

    expect([gone.status, await desk.children()]).toEqual([404, []]);
  });
});

describe("an end user with a token of an issuer", () => {
  it("does not find the session of an agent that was called for them", async () => {
    const desk = await openMcpDesk();
    const { key } = desk;
    const issuer = await startTokenIssuer();
    const registered = { name: "Sign-in", issuer: issuer.issuer, jwks_url: issuer.jwksUrl };
    await request("POST", "/v1/token-issuers", { key, body: registered });
    const helper = { type: "agent", name: "helper", agent_id: desk.agentId, read_only: true };
    const agent_id = await createAgent(key, { name: "Caller", tools: [helper] });
    const opened = { agent_id, end_user_id: "ada" };
    const { body: session } = await request<Session>("POST", "/v1/sessions", { key, body: opened });
    const message = JSON.stringify({ message: "/say Hello." });
    const body = { input: `/call helper ${message}\n/say Thanks.`, background: true };
    await request("POST", `/v1/sessions/${session.id}/replies`, { key, body });
    const session_id = await waitFor(async () => {
      const path = `/v1/sessions?parent_session_id=${session.id}`;
      const { data } = (await request<SessionPage>("GET", path, { key })).body;
      expect(data).toHaveLength(1);
      return data[0]?.id;
    });
    const token = await issuer.sign({ sub: "ada", aud: desk.url.href });
    const asked = { message: "/say Mine.", session_id };
    const found = await callTool(desk, "ask_desk", asked, token);

    expect(found.content[0]?.text).toMatch(/^not_found: /);
  });
});
