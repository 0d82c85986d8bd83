/** @module-tag broad */
// Large messages from outside: photographs in many sessions at once, many readers of each, and readers who do not read.
// A second tenant's reads beside them stay right.
import { describe, expect, it } from "vitest";

import type { ClientToken } from "../../protocol/client-tokens/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { AgentState } from "../../protocol/sessions/session-state.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_TOKEN_SUBSCRIBERS } from "../../protocol/events/limits.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../support/platform-client.ts";

const PHOTO = "iVBO".repeat(1_750_000);
/** As many bytes; two of RPC's for each unit. */
const WHALES = "鯨".repeat(2_600_000);

const photo = [
  { type: "text", text: "/say nice" },
  { type: "data", source: { type: "base64", data: PHOTO, media_type: "image/png" } },
];

async function neighbour() {
  const { key } = await createTenant("The neighbour");
  const path = `/v1/sessions/${await createSession(key)}`;
  await request("POST", `${path}/replies`, { key, body: { input: "/say hello" } });
  const read = async () => {
    const { body } = await request<Page<Msg>>("GET", `${path}/messages`, { key });
    return body.data.map(({ role, content }) => [role, content.length]);
  };
  return { read };
}

const SPOKEN = [
  ["user", 1],
  ["assistant", 1],
];

describe("photographs of seven megabytes", () => {
  it("are taken in eight sessions at once, and read by many at once", async () => {
    const beside = await neighbour();
    const { key } = await createTenant();
    const agent = await createAgent(key);
    const sessions = await Promise.all(Array.from({ length: 8 }, () => createSession(key, agent)));
    const replies = sessions.map((session) =>
      request<Reply>("POST", `/v1/sessions/${session}/replies`, { key, body: { input: photo } }),
    );
    const besideWrites = await beside.read();
    const answers = await Promise.all(replies);
    const [session] = sessions;
    const newest = await request<Page<Msg>>("GET", `/v1/sessions/${session}/messages?limit=1`, {
      key,
    });
    const older = `/v1/sessions/${session}/messages?page=${newest.body.next_page}`;
    const pages = Array.from({ length: 8 }, () => request<Page<Msg>>("GET", older, { key }));
    const besideReads = await beside.read();

    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
      sessions.map(() => [200, "completed"]),
    );
    for (const page of pages) {
      const [, block] = (await page).body.data[0]!.content;
      const url = block?.type === "data" && block.source.type === "url" ? block.source.url : "";
      const headers = { Authorization: `Bearer ${key}` };
      const content = await (await fetch(url, { headers })).arrayBuffer();
      expect(Buffer.from(content).toString("base64") === PHOTO).toBe(true);
    }
    expect([besideWrites, besideReads]).toEqual([SPOKEN, SPOKEN]);
  });
});

describe("a message as large as a body may be, of letters that are not Latin", () => {
  it("is in every answer that shows it, and goes along with the conversation", async () => {
    const { key } = await createTenant();
    const session = await createSession(key);
    const path = `/v1/sessions/${session}`;
    const observed = await request("POST", `${path}/observe`, {
      key,
      body: { messages: [{ content: WHALES }] },
    });
    const whole = (message: Msg | undefined) => {
      const [block] = message?.content ?? [];
      return block?.type === "text" && block.text === WHALES;
    };

    const page = await request<Page<Msg>>("GET", `${path}/messages`, { key });
    const id = page.body.data[0]!.id;
    const alone = await request<{ message: Msg }>("GET", `${path}/messages/${id}`, { key });
    const state = await request<AgentState>("GET", `${path}/state`, { key });
    const events = await request<Page<{ value: { message: Msg } }>>("GET", `${path}/events`, {
      key,
    });
    const fork = await request<Session>("POST", `${path}/fork`, { key, body: {} });
    const copied = await request<Page<Msg>>("GET", `/v1/sessions/${fork.body.id}/messages`, {
      key,
    });
    const { context } = state.body;
    const brought = await request<AgentState>(
      "PUT",
      `/v1/sessions/${await createSession(key)}/state`,
      { key, body: { context } },
    );
    const joined = await openRequest("GET", `${path}/events?format=ag-ui`, {
      key,
      headers: { accept: "text/event-stream" },
    });
    const frames = await readSse(joined);

    const statuses = [observed, page, alone, state, events, fork, copied, brought, joined];
    expect(statuses.map(({ status }) => status)).toEqual([
      201, 200, 200, 200, 200, 201, 200, 200, 200,
    ]);
    expect(
      [
        page.body.data[0],
        alone.body.message,
        context[0],
        events.body.data[0]?.value.message,
        copied.body.data[0],
        brought.body.context[0],
      ].map(whole),
    ).toEqual(Array.from({ length: 6 }, () => true));
    expect(frames.some(({ data }) => data.includes(WHALES))).toBe(true);
  });
});

describe("streams that nobody reads", () => {
  it("of one client token leave room for those of its tenant, and of other tokens", async () => {
    const { key } = await createTenant();
    const path = `/v1/sessions/${await createSession(key)}`;
    await request("POST", `${path}/replies`, {
      key,
      body: { input: "/rate 5\n/words 5000", background: true },
    });
    const mint = async () =>
      (await request<ClientToken>("POST", `${path}/tokens`, { key, body: {} })).body.token;
    const open = (credential: string) =>
      openRequest("GET", `${path}/events`, {
        key: credential,
        headers: { accept: "text/event-stream" },
      });
    const token = await mint();

    const opened: Response[] = [];
    for (let count = 0; count <= MAX_TOKEN_SUBSCRIBERS; count += 1) opened.push(await open(token));
    const other = await open(await mint());
    const owner = await open(key);
    const refused = opened.at(-1);
    const problem = (await refused?.json()) as { code: string };
    for (const response of [...opened.slice(0, -1), other, owner]) await response.body?.cancel();
    await request("POST", `${path}/interrupt`, { key });

    const statuses = opened.slice(0, -1).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: MAX_TOKEN_SUBSCRIBERS }, () => 200));
    expect([refused?.status, problem.code]).toEqual([429, "too_many_subscribers"]);
    expect([other.status, owner.status]).toEqual([200, 200]);
  });
});
