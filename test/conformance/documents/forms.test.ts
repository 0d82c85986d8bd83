// The documents' examples of messages: structured output of AgentScope 1.x, and the messages of AgentScope for Java, read
// from stored messages, replies and waiting calls, and sent back.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Confirmation } from "../../../protocol/confirmations/contract.ts";
import { MESSAGE_FORMATS, type MessageFormat } from "../../../protocol/dialects/dialects.ts";
import type { AgentScope1Msg, JavaMsg } from "../../../protocol/messages/message-forms.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { parseMessage } from "../../../protocol/parse.ts";
import type { Problem } from "../../../protocol/problem.ts";
import type { AgentScope1Reply, JavaReply } from "../../../protocol/replies/reply-forms.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { MessagePage, StoredMessage } from "../../../protocol/sessions/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { mintToken } from "../../support/refund-office.ts";
import { answer, startToolServer, type ToolServer } from "../../support/tool-server.ts";

/** The document's `PersonInfo`. */
const PERSON = {
  type: "object",
  properties: {
    name: { type: "string", description: "The person's name" },
    description: { type: "string", description: "A one-sentence description" },
    age: { type: "integer", description: "The person's age" },
    honors: { type: "array", items: { type: "string" }, description: "A list of honors" },
  },
  required: ["name", "description", "age", "honors"],
};
const EINSTEIN = { name: "Einstein", description: "A physicist.", age: 76, honors: ["Nobel"] };
const AT = "2026-01-31 12:00:00.000";

let tools: ToolServer;
let key: string;
let agent: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  tools = await startToolServer({ "/text": answer(JSON.stringify({ output: "found" })) });
  const http = (name: string, read_only: boolean) => {
    return { type: "http", name, url: `${tools.url}/text`, read_only, concurrency_safe: true };
  };
  agent = await createAgent(key, {
    tools: [
      http("look", true),
      http("refund", false),
      { type: "external", name: "label", read_only: true, concurrency_safe: true },
    ],
  });
});
afterAll(() => tools.stop());

async function get<Body>(path: string, as = key): Promise<Body> {
  const { status, body } = await request<Body>("GET", path, { key: as });
  expect([path, status]).toEqual([path, 200]);
  return body;
}

async function ask<Body = Reply>(session: string, body: object, query = ""): Promise<Body> {
  const path = `/v1/sessions/${session}/replies${query}`;
  return (await request<Body>("POST", path, { key, body })).body;
}

/** Parts of a message that every form brings back. */
function textOf(message: Msg): readonly unknown[] {
  return message.content.flatMap((block): readonly unknown[] => {
    if (block.type === "text") return [block.text];
    if (block.type === "tool_call") return [[block.id, block.name, block.input]];
    return block.type === "tool_result" ? [[block.id, block.name]] : [];
  });
}

describe("structured output, as the document of 1.x has it", () => {
  it("is in the metadata of the response, and its JSON is the text where the model gave none", async () => {
    const session = await createSession(key, agent);
    const input = {
      name: "user",
      role: "user",
      content: `/structured ${JSON.stringify(EINSTEIN)}`,
    };
    const body = { input: { ...input, timestamp: AT }, structured_schema: PERSON };

    const reply = await ask<AgentScope1Reply>(session, body, "?format=agentscope-1");

    const [, response] = (
      await get<{ data: AgentScope1Msg[] }>(`/v1/sessions/${session}/messages?format=agentscope-1`)
    ).data;
    expect(reply.message?.metadata).toEqual(EINSTEIN);
    expect(reply.message).toEqual(response);
    expect(response?.content.filter(({ type }) => type === "text")).toEqual([
      { type: "text", text: JSON.stringify(EINSTEIN) },
    ]);
    // The log says it as before.
    const native = await get<Reply>(`/v1/sessions/${session}/replies/${reply.id}`);
    expect(native.message?.structured_output).toEqual(EINSTEIN);
    expect(native.message?.content.some(({ type }) => type === "text")).toBe(false);
  });
});

describe("a reply that waits, in Java's form", () => {
  it.each([
    ["refund", "PERMISSION_ASKING", "ASKING", "awaiting_permission"],
    ["label", "TOOL_SUSPENDED", "SUBMITTED", "awaiting_external_result"],
  ])("for %s has the reason %s wherever it is read", async (tool, reason, state, status) => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}`;
    const format = "?format=agentscope-java";
    const created = await ask<JavaReply>(session, { input: `/call ${tool} {"q":1}` }, format);

    const read = await get<JavaReply>(`${path}/replies/${created.id}${format}`);
    const listed = await get<Page<JavaReply>>(`${path}/replies${format}`);
    const messages = await get<Page<JavaMsg>>(`${path}/messages${format}`);
    const single = await get<{ message: JavaMsg }>(`${path}/messages/${created.id}${format}`);
    const calls = await get<Page<Omit<Confirmation, "tool_call"> & { tool_call: object }>>(
      `/v1/confirmations${format}&session_id=${session}`,
    );

    expect(created).toMatchObject({
      status,
      pending: [{ tool_call: { type: "tool_use", state } }],
    });
    const message = created.message as JavaMsg;
    expect(message).toMatchObject({
      role: "ASSISTANT",
      metadata: { agentscope_generate_reason: reason },
    });
    expect(message.content.find(({ type }) => type === "tool_use")).toMatchObject({
      name: tool,
      input: { q: 1 },
      content: '{"q":1}',
      state,
    });
    expect([read, listed.data[0]]).toEqual([created, created]);
    expect([messages.data[1], single.message]).toEqual([message, message]);
    expect(calls.data.map(({ tool_call }) => tool_call)).toEqual(
      created.pending.map(({ tool_call }) => tool_call),
    );
  });
});

describe("the answer to an act, in Java's form", () => {
  const format = "?format=agentscope-java";

  it("has the reply in that form: a result that was posted, and an interrupt", async () => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}`;
    const asked = await ask<JavaReply>(
      session,
      { input: "/call label {}\n/call label {}" },
      format,
    );
    const [first] = asked.pending;
    const event = {
      type: "EXTERNAL_EXECUTION_RESULT",
      replyId: asked.id,
      executionResults: [{ type: "tool_result", id: first?.tool_call["id"], output: "x" }],
    };

    const receipt = await request<{ reply: JavaReply }>("POST", `${path}/events${format}`, {
      key,
      body: event,
    });
    const ended = await request<{ reply: JavaReply }>("POST", `${path}/interrupt${format}`, {
      key,
    });

    expect([receipt.status, receipt.body.reply]).toMatchObject([
      202,
      { id: asked.id, message: { role: "ASSISTANT" } },
    ]);
    expect(ended.body.reply.message).toMatchObject({
      metadata: { agentscope_generate_reason: "INTERRUPTED" },
    });
    expect(await get(`${path}/replies/${asked.id}${format}`)).toEqual(ended.body.reply);
  });

  it("has no message for a token that may not read", async () => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}`;
    await ask(session, { input: "/call label {}" });
    const token = await mintToken(key, path, ["interrupt"]);

    const { body } = await request<{ reply: JavaReply }>("POST", `${path}/interrupt${format}`, {
      key: token,
    });

    expect(body.reply).toMatchObject({ status: "interrupted", message: null, pending: [] });
  });
});

describe.each(MESSAGE_FORMATS)("messages in the form %s", (format) => {
  it("have the pages, cursors and bounds of the native ones", async () => {
    const session = await createSession(key, agent);
    for (const input of ["/say one", '/call look {"q":1}\n/say two', "/say three"]) {
      await ask(session, { input });
    }
    const read = async (form: MessageFormat, path: string) => {
      const pages: MessagePage[] = [];
      let page: string | null = "";
      while (page !== null) {
        const query: string = `limit=2&format=${form}${page && `&page=${page}`}`;
        const next: MessagePage = await get(`/v1/sessions/${session}/${path}?${query}`);
        pages.push(next);
        page = next.next_page;
      }
      return pages.map(({ data, ...rest }) => ({ ...rest, ids: data.map(({ id }) => id) }));
    };

    for (const path of ["messages", "replies"]) {
      expect(await read(format, path)).toEqual(await read("agentscope", path));
    }
  });

  it("that are sent to another session are the same conversation", async () => {
    const session = await createSession(key, agent);
    const input = [
      { type: "text", text: "Look at this." },
      { type: "data", source: { type: "base64", data: "aGVsbG8=", media_type: "image/png" } },
    ];
    await ask(session, { input });
    await ask(session, { input: '/think Hm.\n/call look {"q": 1}\n/call look ]]\n/say Done.' });
    const { data } = await get<MessagePage>(`/v1/sessions/${session}/messages?format=${format}`);
    const native = await get<MessagePage>(`/v1/sessions/${session}/messages`);
    const other = `/v1/sessions/${await createSession(key, agent)}`;

    const brought = await request<AgentState>("PUT", `${other}/state`, {
      key,
      body: { context: data },
    });

    expect([brought.status, brought.body]).toMatchObject([200, {}]);
    expect(brought.body.context.map(textOf)).toEqual(native.data.map(textOf));
    expect(brought.body.context.map(({ id, role }) => [id, role])).toEqual(
      native.data.map(({ id, role }) => [id, role]),
    );
    expect(data.map((message) => textOf(parseMessage(message)))).toEqual(native.data.map(textOf));
    // The conversation goes on.
    const reply = await request<Reply>("POST", `${other}/replies`, {
      key,
      body: { input: "/say On." },
    });
    expect(reply.body).toMatchObject({ status: "completed" });
  });

  it("that a user has sent are taken as input and by observe", async () => {
    const session = await createSession(key, agent);
    await ask(session, { input: "/say one" });
    const [said] = (await get<MessagePage>(`/v1/sessions/${session}/messages?format=${format}`))
      .data;
    const other = await createSession(key, agent);

    const observed = await request<{ messages: Msg[] }>("POST", `/v1/sessions/${other}/observe`, {
      key,
      body: { messages: [said] },
    });
    const started = await ask(other, { input: { ...said, id: "another" } });

    expect([observed.status, observed.body.messages.map(({ id, role }) => [id, role])]).toEqual([
      201,
      [[said?.id, "user"]],
    ]);
    expect(started.status).toBe("completed");
  });

  it("are shown to a client token that may read, as the key sees them, and to no other", async () => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}`;
    const { id } = await ask(session, { input: "/call refund {}" });
    const [reader, writer] = [
      await mintToken(key, path, ["read"]),
      await mintToken(key, path, ["reply", "confirm"]),
    ];
    const { key: stranger } = await createTenant();
    const places = ["messages", `messages/${id}`, "replies", `replies/${id}`];
    for (const place of places.map((one) => `${path}/${one}?format=${format}`)) {
      expect(await get(place, reader)).toEqual(await get(place));
      const refused = await request<Problem>("GET", place, { key: writer });
      expect([refused.status, refused.body.code]).toEqual([403, "verb_missing"]);
      const foreign = await request<Problem>("GET", place, { key: stranger });
      expect([foreign.status, foreign.body.code]).toEqual([404, "not_found"]);
    }
    const list = `/v1/confirmations?format=${format}`;
    expect(await get(list, stranger)).toMatchObject({ data: [] });
  });
});

describe("what is no form of stored messages", () => {
  it.each(["ag-ui", "a2a", "java"])("is refused at every read: %s", async (format) => {
    const session = await createSession(key, agent);
    const { id } = await ask(session, { input: "/say Hi" });
    const places = ["messages", `messages/${id}`, "replies", `replies/${id}`];
    const paths = [
      ...places.map((place) => `/v1/sessions/${session}/${place}`),
      "/v1/confirmations",
    ];
    for (const path of paths) {
      const { status, body } = await request<Problem>("GET", `${path}?format=${format}`, { key });
      const [error] = body.errors ?? [];
      expect([path, status, body.code, error?.pointer]).toEqual([
        path,
        400,
        "validation_failed",
        "#/query/format",
      ]);
      if (format === "ag-ui") expect(error?.detail).toContain("only a stream");
    }
  });

  it("is refused as a stream before anything is done: 1.x has no events", async () => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}/replies`;
    const events = `/v1/sessions/${session}/events?format=agentscope-1&stream=true`;
    const interrupt = { type: "USER_INTERRUPT", reply_id: "rep_1" };
    const posted = await request<Problem>("POST", events, { key, body: interrupt });

    const refused = await request<Problem>("POST", `${path}?format=agentscope-1`, {
      key,
      body: { input: "/say Hi", stream: true },
    });

    for (const { status, body } of [refused, posted]) {
      expect([status, body.errors?.[0]?.pointer]).toEqual([400, "#/query/format"]);
    }
    expect(await get(path)).toMatchObject({ data: [] });
  });
});

describe("one message", () => {
  it("is the same in a list and by itself", async () => {
    const session = await createSession(key, agent);
    const { id } = await ask(session, { input: '/call look {"q":1}\n/say Done.' });
    for (const format of MESSAGE_FORMATS) {
      const path = `/v1/sessions/${session}/messages`;
      const { data, cursor } = await get<MessagePage>(`${path}?format=${format}`);
      const read = await get<StoredMessage>(`${path}/${id}?format=${format}`);
      expect(read).toEqual({ message: data[1], cursor });
    }
  });
});
