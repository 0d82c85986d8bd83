// Sessions that a client's own names for threads stand for, and their ends.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import { isId } from "../../../protocol/ids.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf, send } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";
import { CALLS_THAT_HIDE, askDown, brokenDatabase } from "../support/broken-database.ts";
import { BROAD } from "../../support/breadth.ts";

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

async function openAgent() {
  const { id: tenantId, call } = await makeTenant();
  const agent = await makeAgent(call);
  return { tenantId, call, agent, path: `/v1/agents/${agent.id}/ag-ui` };
}

/** Says something in the thread. */
async function say({ path, call }: { path: string; call: Call }, threadId: string, bindings?: Env) {
  const json = runInput(threadId, "Hello");
  const answer = await ask("POST", path, { ...call, json, bindings });
  const session = answer.headers.get("Reprise-Session-Id") ?? "";
  return { ...answer, session, outcome: answer.json.code ?? answer.status };
}

async function sessionsOf(call: Call, query = ""): Promise<readonly SessionSummary[]> {
  return (await ask<Page<SessionSummary>>("GET", `/v1/sessions?limit=100${query}`, call)).json.data;
}

describe("a thread that the client has named", () => {
  test("is a session from its first run on, and the same one in every other", async () => {
    const opened = await openAgent();
    const before = new Date(Date.now() - 5_000).toISOString();
    const first = await say(opened, "customer-17");
    const second = await say(opened, "customer-17");
    const [summary, ...others] = await sessionsOf(opened.call);
    const after = new Date(Date.now() + 5_000).toISOString();

    expect([first.status, second.status, second.session, others]).toEqual([
      200,
      200,
      first.session,
      [],
    ]);
    expect(summary).toMatchObject({
      id: first.session,
      agent_id: opened.agent.id,
      agent_version: 1,
      follows_latest: false,
      end_user_id: null,
      metadata: {},
      forked_from: null,
      parent_session_id: null,
    });
    expect(isId("ses", first.session)).toBe(true);
    const found = await Promise.all(
      [
        `&created_after=${before}`,
        `&created_before=${after}`,
        `&created_after=${after}`,
        `&created_before=${before}`,
      ].map((query) => sessionsOf(opened.call, query)),
    );
    expect(found.map((sessions) => sessions.length)).toEqual([1, 1, 0, 0]);
  });

  test(
    "stands in lists at the time of its first run, whatever ran in it since",
    BROAD,
    async () => {
      const opened = await openAgent();
      const ids: string[] = [];
      const makers = [
        async () => (await makeSession(opened.call, { agent_id: opened.agent.id })).id,
        async () => (await say(opened, "customer-17")).session,
        async () => (await makeSession(opened.call, { agent_id: opened.agent.id })).id,
        async () => (await say(opened, "customer-18")).session,
      ];
      for (const make of makers) {
        ids.push(await make());
        // No two of one moment.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await say(opened, "customer-17");

      const pages: (readonly string[])[] = [];
      for (let page: string | null = ""; page !== null;) {
        const query: string = `?limit=1${page && `&page=${page}`}`;
        const { json }: { json: Page<SessionSummary> } = await ask(
          "GET",
          `/v1/sessions${query}`,
          opened.call,
        );
        pages.push(json.data.map(({ id }) => id));
        page = json.next_page;
      }

      expect(pages).toEqual(ids.toReversed().map((id) => [id]));
    },
  );

  test("is another session for every other name, however alike they look", BROAD, async () => {
    const opened = await openAgent();
    const names = [
      "é",
      "e\u0301",
      "É",
      " é",
      "a\u0000b",
      "ab",
      "👋",
      "\u{1F44B}\uFE0F",
      '","',
      "SES_01kaj2vcr4k7n1q5s9v3x6z0b2",
      opened.agent.id,
      "../customer",
      "x".repeat(512),
      "\u2028",
    ];
    const ids = [];
    for (const name of names) ids.push((await say(opened, name)).session);

    expect(ids.filter((id) => !isId("ses", id))).toEqual([]);
    expect(new Set(ids).size).toBe(names.length);
  });

  test("is another session for another agent, and for another tenant", async () => {
    const opened = await openAgent();
    const sibling = await makeAgent(opened.call);
    const threads = [
      await say(opened, "customer-17"),
      await say({ ...opened, path: `/v1/agents/${sibling.id}/ag-ui` }, "customer-17"),
      await say(await openAgent(), "customer-17"),
    ];

    expect(new Set(threads.map(({ session }) => session)).size).toBe(3);
  });

  test("is one session when two first requests come at once", BROAD, async () => {
    const opened = await openAgent();
    const answers = await Promise.all([say(opened, "both"), say(opened, "both")]);
    const sessions = await sessionsOf(opened.call);

    // The order of the two, and whether the second finds the first running, is a matter of moments.
    const outcomes = answers.map(({ outcome }) => outcome);
    expect(outcomes).toContain(200);
    expect(outcomes.filter((outcome) => ![200, "reply_running"].includes(outcome))).toEqual([]);
    expect(sessions.map(({ id }) => id)).toEqual([
      answers.find(({ status }) => status === 200)?.session,
    ]);
  });

  test("is one run when its first request comes twice at once", async () => {
    const { call, path } = await openAgent();
    const json = runInput("twice", "Hello");
    const answers = await Promise.all(
      [json, json].map((body) => ask("POST", path, { ...call, json: body })),
    );
    const [one, other] = answers.map(({ status, headers, text }) => {
      return [status, headers.get("Reprise-Reply-Id"), text];
    });

    expect(answers[0]?.status).toBe(200);
    expect(other).toEqual(one);
    expect((await sessionsOf(call)).length).toBe(1);
  });

  test("begins anew when its session was deleted", BROAD, async () => {
    const opened = await openAgent();
    const { session } = await say(opened, "customer-17");
    const path = `/v1/sessions/${session}`;
    await ask("DELETE", path, opened.call);
    const anew = await say(opened, "customer-17");
    const { json } = await ask<Page<unknown>>("GET", `${path}/messages`, opened.call);

    expect([anew.status, anew.session, json.data.length]).toEqual([200, session, 2]);
  });

  test("is not opened while its session is still being erased", async () => {
    const opened = await openAgent();
    const { session } = await say(opened, "customer-17");
    const path = `/v1/sessions/${session}`;
    const cut = await askDown("DELETE", path, {
      ...opened.call,
      database: brokenDatabase(CALLS_THAT_HIDE),
    });
    const early = await say(opened, "customer-17");
    await ask("DELETE", path, opened.call);
    const anew = await say(opened, "customer-17");

    expect([cut.status, refusalOf(early), anew.status]).toEqual([
      503,
      { status: 409, code: "conflict", pointers: undefined },
      200,
    ]);
  });

  test(
    "opens no session for an agent that is not there any more, and goes on with one that was",
    BROAD,
    async () => {
      const opened = await openAgent();
      await say(opened, "old");
      await ask("DELETE", `/v1/agents/${opened.agent.id}`, opened.call);
      const [known, unknown] = [await say(opened, "old"), await say(opened, "new")];

      expect([known.status, refusalOf(unknown)]).toEqual([
        200,
        { status: 404, code: "not_found", pointers: undefined },
      ]);
      expect((await sessionsOf(opened.call)).length).toBe(1);
    },
  );

  test("opens a session for keys that may, and is open to others that may reply", async () => {
    const opened = await openAgent();
    const scopes = ["replies:write", "sessions:read"];
    const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...opened.call,
      json: { scopes },
    });
    const narrow = { ...opened, call: { key: json.api_key } };
    const refused = await say(narrow, "customer-17");
    await say(opened, "customer-17");
    const { status } = await say(narrow, "customer-17");

    expect([refusalOf(refused), refused.json["required_scope"], status]).toEqual([
      { status: 403, code: "insufficient_scope", pointers: undefined },
      "sessions:write",
      200,
    ]);
  });

  test("gives its fork no name", async () => {
    const opened = await openAgent();
    const { session } = await say(opened, "customer-17");
    const fork = await ask<Session>("POST", `/v1/sessions/${session}/fork`, {
      ...opened.call,
      json: {},
    });
    const answer = await send("POST", opened.path, {
      ...opened.call,
      json: runInput(fork.json.id, "And now?", "run-of-the-fork"),
    });
    await answer.text();
    const joined = await ask("GET", `${opened.path}?thread_id=${fork.json.id}`, opened.call);

    expect(joined.text.includes(`"threadId":"${fork.json.id}"`)).toBe(true);
    expect(joined.text.includes("customer-17")).toBe(false);
  });
});

describe("a thread's id", () => {
  test.each([
    ["ses_1", 404, undefined],
    [`ses_${"u".repeat(26)}`, 404, undefined],
    [`ses_${"0".repeat(26)}`, 404, undefined],
    ["", 400, ["#/threadId"]],
    ["x".repeat(513), 400, ["#/threadId"]],
    ["half \ud83d", 400, ["#/threadId"]],
  ])("that is %j opens nothing", async (threadId, status, pointers) => {
    const opened = await openAgent();
    const answer = await say(opened, threadId);

    const code = status === 404 ? "not_found" : "validation_failed";
    expect([refusalOf(answer), await sessionsOf(opened.call)]).toEqual([
      { status, code, pointers },
      [],
    ]);
  });
});

describe("while D1 is down", () => {
  test("a thread goes on, and a new one is told to come again", async () => {
    const opened = await openAgent();
    await say(opened, "old");
    const bindings = { ...env, DB: brokenDatabase() };
    const [known, unknown] = [
      await say(opened, "old", bindings),
      await say(opened, "new", bindings),
    ];

    expect([known.status, refusalOf(unknown), unknown.headers.get("Retry-After")]).toEqual([
      200,
      { status: 503, code: "unavailable", pointers: undefined },
      "2",
    ]);
    expect((await sessionsOf(opened.call)).length).toBe(1);
  });

  test("a thread whose row cannot be written is listed by the next run, or erased with nothing said in it", async () => {
    const opened = await openAgent();
    // The agent, whether the thread is being erased, the version; the fourth would write the row.
    const failing = (left: number) => ({ ...env, DB: brokenDatabase(left) });
    const cut = await say(opened, "taken up", failing(3));
    const again = await say(opened, "taken up", failing(0));
    const none = await sessionsOf(opened.call);
    const { session, status } = await say(opened, "taken up");
    const object = env.SESSION.getByName(sessionObjectName(opened.tenantId, session));
    await runInDurableObject(object, (_, { storage }) => storage.setAlarm(Date.now()));
    await runDurableObjectAlarm(object);
    const read = await ask("GET", `/v1/sessions/${session}`, opened.call);

    expect([cut.status, again.status, none, status, read.status]).toEqual([503, 503, [], 200, 200]);
    expect((await sessionsOf(opened.call)).map(({ id }) => id)).toEqual([session]);
  });
});
