// The dialect of AgentScope for Java over HTTP: the same log, as a stream and as pages, from every cut.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Reply } from "../../protocol/replies/contract.ts";
import { foldEvents } from "../../protocol/fold/append-event.ts";
import { parseEvent } from "../../protocol/parse.ts";
import { createSseDecoder, type SseFrame } from "../../protocol/sse.ts";
import { BROAD, sampled } from "../support/breadth.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../support/platform-client.ts";
import { mintToken } from "../support/refund-office.ts";
import { answer, startToolServer, type ToolServer } from "../support/tool-server.ts";

const FORMAT = "format=agentscope-java";
const STREAM = { accept: "text/event-stream" };
const DENIED = { tool_name: "forbidden", rule_content: null, behavior: "deny", source: "agent" };

let tools: ToolServer;
let key: string;
let agent: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  tools = await startToolServer({ "/text": answer(JSON.stringify({ output: "the answer" })) });
  const tool = (name: string, read_only: boolean) => ({
    type: "http",
    name,
    url: `${tools.url}/text`,
    read_only,
    concurrency_safe: true,
  });
  agent = await createAgent(key, {
    max_iters: 3,
    tools: [
      tool("text", true),
      tool("dangerous", false),
      tool("forbidden", false),
      { type: "external", name: "label", read_only: true, concurrency_safe: true },
    ],
    permission: { rules: [DENIED] },
  });
});
afterAll(() => tools.stop());

type JavaEvent = Record<string, unknown> & { readonly type: string };

/** A body to its end, or until a frame for which `until` is true. */
async function readFrames(
  response: Response,
  until: (frame: SseFrame) => boolean = () => false,
): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  const decoder = createSseDecoder();
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    for (const { id, event, data } of decoder.push(text)) {
      frames.push({ id, event, data });
      if (until({ id, event, data })) return frames;
    }
  }
  return frames;
}

function openEvents(session: string, query = FORMAT, headers: Record<string, string> = {}) {
  const path = `/v1/sessions/${session}/events?${query}`;
  return openRequest("GET", path, { key, headers: { ...STREAM, ...headers } });
}

const readAll = async (session: string) => readFrames(await openEvents(session));
const eventOf = ({ data }: SseFrame) => JSON.parse(data) as JavaEvent;
const typesOf = (frames: readonly SseFrame[]) => frames.map(({ event }) => event);
const wordsOf = (frames: readonly SseFrame[]) =>
  frames
    .map(eventOf)
    .flatMap(({ type, generateReason, result }) =>
      type === "REQUEST_STOP" || type === "AGENT_RESULT" || type === "ALL_TOOLS_DENIED"
        ? [[type, generateReason ?? reasonOf(result)]]
        : [],
    );

function reasonOf(message: unknown): unknown {
  const { metadata } = (message ?? {}) as { metadata?: Record<string, unknown> };
  return metadata?.["agentscope_generate_reason"];
}

/** Free-form members may hold anything. */
function hasNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  return Object.entries(value).some(
    ([key, member]) => key !== "metadata" && key !== "value" && hasNull(member),
  );
}

async function reply(session: string, input: string): Promise<Reply> {
  const path = `/v1/sessions/${session}/replies`;
  return (await request<Reply>("POST", path, { key, body: { input } })).body;
}

/** A client of this dialect says yes with what it was asked. */
async function confirm(session: string, stream: readonly SseFrame[], confirmed: boolean) {
  const asked = stream.map(eventOf).findLast(({ type }) => type === "REQUIRE_USER_CONFIRM");
  const { replyId, toolCalls } = asked as JavaEvent & { toolCalls: readonly object[] };
  const confirmResults = toolCalls.map((toolCall) => ({ confirmed, toolCall }));
  return openRequest("POST", `/v1/sessions/${session}/events?${FORMAT}&stream=true`, {
    key,
    body: { type: "USER_CONFIRM_RESULT", replyId, confirmResults },
  });
}

/** Stories of each way that a reply can go; each gives its session. */
const STORIES: Readonly<Record<string, () => Promise<string>>> = {
  async "an answer with thoughts, tools and data"() {
    const session = await createSession(key, agent);
    const input = '/think Hm.\n/call text {"q":1}\n/call text ]]\n/say Wörld 👋\n/hint h\n';
    await reply(session, `${input}/data image/png aGVsbG8=`);
    await reply(session, "/say The second.");
    return session;
  },
  async "a call that a rule denies"() {
    const session = await createSession(key, agent);
    await reply(session, "/call forbidden {}\n/say So not.");
    return session;
  },
  async "a call that was confirmed"() {
    const session = await createSession(key, agent);
    await reply(session, "/call dangerous {}\n/say Done.");
    await (await confirm(session, await readAll(session), true)).text();
    return session;
  },
  async "a call that a person refused"() {
    const session = await createSession(key, agent);
    await reply(session, "/call dangerous {}\n/say Not done.");
    await (await confirm(session, await readAll(session), false)).text();
    return session;
  },
  async "calls that wait for a person and for a system outside"() {
    const session = await createSession(key, agent);
    await reply(session, "/call dangerous {}\n/call label {}\n/say Not reached.");
    return session;
  },
  async "a parked reply that was interrupted"() {
    const session = await createSession(key, agent);
    await reply(session, "/call dangerous {}\n/say Not reached.");
    await request("POST", `/v1/sessions/${session}/interrupt`, { key });
    return session;
  },
  async "too many rounds"() {
    const session = await createSession(key, agent);
    await reply(session, '/call text {"q":1}\n/loop');
    return session;
  },
  async "an answer that was taken back"() {
    const session = await createSession(key, agent);
    await reply(session, "/think Hm.\n/say Half a senten\n/fail upstream");
    return session;
  },
};

/** The stops, results and denials of each story. */
const WORDS: Readonly<Record<keyof typeof STORIES, unknown>> = {
  "an answer with thoughts, tools and data": [
    ["AGENT_RESULT", "MODEL_STOP"],
    ["AGENT_RESULT", "MODEL_STOP"],
  ],
  "a call that a rule denies": [
    ["ALL_TOOLS_DENIED", undefined],
    ["AGENT_RESULT", "MODEL_STOP"],
  ],
  "a call that was confirmed": [
    ["REQUEST_STOP", "PERMISSION_ASKING"],
    ["AGENT_RESULT", "MODEL_STOP"],
  ],
  "a call that a person refused": [
    ["REQUEST_STOP", "PERMISSION_ASKING"],
    ["ALL_TOOLS_DENIED", undefined],
    ["AGENT_RESULT", "MODEL_STOP"],
  ],
  "calls that wait for a person and for a system outside": [
    ["REQUEST_STOP", "TOOL_SUSPENDED"],
    ["REQUEST_STOP", "PERMISSION_ASKING"],
  ],
  "a parked reply that was interrupted": [
    ["REQUEST_STOP", "PERMISSION_ASKING"],
    ["REQUEST_STOP", "INTERRUPTED"],
    ["AGENT_RESULT", "INTERRUPTED"],
  ],
  "too many rounds": [["AGENT_RESULT", "MAX_ITERATIONS"]],
  "an answer that was taken back": [["AGENT_RESULT", undefined]],
};

for (const [rows, breadth] of sampled(Object.keys(STORIES), 2))
  describe.each(rows)("the Java stream of %s", breadth, (name) => {
    let session: string;
    let uncut: SseFrame[];

    beforeAll(async () => {
      session = (await STORIES[name]?.()) ?? "";
      uncut = await readAll(session);
    });

    it("is the whole log in Java's words, and folds to the stored messages", async () => {
      const { body } = await request<{ data: { role: string }[] }>(
        "GET",
        `/v1/sessions/${session}/messages`,
        { key },
      );
      const events = uncut.map((frame) => parseEvent(eventOf(frame)));
      const ids = [...new Set(events.flatMap((event) => event.reply_id ?? []))];
      const folded = ids.map((id) => foldEvents(events.filter(({ reply_id }) => reply_id === id)));

      expect(wordsOf(uncut)).toEqual(WORDS[name]);
      expect(folded).toEqual(body.data.filter(({ role }) => role === "assistant"));
      expect(typesOf(uncut)).toEqual(uncut.map((frame) => eventOf(frame).type));
      expect(uncut.map(eventOf).filter(hasNull)).toEqual([]);
    });

    it("numbers the frames by seq, with parts where several come of one", async () => {
      const native = await readFrames(await openEvents(session, "format=agentscope"));
      const seqs = uncut.map(({ id }) => String(id).split("."));
      const parts = Map.groupBy(seqs, ([seq]) => seq);

      expect([...parts.keys()]).toEqual(native.map(({ id }) => id));
      for (const [seq, ids] of parts) {
        const expected =
          ids.length === 1 ? [[seq]] : ids.map((_id, index) => [seq, String(index + 1)]);
        expect(ids).toEqual(expected);
      }
    });

    it("goes on from every frame with exactly the frames after it", BROAD, async () => {
      for (const [index, { id }] of uncut.entries()) {
        const response = await openEvents(session, FORMAT, { "last-event-id": String(id) });
        const isLast = index === uncut.length - 1;
        expect([response.status, await readFrames(response)]).toEqual([
          isLast ? 204 : 200,
          uncut.slice(index + 1),
        ]);
      }
    });

    it("has the same events on pages", async () => {
      const events: JavaEvent[] = [];
      for (let query = `${FORMAT}&limit=7`; ;) {
        const { body } = await request<{ data: JavaEvent[]; next_page: string | null }>(
          "GET",
          `/v1/sessions/${session}/events?${query}`,
          { key },
        );
        events.push(...body.data);
        if (body.next_page === null) break;
        query = `${FORMAT}&limit=7&page=${body.next_page}`;
      }
      expect(events).toEqual(uncut.map(eventOf));
    });
  });

describe("the Java format", () => {
  it("streams a reply and an answer as they come", async () => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}/replies?${FORMAT}`;
    const body = { input: "/call dangerous {}\n/say Done.", stream: true };
    const asked = await readFrames(await openRequest("POST", path, { key, body }));
    const answered = await readFrames(await confirm(session, asked, true));
    const all = (await readAll(session)).filter((frame) => eventOf(frame)["replyId"] !== undefined);

    expect([asked.at(-1)?.event, answered.at(-1)?.event]).toEqual(["REQUEST_STOP", "AGENT_END"]);
    expect([...asked, ...answered]).toEqual(all);
  });

  it(
    "goes on inside a reply that runs, and knows all of its message in the end",
    BROAD,
    async () => {
      const session = await createSession(key, agent);
      const path = `/v1/sessions/${session}/replies?${FORMAT}`;
      const body = { input: "/rate 200\n/words 60", stream: true };
      const opened = await openRequest("POST", path, { key, body });
      const before = await readFrames(opened, ({ event }) => event === "TEXT_BLOCK_DELTA");
      const response = await openEvents(session, FORMAT, {
        "last-event-id": `${before.at(-1)?.id}`,
      });
      const after = await readFrames(response);
      const all = (await readAll(session)).filter(
        (frame) => eventOf(frame)["replyId"] !== undefined,
      );

      expect(after.length).toBeGreaterThan(5);
      expect([...before, ...after]).toEqual(all);
    },
  );

  it("replays a reply that was started in another format, by its key", async () => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}/replies`;
    const headers = { "idempotency-key": "a-java-client" };
    const body = { input: "/say Hi." };
    await request("POST", path, { key, body, headers });
    const again = { ...STREAM, ...headers };
    const replayed = await readFrames(
      await openRequest("POST", `${path}?${FORMAT}`, { key, body, headers: again }),
    );
    const rest = { ...again, "last-event-id": `${replayed.at(-2)?.id}` };
    const resumed = await openRequest("POST", `${path}?${FORMAT}`, { key, body, headers: rest });

    const all = (await readAll(session)).filter((frame) => eventOf(frame)["replyId"] !== undefined);
    expect([replayed, await readFrames(resumed)]).toEqual([all, all.slice(-1)]);
  });

  it("goes on after a part with ?after= too, on a page", async () => {
    const session = await createSession(key, agent);
    await reply(session, "/say Hi.");
    const all = await readAll(session);
    const path = `/v1/sessions/${session}/events?${FORMAT}&after=${all.at(-2)?.id}`;
    const { body } = await request<{ data: JavaEvent[] }>("GET", path, { key });
    expect(body.data.map(({ type }) => type)).toEqual(["AGENT_END"]);
  });

  it("opens with the reconnection time, and takes a stream ticket", async () => {
    const session = await createSession(key, agent);
    await reply(session, "/say Hi.");
    const token = await mintToken(key, `/v1/sessions/${session}`, ["read"]);
    const { body } = await request<{ path: string }>(
      "POST",
      `/v1/sessions/${session}/stream-tickets`,
      { key: token, body: { path: `/v1/sessions/${session}/events?${FORMAT}` } },
    );
    const response = await openRequest("GET", body.path, { headers: STREAM });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toMatch(/^retry: \d+\n\nid: 1\nevent: CUSTOM\ndata: \{.*\}\n\n/);
  });

  it("is refused where it is none, as are positions that no frame has", async () => {
    const session = await createSession(key, agent);
    await reply(session, "/say Hi.");
    const last = (await readAll(session)).at(-1)?.id ?? "";
    const [end] = last.split(".");
    const refusal = async (query: string, headers?: Record<string, string>) => {
      const path = `/v1/sessions/${session}/events?${query}`;
      const { status, body } = await request<{ code: string; errors: { pointer: string }[] }>(
        "GET",
        path,
        { key, headers },
      );
      return [status, body.code, body.errors.map(({ pointer }) => pointer)];
    };
    const bad = [400, "invalid_cursor", ["#/query/after"]];

    expect(await refusal("format=ag")).toEqual([400, "validation_failed", ["#/query/format"]]);
    expect(await refusal(`after=${last}`)).toEqual(bad);
    expect(await refusal(`${FORMAT}&after=1.1`)).toEqual(bad);
    expect(await refusal(`${FORMAT}&after=${end}.9`)).toEqual(bad);
    expect(await refusal(`${FORMAT}&after=0.1`)).toEqual(bad);
    expect(await refusal(`${FORMAT}&after=1.0`)).toEqual(bad);
    expect(await refusal(FORMAT, { "last-event-id": `${end}.x` })).toEqual([
      400,
      "invalid_cursor",
      ["#/headers/last-event-id"],
    ]);
    expect(await refusal(`${FORMAT}&after=99999.1`)).toEqual([
      400,
      "cursor_ahead",
      ["#/query/after"],
    ]);
    const path = `/v1/sessions/${session}/replies?format=x`;
    const started = await request<{ code: string }>("POST", path, { key, body: { input: "Hi" } });
    expect([started.status, started.body.code]).toEqual([400, "validation_failed"]);
  });
});
