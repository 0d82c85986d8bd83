// Hints that a tenant's back end gives by `observe`: messages that the next model call reads, untrusted by default.
import { describe, expect, onTestFinished, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { says, startFakeOpenAi } from "../../support/fake-openai.ts";
import { createTenant, request } from "../../support/platform-client.ts";
import { openSession, say, statusOf, type Started } from "../replies/ending-desk.ts";

const SCANNED = { type: "CUSTOM", name: "parcel_scanned", value: { place: "Bremen" } } as const;

interface SentRequest {
  readonly messages: readonly { readonly role: string }[];
}

interface Answer {
  readonly code: string;
  readonly messages: unknown[];
}

function observe(
  { key, path }: Pick<Started, "key" | "path">,
  body: object,
  headers: Record<string, string> = {},
) {
  return request<Answer>("POST", `${path}/observe`, { key, body, headers });
}

const toldIn = (events: readonly LoggedEvent[]) =>
  events.flatMap((event) =>
    event.type === "CUSTOM" && "told_by" in event.metadata
      ? [[event.name, event.value, event.metadata["told_by"]]]
      : [],
  );

async function allEvents({ key, path }: Pick<Started, "key" | "path">): Promise<LoggedEvent[]> {
  const { body } = await request<{ data: LoggedEvent[] }>("GET", `${path}/events?limit=100`, {
    key,
  });
  return body.data;
}

describe("a back end's hint", () => {
  const HINT = { type: "HINT_BLOCK", source: "ward", hint: "Bed 4 is free." } as const;
  const PAY = {
    tools: [{ type: "external", name: "pay", sink: true }],
    permission: { rules: [{ tool_name: "pay", behavior: "allow" }] },
  };

  test("is a message of its own behind the request's, and untrusted content", async () => {
    const session = await openSession(PAY);
    const told = await observe(session, { messages: "A note.", events: [SCANNED, HINT] });
    const reply = await say(session, "/call pay {}");

    expect(told.status).toBe(201);
    expect(told.body.messages).toMatchObject([
      { role: "user", content: [{ type: "text", text: "A note." }] },
      {
        role: "assistant",
        name: "tenant:ward",
        metadata: { untrusted: { tool_name: "tenant:ward" } },
        content: [
          {
            type: "hint",
            source: "tenant:ward",
            hint: "Bed 4 is free.",
            metadata: { told_by: { kind: "tenant" } },
          },
        ],
      },
    ]);
    expect(toldIn(await allEvents(session))).toEqual([
      ["parcel_scanned", { place: "Bremen" }, { kind: "tenant" }],
    ]);
    expect(reply.pending[0]?.question).toContain("Untrusted content: the result of tenant:ward");
  });

  test("that its back end vouches for lets calls of sinks pass", async () => {
    const session = await openSession(PAY);
    await observe(session, { events: [{ ...HINT, trusted: true }] });
    const reply = await say(session, "/call pay {}");

    expect(await statusOf(session, reply.id)).toBe("awaiting_external_result");
  });

  test("is read by the next model call as a message of a user", async () => {
    const server = await startFakeOpenAi(says("Thanks."));
    onTestFinished(() => server.stop());
    const session = await openSession({
      model: { provider: "openai", name: "m", base_url: server.baseUrl },
    });
    const blocks = [{ type: "text", text: "Bed 5 is taken." }];
    await observe(session, { events: [HINT, { ...HINT, hint: blocks }] });
    await say(session, "Which?");

    const sent = server.requests[0]?.body as SentRequest | undefined;
    const ofUser = JSON.stringify(sent?.messages.filter(({ role }) => role === "user"));
    expect(ofUser).toMatch(/Bed 4 is free\..*Bed 5 is taken\..*Which\?/);
  });

  test.each(["agentscope-1", "agentscope-java"])("is read in the form %s", async (format) => {
    const session = await openSession({});
    await observe(session, { events: [HINT] });
    const { key, path } = session;
    const { status, body } = await request("GET", `${path}/messages?format=${format}`, { key });

    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain("Bed 4 is free.");
  });

  test("goes with a fork, and makes its calls of sinks ask", async () => {
    const session = await openSession(PAY);
    const { key, path } = session;
    await observe(session, { events: [HINT] });
    const fork = await request<{ id: string }>("POST", `${path}/fork`, { key, body: {} });
    const reply = await say({ ...session, path: `/v1/sessions/${fork.body.id}` }, "/call pay {}");

    expect(reply.pending[0]?.question).toContain("Untrusted content: the result of tenant:ward");
  });

  test("with a client token is refused", async () => {
    const { key, path } = await openSession({});
    const { body } = await request<{ token: string }>("POST", `${path}/tokens`, { key, body: {} });

    expect((await observe({ path, key: body.token }, { events: [HINT] })).status).toBe(403);
  });

  test("is refused as messages are while a reply waits, and nothing is told", async () => {
    const session = await openSession(PAY);
    await say(session, "/call pay {}");
    const refused = await observe(session, { events: [SCANNED, HINT] });

    expect([refused.status, refused.body.code]).toEqual([409, "reply_awaiting"]);
    expect(toldIn(await allEvents(session))).toEqual([]);
  });

  test("sent again with its key is added once", async () => {
    const session = await openSession({});
    const key = { "idempotency-key": "bed-4" };
    const first = await observe(session, { events: [HINT] }, key);
    const again = await observe(session, { events: [HINT] }, key);

    expect(again.body).toEqual(first.body);
    expect((await allEvents(session)).map(({ type }) => type)).toEqual(["CUSTOM"]);
  });

  test("of another tenant finds no session", async () => {
    const { path } = await openSession({});
    const { key } = await createTenant();

    expect((await observe({ key, path }, { events: [HINT] })).status).toBe(404);
  });

  test.each([
    ["without a source", { ...HINT, source: undefined }],
    ["with a slash in its source", { ...HINT, source: "a/b" }],
    ["without a word", { ...HINT, hint: "" }],
    ["of more than 16 blocks", { ...HINT, hint: Array(17).fill({ type: "text", text: "a" }) }],
    ["with a call", { ...HINT, hint: [{ type: "tool_call", id: "a", name: "b", input: "" }] }],
    ["with a mark of its own", { ...HINT, metadata: { told_by: { kind: "tool" } } }],
  ])("%s is refused", async (_, event) => {
    const session = await openSession({});

    expect((await observe(session, { events: [event] })).status).toBe(400);
    expect(await allEvents(session)).toEqual([]);
  });
});
