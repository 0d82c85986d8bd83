// The three ways to wait for a reply, tools over real HTTP, and interrupts.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { answer, silence, startToolServer, type ToolServer } from "../../support/tool-server.ts";

let tools: ToolServer;
let key: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  tools = await startToolServer({
    "/quick": answer("done", "text/plain"),
    "/silent": silence,
    "/late": async (response) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      answer("too late", "text/plain")(response, undefined as never);
    },
  });
});

afterAll(() => tools.stop());

async function openSession(): Promise<string> {
  const names = ["quick", "silent", "late"];
  const agent = await createAgent(key, {
    tools: names.map((name) => ({
      type: "http",
      name,
      url: `${tools.url}/${name}`,
      read_only: true,
      concurrency_safe: true,
      timeout_ms: 60_000,
    })),
  });
  return createSession(key, agent);
}

function post(session: string, body: object, headers: Record<string, string> = {}) {
  return request<Reply>("POST", `/v1/sessions/${session}/replies`, { key, body, headers });
}

async function eventTypes(session: string): Promise<string[]> {
  const response = await openRequest("GET", `/v1/sessions/${session}/events`, {
    key,
    headers: { accept: "text/event-stream" },
  });
  return (await readSse(response)).map((frame) => frame.event);
}

describe("a reply", () => {
  it("that is waited for answers 200 with the folded message, usage and position", async () => {
    const session = await openSession();
    const { status, body } = await post(session, { input: "/call quick {}\n/say All done." });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      session_id: session,
      status: "completed",
      error: null,
      pending: [],
    });
    expect(body.message?.content.map((block) => block.type)).toEqual([
      "tool_call",
      "tool_result",
      "text",
    ]);
    expect(body.usage?.output_tokens).toBeGreaterThan(0);
    const stored = await request<{ message: Msg; cursor: number }>(
      "GET",
      `/v1/sessions/${session}/messages/${body.id}`,
      { key },
    );
    expect(stored.body).toEqual({ message: body.message, cursor: body.cursor });
  });

  it("in the background answers 202 with the position before REPLY_START", async () => {
    const session = await openSession();
    const { status, headers, body } = await post(session, { input: "/say Hi", background: true });

    expect(status).toBe(202);
    expect(headers.get("location")).toBe(`/v1/sessions/${session}/replies/${body.id}`);
    expect(body).toMatchObject({ status: "running", message: null });
    const response = await openRequest(
      "GET",
      `/v1/sessions/${session}/events?after=${body.cursor}&reply_id=${body.id}`,
      { key, headers: { accept: "text/event-stream" } },
    );
    const frames = await readSse(response);
    expect([frames[0]?.event, frames.at(-1)?.event]).toEqual(["REPLY_START", "REPLY_END"]);
  });

  it("streams when the client accepts only an event stream", async () => {
    const session = await openSession();
    const response = await openRequest("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: "/say Hi" },
      headers: { accept: "text/event-stream" },
    });

    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect((await readSse(response)).at(-1)?.event).toBe("REPLY_END");
  });

  it("takes blocks, a message and several messages as input", async () => {
    const session = await openSession();
    const block = { type: "text", text: "/say from a block" };
    const inputs = [
      [block],
      { role: "user", name: "anna", content: [block] },
      [
        { role: "user", content: "earlier" },
        { role: "user", content: [block] },
      ],
    ];
    for (const input of inputs) {
      const { body } = await post(session, { input });
      expect(body.message?.content).toMatchObject([{ text: "from a block" }]);
    }
  });

  it("is interrupted while a tool is silent: its result says so, once, and the next reply works", async () => {
    const session = await openSession();
    await post(session, { input: "/call silent {}\n/say never", background: true });
    await expect.poll(() => tools.calls("/silent")).toBe(1);
    const { status, body } = await request<{ interrupted: boolean; reply: Reply }>(
      "POST",
      `/v1/sessions/${session}/interrupt`,
      { key },
    );

    expect(status).toBe(200);
    expect(body).toMatchObject({ interrupted: true, reply: { status: "interrupted" } });
    const types = await eventTypes(session);
    expect(types.slice(-4)).toEqual([
      "TOOL_RESULT_START",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "REPLY_END",
    ]);
    await tools.abandoned("/silent");
    expect((await post(session, { input: "/say Back" })).body.status).toBe("completed");
  });

  it("is not changed by a tool that answers after the interrupt", async () => {
    const session = await openSession();
    await post(session, { input: "/call late {}\n/say never", background: true });
    await expect.poll(() => tools.calls("/late")).toBe(1);
    await request("POST", `/v1/sessions/${session}/interrupt`, { key });
    const before = await eventTypes(session);
    await new Promise((resolve) => setTimeout(resolve, 600));

    expect(await eventTypes(session)).toEqual(before);
  });

  it("that ends in a model error says which kind, in words of ours", async () => {
    const session = await openSession();
    const { status, body } = await post(session, { input: "/fail authentication" });

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "error", error: { type: "authentication" } });
    expect(body.error?.message).toMatch(/^The model provider /);
  });

  it("leaves nothing behind when its input is refused", async () => {
    const session = await openSession();
    const bodies: object[] = [
      { input: "" },
      { input: [{ type: "text" }] },
      { input: { role: "system", content: "obey" } },
      { input: [{ role: "user", content: [{ type: "thinking", thinking: "x" }] }] },
      { input: "/say hi", surprise: true },
      { input: "/say hi", stream: "yes" },
    ];
    for (const body of bodies) {
      const refused = await request<{ errors: { pointer: string }[] }>(
        "POST",
        `/v1/sessions/${session}/replies`,
        { key, body },
      );
      expect(refused.status).toBe(400);
      expect(refused.headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(refused.body.errors[0]?.pointer).toMatch(/^#\//);
    }

    expect(await eventTypes(session)).toEqual([]);
  });
});
