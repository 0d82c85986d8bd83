// Runs whose parent is an older run: each is a fork with a thread of its own, and what follows it goes on there.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { CreatedApiKey, Scope } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import {
  ask,
  makeAgent,
  makeTenant,
  OPERATOR,
  refusalOf,
  type Answer,
  type Call,
} from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";

interface Thread {
  readonly call: Call;
  readonly tenantId: string;
  readonly agent: Agent;
  readonly name: string;
  /** The session's id. */
  readonly id: string;
}

interface Run {
  readonly parent?: string;
  readonly thread?: string;
  readonly call?: Call;
  readonly query?: string;
  readonly more?: object;
}

function said(id: string, content = `/say after ${id}`) {
  return { id, role: "user", content };
}

const [M1, M2, M3, M4] = [said("m1"), said("m2"), said("m3"), said("m4")];

/** A thread with the runs r1 and r2, each with the message of its number. */
async function openThread(definition?: object, query = ""): Promise<Thread> {
  const { call, id: tenantId } = await makeTenant();
  const agent = await makeAgent(call, definition);
  const thread = { call, tenantId, agent, name: "thread", id: "" };
  const first = await run(thread, "r1", [M1], { query });
  const { id } = first;
  await run(thread, "r2", [M1, M2], { query });
  return { ...thread, id };
}

async function run(
  { call, agent, name }: Thread,
  runId: string,
  messages: readonly object[],
  { parent, thread = name, call: caller = call, query = "", more = {} }: Run = {},
) {
  const json = { threadId: thread, runId, messages, parentRunId: parent, ...more };
  const answer = await ask("POST", `/v1/agents/${agent.id}/ag-ui${query}`, { ...caller, json });
  return { ...answer, ...shownIn(answer) };
}

/** The run as the beginning and the end of its stream tell it. */
function shownIn({ headers, text }: Answer<unknown>) {
  const frames = [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = "{}"]) => JSON.parse(data) as Record<string, unknown>,
  );
  const { threadId, runId, parentRunId } = frames[0] ?? {};
  const end = frames.at(-1);
  return {
    id: headers.get("Reprise-Session-Id") ?? "",
    reply: headers.get("Reprise-Reply-Id"),
    started: [threadId, runId, parentRunId],
    end: end?.["type"],
    code: end?.["code"],
    state: frames.find(({ type }) => type === "STATE_SNAPSHOT")?.["snapshot"],
  };
}

async function wordsOf({ call }: Thread, id: string): Promise<readonly string[]> {
  const { json } = await ask<Page<Msg>>("GET", `/v1/sessions/${id}/messages?limit=100`, call);
  return json.data.map(({ role, content }) => {
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return role === "user" ? text.replace("/say after ", "") : text;
  });
}

async function forksOf({ call, id }: Thread): Promise<readonly SessionSummary[]> {
  const { json } = await ask<Page<SessionSummary>>("GET", "/v1/sessions?limit=100", call);
  return json.data.filter(({ forked_from }) => forked_from?.session_id === id);
}

async function makeKey(call: Call, ...scopes: readonly Scope[]): Promise<Call> {
  const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  return { key: json.api_key };
}

function storageOf({ tenantId }: Thread, id: string, query: string) {
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, id));
  return runInDurableObject(stub, (_, { storage }) => storage.sql.exec(query).toArray());
}

describe("a run with an older parent", () => {
  it("is a fork behind that run, under the fork's own thread; the thread stays as it is", async () => {
    const thread = await openThread();
    const branched = await run(thread, "r3", [M1, M3], { parent: "r1" });
    const [fork, ...others] = await forksOf(thread);

    expect([branched.status, branched.end]).toEqual([200, "RUN_FINISHED"]);
    expect(branched.started).toEqual([fork?.id, "r3", "r1"]);
    expect([branched.id, others]).toEqual([fork?.id, []]);
    expect(await wordsOf(thread, branched.id)).toEqual(["m1", "after m1", "m3", "after m3"]);
    expect(await wordsOf(thread, thread.id)).toEqual(["m1", "after m1", "m2", "after m2"]);
  });

  it("is one while the thread's newest reply runs, or waits for a person", BROAD, async () => {
    const tool = { type: "http", name: "refund", url: "https://x.example/" };
    for (const script of ["/rate 20\n/words 20000", "/call refund {}"]) {
      const thread = await openThread({ name: "Desk", tools: [tool] });
      const json = { input: { id: "busy", content: script }, background: true };
      await ask("POST", `/v1/sessions/${thread.id}/replies`, { ...thread.call, json });
      const { status, started } = await run(thread, "r3", [M1, M3], { parent: "r1" });
      await ask("POST", `/v1/sessions/${thread.id}/interrupt`, thread.call);

      expect([status, started]).toEqual([200, [expect.stringMatching(/^ses_/), "r3", "r1"]]);
    }
  });

  it("has the files that came with it", BROAD, async () => {
    const thread = await openThread();
    const value = btoa("x".repeat(90_000));
    const source = { type: "data", value, mimeType: "image/png" };
    const photo = { ...M3, content: [{ type: "image", source }] };
    const { id } = await run(thread, "r3", [M1, photo], { parent: "r1" });
    const query = env.DB.prepare("SELECT due_at FROM file_references WHERE session_id = ?");

    expect((await query.bind(id).all()).results).toEqual([{ due_at: null }]);
  });

  it("begins with the state as it was there, whatever its client holds", async () => {
    const thread = await openThread();
    const state = { page: 2 };
    await run(thread, "r3", [M1, M2, M3], { more: { state } });
    const branched = await run(thread, "r4", [M1, M4], { parent: "r1", more: { state } });
    const path = `/v1/sessions/${branched.id}/shared-state`;

    expect((await ask<{ state: object }>("GET", path, thread.call)).json.state).toEqual({});
  });

  it("is no branch when it answers what waits, and what is asked again stays where it is", async () => {
    const thread = await openThread();
    const again = await run(thread, "r3", [M1], { parent: "r1" });
    const lost = await run(thread, "r1", [M1]);
    await run(thread, "r4", [M1, M2, said("m5", "/call print {}")], {
      more: { tools: [{ name: "print", description: "" }] },
    });
    const json = await ask<Page<Msg>>("GET", `/v1/sessions/${thread.id}/messages`, thread.call);
    const call = json.json.data
      .flatMap(({ content }) => content)
      .find(({ type }) => type === "tool_call");
    const result = { id: "t", role: "tool", toolCallId: call?.id, content: "ok" };
    const answered = await run(thread, "r5", [M1, result], { parent: "r1" });

    expect([again.id, lost.reply]).toEqual([thread.id, again.reply]);
    expect(refusalOf(answered)).toEqual({
      status: 409,
      code: "conflict",
      pointers: ["#/parentRunId"],
    });
    expect(await forksOf(thread)).toEqual([]);
  });
});

describe("a run that follows one of a fork, on the old thread", () => {
  it("goes on in the fork, by its parent or under the same id; the thread itself goes on as before", async () => {
    const thread = await openThread();
    const { id: fork } = await run(thread, "r3", [M1, M3], { parent: "r1" });
    const follows = await run(thread, "r4", [M1, M3, M4], { parent: "r3" });
    const sameId = await run(thread, "r4", [M1, M3, M4, said("m5")]);
    const direct = await run(thread, "r6", [said("m6")], { thread: fork });
    const found = await run(thread, "r7", [said("m7")], { parent: "r6" });
    const own = await run(thread, "r8", [M1, M2, said("m8")], { parent: "r2" });
    const plain = await run(thread, "r9", [said("m9")]);
    const unknown = await run(thread, "r10", [said("m10")], { parent: "elsewhere" });

    expect([follows, sameId, direct, found].map(({ id }) => id)).toEqual([fork, fork, fork, fork]);
    expect(follows.started).toEqual([fork, "r4", "r3"]);
    expect([own, plain, unknown].map(({ id }) => id)).toEqual([thread.id, thread.id, thread.id]);
    expect(await forksOf(thread)).toHaveLength(1);
  });

  it(
    "branches again where its parent is older there, also behind the fork's copy",
    BROAD,
    async () => {
      const thread = await openThread();
      const { id: fork } = await run(thread, "r3", [M1, M3], { parent: "r1" });
      await run(thread, "r4", [M1, M3, M4], { parent: "r3" });
      const inner = await run(thread, "r5", [M1, M3, said("m5")], { parent: "r3" });
      const beside = await run(thread, "r6", [M1, said("m6")], { parent: "r1", thread: fork });
      const after = await run(thread, "r7", [said("m7")], { parent: "r5" });

      expect(new Set([thread.id, fork, inner.id, beside.id]).size).toBe(4);
      expect(after.id).toBe(inner.id);
      expect(await wordsOf(thread, inner.id)).toEqual(
        ["m1", "after m1", "m3", "after m3"].concat(["m5", "after m5", "m7", "after m7"]),
      );
      expect(await wordsOf(thread, beside.id)).toEqual(["m1", "after m1", "m6", "after m6"]);
    },
  );

  it("is not found once the fork was deleted", async () => {
    const thread = await openThread();
    const { id: fork } = await run(thread, "r3", [M1, M3], { parent: "r1" });
    await ask("DELETE", `/v1/sessions/${fork}`, thread.call);
    const again = await run(thread, "r3", [M1, M3], { parent: "r1" });

    expect(refusalOf(again).status).toBe(404);
  });
});

describe("a run's id", () => {
  it("never forks twice: repeated, raced, and with another parent", async () => {
    const thread = await openThread();
    await run(thread, "r0", [M1, M2, said("m0")]);
    const raced = await Promise.all(
      [1, 2, 3].map(() => run(thread, "r3", [M1, M3], { parent: "r1" })),
    );
    const repeated = await run(thread, "r3", [M1, M3], { parent: "r1" });
    const moved = await run(thread, "r3", [M1, M3], { parent: "r2" });
    const other = await run(thread, "r4", [M1, M3], { parent: "r1" });
    const all = [...raced, repeated, moved];

    expect(new Set(all.map(({ id, reply }) => `${id} ${reply}`)).size).toBe(1);
    expect(all.map(({ end }) => end)).toEqual(all.map(() => "RUN_FINISHED"));
    expect((await forksOf(thread)).map(({ id }) => id).toSorted()).toEqual(
      [repeated.id, other.id].toSorted(),
    );
  });

  it(
    "is the same fork after a death between the fork and the thread that keeps it",
    BROAD,
    async () => {
      const thread = await openThread();
      const { id: fork, reply } = await run(thread, "r3", [M1, M3], { parent: "r1" });
      await storageOf(thread, thread.id, "DELETE FROM forked_runs");
      await abortAllDurableObjects();
      const repeated = await run(thread, "r3", [M1, M3], { parent: "r1" });

      expect([repeated.id, repeated.reply]).toEqual([fork, reply]);
      expect(await storageOf(thread, thread.id, "SELECT * FROM forked_runs")).toEqual([
        { run_id: "r3", session_id: fork },
      ]);
    },
  );

  it("is the same fork after a death before the fork was listed", BROAD, async () => {
    const thread = await openThread();
    const { id: fork } = await run(thread, "r3", [M1, M3], { parent: "r1" });
    await storageOf(thread, thread.id, "DELETE FROM forked_runs");
    await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(fork).run();
    const repeated = await run(thread, "r3", [M1, M3], { parent: "r1" });

    expect((await forksOf(thread)).map(({ id }) => id)).toEqual([repeated.id]);
    expect(repeated.id).toBe(fork);
  });

  for (const [rows, breadth] of sampled([5, 20, 60], 1))
    it.each(rows)("is one fork after every object has died at %i ms", breadth, async (ms) => {
      const thread = await openThread();
      const lost = run(thread, "r3", [M1, M3], { parent: "r1" }).catch(() => undefined);
      await scheduler.wait(ms);
      await abortAllDurableObjects();
      await lost;
      const repeated = await run(thread, "r3", [M1, M3], { parent: "r1" });

      expect((await forksOf(thread)).map(({ id }) => id)).toEqual([repeated.id]);
      const words = await wordsOf(thread, repeated.id);
      expect(words.slice(0, 3)).toEqual(["m1", "after m1", "m3"]);
    });
});

describe("the rights of a fork", () => {
  it("are needed of a key: its scope for sessions, and that for the rules of its source", async () => {
    const thread = await openThread();
    const rules = { permission: { rules: [{ tool_name: "f", behavior: "deny" }] } };
    const agent_id = thread.agent.id;
    const { json: guarded } = await ask<Session>("POST", "/v1/sessions", {
      ...thread.call,
      json: { agent_id, ...rules },
    });
    const inGuarded = { ...thread, name: guarded.id, id: guarded.id };
    await run(inGuarded, "r1", [M1]);
    await run(inGuarded, "r2", [M1, M2]);
    const narrow = await makeKey(thread.call, "replies:write", "sessions:read");
    const wide = await makeKey(thread.call, "replies:write", "sessions:read", "sessions:write");
    const branch = (on: Thread, call: Call) => run(on, "r3", [M1, M3], { parent: "r1", call });
    const refused = await branch(thread, narrow);
    const ruled = await branch(inGuarded, wide);

    expect([refusalOf(refused).code, refused.json["required_scope"]]).toEqual([
      "insufficient_scope",
      "sessions:write",
    ]);
    expect([refusalOf(ruled).code, ruled.json["required_scope"]]).toEqual([
      "insufficient_scope",
      "permission_rules:write",
    ]);
    expect([...(await forksOf(thread)), ...(await forksOf(inGuarded))]).toEqual([]);
    expect((await branch(thread, wide)).status).toBe(200);
    // Without the right to fork, a run may go on in a fork that there is.
    expect((await run(thread, "r4", [M4], { parent: "r3", call: narrow })).status).toBe(200);
  });

  it(
    "no client token has: it neither forks nor follows a run out of its session",
    BROAD,
    async () => {
      const thread = await openThread();
      const verbs = ["read", "reply"];
      const app = await mintCall(`/v1/sessions/${thread.id}`, thread.call, { verbs });
      const forked = await run(thread, "r3", [M1, M3], { parent: "r1", call: app });
      await run(thread, "r4", [M1, M4], { parent: "r1" });
      const followed = await run(thread, "r5", [said("m5")], { parent: "r4", call: app });

      expect([refusalOf(forked).code, refusalOf(followed).code]).toEqual([
        "insufficient_scope",
        "not_found",
      ]);
      expect(await forksOf(thread)).toHaveLength(1);
    },
  );

  it("end with the tenant's sessions, and nothing of a fork is left", async () => {
    const thread = await openThread();
    const quotas = { sessions: 1 };
    await ask("PATCH", `/v1/tenants/${thread.tenantId}`, { ...OPERATOR, json: { quotas } });
    const refused = await run(thread, "r3", [M1, M3], { parent: "r1" });
    await ask("PATCH", `/v1/tenants/${thread.tenantId}`, {
      ...OPERATOR,
      json: { quotas: { sessions: null } },
    });
    const taken = await run(thread, "r3", [M1, M3], { parent: "r1" });

    expect([refusalOf(refused).code, refused.json["quota"]]).toEqual([
      "quota_exceeded",
      "sessions",
    ]);
    expect(await forksOf(thread)).toMatchObject([{ id: taken.id }]);
  });

  it("are of this tenant and this end user", BROAD, async () => {
    const thread = await openThread(undefined, "?end_user_id=ann");
    const stranger = await makeTenant();
    const foreign = await run(thread, "r3", [M1, M3], {
      parent: "r1",
      thread: thread.id,
      call: stranger.call,
    });
    const wrong = await run(thread, "r3", [M1, M3], { parent: "r1", query: "?end_user_id=bob" });
    await run(thread, "r3", [M1, M3], { parent: "r1", query: "?end_user_id=ann" });

    expect([refusalOf(foreign).status, refusalOf(wrong).code]).toEqual([404, "conflict"]);
    expect((await forksOf(thread)).map(({ end_user_id }) => end_user_id)).toEqual(["ann"]);
  });
});
