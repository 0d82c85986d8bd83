/** @module-tag broad */
// Conversations that come in one request: thousands of messages of a transcript or a state, and observed ones of several
// megabytes at once. They are written a part at a time, and are complete and in order afterwards.
import { describe, expect, it } from "vitest";

import type { Page } from "../../protocol/schemas/common.ts";
import type { Problem } from "../../protocol/problem.ts";
import type { AgentState } from "../../protocol/sessions/session-state.ts";
import { MAX_TRANSCRIPT_MESSAGES } from "../../protocol/ag-ui/limits.ts";
import { MAX_STATE_MESSAGES } from "../../protocol/sessions/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../support/platform-client.ts";

const TEXT = "word ".repeat(200);

function transcript(thread: string, count: number, fields: object = {}) {
  const messages = Array.from({ length: count }, (_, index) => {
    const content = index === count - 1 ? "/say done" : TEXT;
    return { id: `m${index}`, role: "user", content };
  });
  const rest = { state: {}, tools: [], context: [], forwardedProps: {} };
  return { threadId: thread, runId: crypto.randomUUID(), messages, ...rest, ...fields };
}

async function run(key: string, agent: string, body: object) {
  const stream = await openRequest("POST", `/v1/agents/${agent}/ag-ui`, {
    key,
    headers: { accept: "text/event-stream" },
    body,
  });
  const session = stream.headers.get("reprise-session-id") ?? "";
  return { status: stream.status, session, frames: await readSse(stream) };
}

async function allMessages(key: string, session: string): Promise<readonly Msg[]> {
  const found: Msg[] = [];
  for (let page = ""; ;) {
    const path = `/v1/sessions/${session}/messages?limit=100${page && `&page=${page}`}`;
    const { body } = await request<Page<Msg>>("GET", path, { key });
    found.unshift(...body.data);
    if (body.next_page === null) return found;
    page = body.next_page;
  }
}

describe("a transcript with as many messages as a run may bring", () => {
  it("is in the session in its order, once, also when it comes in two threads at once and again", async () => {
    const { key } = await createTenant();
    const agent = await createAgent(key, { tools: [] });
    const bodies = ["one", "two"].map((thread) => transcript(thread, MAX_TRANSCRIPT_MESSAGES));
    const runs = await Promise.all(bodies.map((body) => run(key, agent, body)));
    const again = await run(key, agent, bodies[0]!);
    expect(runs.map(({ status }) => status)).toEqual([200, 200]);
    expect(again.session).toBe(runs[0]!.session);
    for (const { session } of runs) {
      const ids = (await allMessages(key, session)).map(({ id }) => id);
      expect(ids.slice(0, -1)).toEqual(bodies[0]!.messages.map(({ id }) => id));
    }
  });

  it("leaves nothing in the session when its run is refused", async () => {
    const { key } = await createTenant();
    const tool = { type: "external", name: "look_up", description: "x", input_schema: {} };
    const agent = await createAgent(key, { tools: [tool] });
    const tools = [{ name: "look_up", description: "y", parameters: {} }];
    const session = await createSession(key, agent);
    const body = transcript(session, 500, { tools });
    const refused = await request<Problem>("POST", `/v1/agents/${agent}/ag-ui`, { key, body });

    expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
    expect(await allMessages(key, session)).toEqual([]);
  });
});

describe("a state with as many messages as an import may bring", () => {
  it("is in the session as a whole, and the same one again changes nothing", async () => {
    const { key } = await createTenant();
    const path = `/v1/sessions/${await createSession(key)}/state`;
    const context = Array.from({ length: MAX_STATE_MESSAGES }, (_, index) => ({
      id: `m${index}`,
      role: index % 2 === 0 ? "user" : "assistant",
      name: "x",
      content: [{ type: "text", text: TEXT }],
    }));
    const first = await request<AgentState>("PUT", path, { key, body: { context } });
    const again = await request<AgentState>("PUT", path, { key, body: { context } });
    const other = { context: [{ ...context[0], id: "other" }] };
    const refused = await request<Problem>("PUT", path, { key, body: other });

    expect([first.status, again.status, refused.status]).toEqual([200, 200, 409]);
    expect(first.body.context.map(({ id }) => id)).toEqual(context.map(({ id }) => id));
    expect(again.body).toEqual(first.body);
  });
});

describe("observed messages of seven megabytes", () => {
  it("are taken in three sessions at once, and twice at once in one of them", async () => {
    const { key } = await createTenant();
    const sessions = await Promise.all(Array.from({ length: 3 }, () => createSession(key)));
    const [first = ""] = sessions;
    const content = "word ".repeat(1_400_000);
    const answers = await Promise.all(
      [...sessions, first].map((session) =>
        request<{ messages: readonly Msg[] }>("POST", `/v1/sessions/${session}/observe`, {
          key,
          body: { messages: [{ role: "user", content }] },
        }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const stored = await allMessages(key, first);
    const told = [answers[0]!, answers[3]!].flatMap(({ body }) => body.messages);
    expect(stored.toSorted(byId)).toEqual(told.toSorted(byId));
    const [block] = stored[1]!.content;
    expect(block?.type === "text" && block.text === content).toBe(true);
  });
});

function byId(one: Msg, other: Msg): number {
  return one.id < other.id ? -1 : 1;
}
