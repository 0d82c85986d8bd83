// Runs over HTTP, as they are on the wire: what a client of AG-UI sends, and every byte that it gets.
import { beforeAll, describe, expect, it } from "vitest";

import { readRun, refusalOf, typesOf, type RunAnswer } from "../../support/run-answer.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";

let key: string;
let agent: string;

const GUARDED = {
  type: "http",
  name: "refund_order",
  url: "http://127.0.0.1:1",
  input_schema: { type: "object" },
};
const OUTSIDE = {
  type: "external",
  name: "print_label",
  input_schema: { type: "object" },
  read_only: true,
};

beforeAll(async () => {
  ({ key } = await createTenant());
  agent = await createAgent(key, { tools: [GUARDED, OUTSIDE] });
});

interface Wish {
  readonly key?: string;
  readonly agent?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function newId(): string {
  return crypto.randomUUID();
}

function user(content: unknown, id = newId()) {
  return { id, role: "user", content };
}

/** @param input Beside the thread and a run of its own. */
async function run(threadId: string, input: object, wish: Wish = {}): Promise<RunAnswer> {
  const body = { threadId, runId: newId(), protocolVersion: "1.0", messages: [], ...input };
  const path = `/v1/agents/${wish.agent ?? agent}/ag-ui${wish.query ?? ""}`;
  return readRun(await openRequest("POST", path, { key, ...wish, body }));
}

async function join(threadId: string, query = "", wish: Wish = {}): Promise<RunAnswer> {
  const path = `/v1/agents/${wish.agent ?? agent}/ag-ui?thread_id=${threadId}${query}`;
  return readRun(await openRequest("GET", path, { key, ...wish }));
}

/** The frames of a refused run, as they are. */
function errorOf({ status, frames }: RunAnswer) {
  return [status, frames.map(({ event }) => [event.type, event["code"]])];
}

const refused = (code: string) => [
  200,
  [
    ["RUN_STARTED", undefined],
    ["RUN_ERROR", code],
  ],
];

describe("a run", () => {
  it("is a stream that begins and ends with it, under the client's ids", async () => {
    const ids = { threadId: newId(), runId: newId() };
    const answer = await run(ids.threadId, { ...ids, messages: [user("/think Hm.\n/say Hello.")] });
    const { headers, frames } = answer;

    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("reprise-session-id")).toMatch(/^ses_[0-9a-z]{26}$/);
    expect(headers.get("reprise-reply-id")).toMatch(/^rep_[0-9a-z]{26}$/);
    expect(frames[0]?.event).toMatchObject({ type: "RUN_STARTED", ...ids, protocolVersion: "1.0" });
    expect(frames.at(-1)?.event).toMatchObject({
      type: "RUN_FINISHED",
      ...ids,
      outcome: { type: "success" },
    });
    expect(new Set(frames.map(({ id }) => id)).size).toBe(frames.length);
    const positions = frames.map(({ id }) => id.split(".").map(Number) as [number, number]);
    expect(positions).toEqual(positions.toSorted(([a, b], [c, d]) => a - c || b - d));
  });

  it.each([
    "*/*",
    "application/json",
    "application/vnd.ag-ui.event+proto",
    "text/event-stream;q=0",
  ])("is answered with events to whoever accepts %s", async (accept) => {
    const answer = await run(newId(), { messages: [user("/say Hi.")] }, { headers: { accept } });

    expect([answer.status, typesOf(answer).at(-1)]).toEqual([200, "RUN_FINISHED"]);
  });

  it("is shown again when it is asked for again, from its start or from any frame", async () => {
    const thread = newId();
    const input = { runId: newId(), messages: [user("/say One, two, three.")] };
    const first = await run(thread, input);
    await run(thread, { messages: [user("/say Something else.")] });
    const cuts = [undefined, ...first.frames.slice(0, -1).map(({ id }) => id)];
    for (const [index, id] of cuts.entries()) {
      const headers: Record<string, string> = id === undefined ? {} : { "last-event-id": id };
      const again = await run(thread, input, { headers });
      expect(again.frames).toEqual(first.frames.slice(index));
      expect(again.headers.get("reprise-reply-id")).toBe(first.headers.get("reprise-reply-id"));
    }
  });

  it("ends with the run also when its thread goes on", async () => {
    const thread = newId();
    const first = await run(thread, { messages: [user("/say One.")] });
    const second = await run(thread, { messages: [user("/say Two.")] });

    for (const { frames } of [first, second]) {
      const ends = frames.filter(({ event }) => event.type.startsWith("RUN_"));
      expect(ends.map(({ event }) => event.type)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    }
  });

  it("brings the log's own events along when it is asked to", async () => {
    const thread = newId();
    const input = { runId: newId(), messages: [user("/say Hello.")] };
    const raw = await run(thread, input, { query: "?raw=true" });
    const plain = await run(thread, input, { query: "?raw=false" });
    const events = raw.frames.flatMap(({ event }) =>
      event.type === "RAW" ? [event["event"]] : [],
    );

    expect(raw.frames.filter(({ event }) => event.type !== "RAW")).toEqual(plain.frames);
    expect(events.map((event) => (event as { type: string }).type)).toContain("TEXT_BLOCK_DELTA");
    expect(refusalOf(await run(thread, input, { query: "?raw=1" }))).toEqual([
      400,
      "validation_failed",
      ["#/query/raw"],
    ]);
  });
});

describe("a run that is no next step of its conversation", () => {
  it("fails in its stream, whose frames stand at the end of the log", async () => {
    const thread = await createSession(key, agent);
    const waiting = await run(thread, { messages: [user("/call refund_order {}\n/say Done.")] });
    const { body } = await request<{ cursor: number }>("GET", `/v1/sessions/${thread}`, { key });
    const runs = [
      await run(thread, { messages: [user("And now?")] }),
      await run(thread, { resume: [{ interruptId: "nobody", status: "cancelled" }] }),
      await run(thread, {
        resume: [{ ...openInterrupt(waiting), status: "resolved", payload: { approved: "yes" } }],
      }),
    ];
    const { body: after } = await request<{ cursor: number }>("GET", `/v1/sessions/${thread}`, {
      key,
    });

    expect(runs.map(errorOf)).toEqual(
      ["interrupts_open", "interrupt_unknown", "resume_invalid"].map(refused),
    );
    expect(runs.flatMap(({ frames }) => frames.map(({ id }) => id))).toEqual(
      Array.from({ length: 6 }, () => String(body.cursor)),
    );
    expect(after.cursor).toBe(body.cursor);
    expect(runs.map(({ headers }) => headers.get("reprise-session-id"))).toEqual([
      thread,
      thread,
      thread,
    ]);
  });

  it("fails when it brings nothing", async () => {
    expect(errorOf(await run(newId(), {}))).toEqual(refused("run_empty"));
  });

  it("takes a transcript of five thousand messages, and none of more", async () => {
    const call = { id: "c1", type: "function", function: { name: "lookup", arguments: "{}" } };
    const seen = Array.from({ length: 4_999 }, (_, index) => {
      return { id: `a${index}`, role: "assistant", content: "", toolCalls: [call, call] };
    });

    const taken = await run(newId(), { messages: [...seen, user("/say Hello.")] });
    const longer = await run(newId(), { messages: [...seen, user("/say Hello."), user("And?")] });

    expect(typesOf(taken).at(-1)).toBe("RUN_FINISHED");
    expect(refusalOf(longer)).toEqual([400, "validation_failed", ["#/messages"]]);
  });
});

/** The one that a run ended with. */
function openInterrupt({ frames }: RunAnswer): { interruptId: string } {
  const outcome = frames.at(-1)?.event["outcome"] as { interrupts: { id: string }[] } | undefined;
  return { interruptId: outcome?.interrupts[0]?.id ?? "" };
}

describe("a refusal before any stream", () => {
  it.each([
    ["a thread without an id", { threadId: undefined }, "#/threadId"],
    ["a run without an id", { runId: "" }, "#/runId"],
    ["a run without messages", { messages: undefined }, "#/messages"],
    ["a role that nobody has", { messages: [{ id: "1", role: "robot" }] }, "#/messages/0/role"],
    [
      "a message without content",
      { messages: [{ id: "1", role: "user" }] },
      "#/messages/0/content",
    ],
    [
      "a tool with the name of the agent's",
      { tools: [{ name: "refund_order" }], messages: [user("Hi")] },
      "#/tools/0/name",
    ],
    [
      "a tool with a name of the platform's",
      { tools: [{ name: "update_shared_state" }] },
      "#/tools/0/name",
    ],
    [
      "an answer that is neither given nor cancelled",
      { resume: [{ interruptId: "1", status: "maybe" }] },
      "#/resume/0/status",
    ],
  ])("points to %s", async (_, input, pointer) => {
    expect(refusalOf(await run(newId(), input))).toEqual([400, "validation_failed", [pointer]]);
  });

  it("tells of credentials, agents and threads that are not there, and of a reply that runs", async () => {
    const messages = [user("Hi")];
    const other = await createAgent(key);
    const thread = await createSession(key, agent);
    const busy = await createSession(key, agent);
    const background = { input: "/rate 20\n/words 20000", background: true };
    await request("POST", `/v1/sessions/${busy}/replies`, { key, body: background });
    const answers = [
      await run(thread, { messages }, { key: "rk_live_nobody" }),
      await run(thread, { messages }, { agent: `agt_${"0".repeat(26)}` }),
      await run(thread, { messages }, { agent: other }),
      await run(`ses_${"0".repeat(26)}`, { messages }),
      await run(busy, { messages }),
      await join(thread, "", { agent: other }),
      await join(`ses_${"0".repeat(26)}`),
      await join(newId(), "", { agent: `agt_${"0".repeat(26)}` }),
    ];
    await request("POST", `/v1/sessions/${busy}/interrupt`, { key });

    expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual([
      [401, "unauthenticated"],
      [404, "not_found"],
      [409, "agent_mismatch"],
      [404, "not_found"],
      [409, "reply_running"],
      [409, "agent_mismatch"],
      [404, "not_found"],
      [404, "not_found"],
    ]);
  });
});

describe("a thread", () => {
  it("is joined by its name, and gone on with from any frame", async () => {
    const thread = newId();
    const nothing = await join(thread);
    const { frames, headers } = await run(thread, { messages: [user("/say Hello, wörld.")] });
    const joined = await join(thread);
    const tail = await join(thread, `&after=${frames[2]?.id}`);
    const header = await join(thread, "&after=1", {
      headers: { "last-event-id": frames[2]?.id ?? "" },
    });
    const over = await join(thread, `&after=${frames.at(-1)?.id}`);

    expect([nothing.status, over.status]).toEqual([204, 204]);
    expect(typesOf(joined)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
    expect(joined.frames[0]?.event).toMatchObject({ threadId: thread });
    expect(joined.headers.get("reprise-session-id")).toBe(headers.get("reprise-session-id"));
    expect([tail.frames, header.frames]).toEqual([frames.slice(3), frames.slice(3)]);
  });

  it("shows the log's own events on its session's route too, and only with AG-UI's", async () => {
    const thread = await createSession(key, agent);
    await run(thread, { messages: [user("/say Hi.")] });
    const path = `/v1/sessions/${thread}/events`;
    const headers = { accept: "text/event-stream" };
    const open = (query: string) =>
      openRequest("GET", path + query, { key, headers }).then(readRun);
    const raw = await open("?format=ag-ui&after=0&raw=true");

    expect(typesOf(raw)).toContain("RAW");
    expect(raw.frames).toEqual((await join(thread, "&after=0&raw=true")).frames);
    expect(refusalOf(await open("?raw=true"))).toEqual([400, "validation_failed", ["#/query/raw"]]);
  });

  it("has nothing behind the headers of a HEAD", async () => {
    const thread = await createSession(key, agent);
    await run(thread, { messages: [user("/say Hi.")] });
    const path = `/v1/agents/${agent}/ag-ui?thread_id=${thread}`;
    const answer = await openRequest("HEAD", path, { key });

    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });
});
