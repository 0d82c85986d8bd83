// The profiles of AG-UI and the parts of a run, over HTTP: what a request chooses, and every way in which it is wrong.
import { beforeAll, describe, expect, it } from "vitest";

import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { readRun, refusalOf, typesOf, type RunAnswer } from "../../support/run-answer.ts";
import { BROAD } from "../../support/breadth.ts";

let key: string;
let agent: string;

const GUARDED = {
  type: "http",
  name: "refund_order",
  url: "http://127.0.0.1:1",
  input_schema: { type: "object" },
};
const PAGE = { name: "open_page", description: "Opens a page.", parameters: {} };

beforeAll(async () => {
  ({ key } = await createTenant());
  agent = await createAgent(key, { tools: [GUARDED] });
});

interface Wish {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const NEWEST = { protocolVersion: "1.0" };
const ASK = '/call refund_order {"order_id":"A-1001"}\n/say Done.';

function user(content: string, id: string = crypto.randomUUID()) {
  return { id, role: "user", content };
}

/** Without a version, as the old client sends it. */
async function run(threadId: string, input: object, wish: Wish = {}): Promise<RunAnswer> {
  const body = { threadId, runId: crypto.randomUUID(), messages: [], ...input };
  return readRun(await openRequest("POST", `/v1/agents/${agent}/ag-ui`, { key, ...wish, body }));
}

async function join(threadId: string, query = "", wish: Wish = {}): Promise<RunAnswer> {
  const path = `/v1/agents/${agent}/ag-ui?thread_id=${threadId}${query}`;
  return readRun(await openRequest("GET", path, { key, ...wish }));
}

function endOf({ frames }: RunAnswer) {
  return frames.at(-1)?.event ?? { type: "nothing" };
}

interface Interrupt {
  readonly id: string;
  readonly responseSchema: { readonly required: readonly string[] };
}

function interruptOf(answer: RunAnswer): Interrupt {
  const { interrupts = [] } = (endOf(answer)["outcome"] ?? {}) as { interrupts?: Interrupt[] };
  const [interrupt] = interrupts;
  if (!interrupt) throw new Error("nothing is asked");
  return interrupt;
}

function approval({ id: interruptId }: Interrupt, approved = false) {
  return [{ interruptId, status: "resolved", payload: { approved } }];
}

describe("a run without a version", () => {
  it("does not say which calls it owes, and has no version of its own; of 1.x it has both", async () => {
    const input = { messages: [user("/call open_page {}\n/say Open.")], tools: [PAGE] };
    const old = await run(crypto.randomUUID(), input);
    const newest = await run(crypto.randomUUID(), {
      ...input,
      ...NEWEST,
      messages: [user("/call open_page {}")],
    });

    expect(endOf(old)["outcome"]).toEqual({ type: "success" });
    expect(old.frames[0]?.event).not.toHaveProperty("protocolVersion");
    expect(endOf(newest)["outcome"]).toEqual({
      type: "success",
      pendingToolCallIds: [expect.any(String)],
    });
    expect(newest.frames[0]?.event["protocolVersion"]).toBe("1.0");
  });

  it("ends without an outcome when it is cancelled, and so does a join in that profile", async () => {
    const session = await createSession(key, agent);
    await run(session, { messages: [user(ASK)] });
    await request("POST", `/v1/sessions/${session}/interrupt`, { key });
    const [old, newest, named] = await Promise.all([
      join(session, "&profile=0.0"),
      join(session),
      join(session, "&profile=1.0"),
    ]);

    expect(endOf(old)).toMatchObject({ type: "RUN_FINISHED" });
    expect(endOf(old)).not.toHaveProperty("outcome");
    expect([endOf(newest)["outcome"], endOf(named)["outcome"]]).toEqual([
      { type: "cancelled" },
      { type: "cancelled" },
    ]);
  });

  it("is refused in its stream in its own profile", async () => {
    const { frames } = await run(crypto.randomUUID(), {});
    const newest = await run(crypto.randomUUID(), NEWEST);

    expect(frames.map(({ event }) => [event.type, event["code"]])).toEqual([
      ["RUN_STARTED", undefined],
      ["RUN_ERROR", "run_empty"],
    ]);
    expect(frames[0]?.event).not.toHaveProperty("protocolVersion");
    expect(newest.frames[0]?.event["protocolVersion"]).toBe("1.0");
  });

  it("has the ids of the same run in 1.0, each of which goes on in both", async () => {
    const thread = crypto.randomUUID();
    const input = { runId: "r1", messages: [user(ASK)] };
    const old = await run(thread, input);
    const newest = await run(thread, { ...input, ...NEWEST });
    const ids = ({ frames }: RunAnswer) => frames.map(({ id }) => id);
    const snapshot = newest.frames.find(({ event }) => event.type === "MESSAGES_SNAPSHOT");

    expect(typesOf(newest).slice(-2)).toEqual(["MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
    expect(ids(old)).toEqual(ids(newest).filter((id) => id !== snapshot?.id));
    for (const [index, id] of ids(newest).slice(0, -1).entries()) {
      const headers = { "last-event-id": id };
      const rest = await run(thread, input, { headers });
      const later = ids(newest).slice(index + 1);
      expect([id, ids(rest)]).toEqual([id, later.filter((each) => each !== snapshot?.id)]);
    }
  });

  it("begins with the messages when it comes from a tab that has missed some, and else with none", async () => {
    const thread = crypto.randomUUID();
    const [one, two, three] = [user("/say One."), user("/say Two."), user(ASK)];
    const first = await run(thread, { messages: [one] });
    await run(thread, { messages: [one, two] });
    const behind = await run(thread, { messages: [one, three] });
    await run(thread, { messages: [one], resume: approval(interruptOf(behind)) });
    const upToDate = await run(thread, { messages: [one, two, three, user("/say Four.")] });

    expect(typesOf(first)).not.toContain("MESSAGES_SNAPSHOT");
    expect(typesOf(behind).slice(0, 2)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT"]);
    expect(typesOf(behind).filter((type) => type === "MESSAGES_SNAPSHOT")).toHaveLength(1);
    expect(endOf(behind)["outcome"]).toMatchObject({ type: "interrupt" });
    expect(JSON.stringify(behind.frames[1]?.event["messages"])).toContain("/say Two.");
    expect(typesOf(upToDate)).not.toContain("MESSAGES_SNAPSHOT");
  });
});

describe("a profile that is not spoken here", () => {
  it.each(["2.0", "banana", "1.x", "", 1])(
    "is refused as the version %j of a run",
    async (version) => {
      const refused = await run(crypto.randomUUID(), {
        protocolVersion: version,
        messages: [user("x")],
      });

      expect(refusalOf(refused)).toEqual([400, "validation_failed", ["#/protocolVersion"]]);
    },
  );

  it("is refused of a join, on both routes, and without AG-UI", async () => {
    const session = await createSession(key, agent);
    const headers = { accept: "text/event-stream" };
    const path = `/v1/sessions/${session}/events`;
    const read = async (query: string) =>
      readRun(await openRequest("GET", `${path}${query}`, { key, headers }));
    const refused = [400, "validation_failed", ["#/query/profile"]];

    expect(refusalOf(await join(session, "&profile=2.0"))).toEqual(refused);
    expect(refusalOf(await read("?format=ag-ui&profile=0.0.59"))).toEqual(refused);
    expect(refusalOf(await read("?profile=1.0"))).toEqual(refused);
  });
});

describe("the session's route", () => {
  it("replays a thread in a profile, and joins it in that", async () => {
    const session = await createSession(key, agent);
    const asked = await run(session, { messages: [user(ASK)] });
    await run(session, { resume: approval(interruptOf(asked)), messages: [user(ASK)] });
    const headers = { accept: "text/event-stream" };
    const read = async (query: string) => {
      const path = `/v1/sessions/${session}/events?format=ag-ui${query}`;
      return readRun(await openRequest("GET", path, { key, headers }));
    };
    const [old, newest, joined] = [
      await read("&after=0&profile=0.0"),
      await read("&after=0"),
      await read("&profile=0.0"),
    ];

    expect(typesOf(old)).not.toContain("MESSAGES_SNAPSHOT");
    expect(typesOf(newest)).toContain("MESSAGES_SNAPSHOT");
    expect(typesOf(joined).slice(0, 2)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT"]);
  });
});

describe("a form for a client token", () => {
  it("requires the input's hash, and a key's does not", async () => {
    const session = await createSession(key, agent);
    const minted = await request<{ token: string }>("POST", `/v1/sessions/${session}/tokens`, {
      key,
      body: { verbs: ["read", "reply", "confirm"] },
    });
    const input = { runId: "r1", messages: [user(ASK)] };
    const token = await run(session, input, { key: minted.body.token });
    const apiKey = await run(session, input);
    const missing = await run(
      session,
      { runId: "r1", messages: input.messages, resume: approval(interruptOf(token)) },
      { key: minted.body.token },
    );

    expect(interruptOf(token).responseSchema.required).toEqual(["approved", "inputHash"]);
    expect(interruptOf(apiKey).responseSchema.required).toEqual(["approved"]);
    expect(endOf(missing)).toMatchObject({ type: "RUN_ERROR", code: "input_hash_missing" });
  });
});

describe("the parts of a run", () => {
  it(
    "are each shown to its own request, from the start or after any of their frames",
    BROAD,
    async () => {
      const thread = crypto.randomUUID();
      const first = { runId: "r1", messages: [user(ASK)] };
      const asked = await run(thread, first);
      const second = { ...first, resume: approval(interruptOf(asked)) };
      const answered = await run(thread, second);
      const third = { ...first, messages: [...first.messages, user("/say More.")] };
      const said = await run(thread, third);

      for (const [input, answer] of [
        [first, asked],
        [second, answered],
        [third, said],
      ] as const) {
        expect((await run(thread, input)).frames).toEqual(answer.frames);
        for (const [index, { id }] of answer.frames.slice(0, -1).entries()) {
          const headers = { "last-event-id": id };
          const rest = await run(thread, input, { headers });
          expect([id, rest.frames]).toEqual([id, answer.frames.slice(index + 1)]);
        }
      }
      const runs = [asked, answered, said];
      // The last frames of the others: a page may have read on before it repeats a request.
      for (const [input, answer] of [
        [first, asked],
        [second, answered],
      ] as const) {
        for (const other of runs) {
          const id = other.frames.at(-2)?.id ?? "";
          const shown = await run(thread, input, { headers: { "last-event-id": id } });
          expect(shown.frames).toEqual(other === answer ? answer.frames.slice(-1) : answer.frames);
        }
      }
      expect(runs.map((each) => endOf(each)["outcome"])).toEqual([
        expect.objectContaining({ type: "interrupt" }),
        { type: "success" },
        { type: "success" },
      ]);
      expect(runs.map((each) => each.frames[0]?.event["runId"])).toEqual(["r1", "r1", "r1"]);
    },
  );

  it("are begun by those alone who may: another tenant, a token without the verb, an erased thread", async () => {
    const session = await createSession(key, agent);
    const first = { runId: "r1", messages: [user(ASK)] };
    const asked = await run(session, first);
    const second = { ...first, resume: approval(interruptOf(asked)) };
    const mint = async (verbs: readonly string[]) => {
      const path = `/v1/sessions/${session}/tokens`;
      const { body } = await request<{ token: string }>("POST", path, { key, body: { verbs } });
      return body.token;
    };
    const stranger = await createTenant();
    const refused = [
      await run(session, second, { key: stranger.key }),
      await run(session, second, { key: await mint(["read", "confirm"]) }),
      await run(session, second, { key: await mint(["read", "reply"]) }),
    ];
    await request("DELETE", `/v1/sessions/${session}`, { key });
    const erased = await run(session, second);

    expect([...refused, erased].map(({ status, problem }) => [status, problem.code])).toEqual([
      [404, "not_found"],
      [403, "verb_missing"],
      [403, "verb_missing"],
      [404, "not_found"],
    ]);
  });
});
