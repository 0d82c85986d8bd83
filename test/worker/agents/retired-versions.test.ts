// Versions of agents that are retired: nothing is given them any more, and what has them leaves them with its next reply.
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { AgentVersion } from "../../../protocol/agents/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { Problem } from "../../../protocol/problem.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { BROAD } from "../../support/breadth.ts";
import { endedReply } from "../../support/ended-reply.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf, type Call } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";

const WAIT = { type: "external", name: "wait", read_only: true };
const LOOK = { type: "http", name: "look_up", url: "http://127.0.0.1:9/look" };

/** An agent with three versions, named after their numbers, and a session that keeps the first one. */
async function makeVersions(older: object = {}) {
  const { call, id: tenantId } = await makeTenant();
  const tools = [WAIT, LOOK];
  const agent = await makeAgent(call, { name: "Version 1", tools, ...older });
  for (const name of ["Version 2", "Version 3"]) {
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name } });
  }
  const session = await makeSession(call, { agent_id: agent.id, agent_version: 1 });
  const path = `/v1/agents/${agent.id}/versions`;
  return {
    call,
    tenantId,
    id: agent.id,
    path,
    session,
    of: `/v1/sessions/${session.id}`,
    retire: (version: number, retired = true) =>
      ask<AgentVersion & Problem>("PATCH", `${path}/${version}`, { ...call, json: { retired } }),
  };
}

async function say(call: Call, of: string, input = "/say Hi.", more: object = {}) {
  return (await ask<Reply>("POST", `${of}/replies`, { ...call, json: { input, ...more } })).json;
}

async function eventsOf(call: Call, of: string): Promise<readonly LoggedEvent[]> {
  return (await ask<Page<LoggedEvent>>("GET", `${of}/events?limit=100`, call)).json.data;
}

async function movesOf(call: Call, of: string): Promise<readonly unknown[]> {
  return (await eventsOf(call, of)).flatMap((event) =>
    event.type === "CUSTOM" && event.name === "agent_version_changed" ? [event.value] : [],
  );
}

async function versionOf(call: Call, of: string): Promise<readonly [number, boolean]> {
  const { agent_version, follows_latest } = (await ask<Session>("GET", of, call)).json;
  return [agent_version, follows_latest];
}

describe("a version that is retired", () => {
  it("says since when, in lists too, once and in the audit", async () => {
    const { call, id, path, retire } = await makeVersions();
    const first = await retire(1);
    const again = await retire(1);
    const listed = await ask<Page<AgentVersion>>("GET", path, call);
    const { json } = await ask<Page<AuditEntry>>("GET", "/v1/audit", call);
    const entries = json.data.filter(({ action }) => action === "agent.version_retired");

    expect([first.status, first.json.version]).toEqual([200, 1]);
    expect(first.json.retired_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(again.json).toEqual(first.json);
    expect(listed.json.data.map(({ version, retired_at }) => [version, retired_at])).toEqual([
      [3, null],
      [2, null],
      [1, first.json.retired_at],
    ]);
    expect(entries).toMatchObject([
      { target_id: id, after: { version: 1, retired_at: first.json.retired_at } },
    ]);
  });

  it("is named by nothing any more, with words that say what to do", async () => {
    const { call, id, of, retire } = await makeVersions();
    await retire(1);
    const json = { agent_version: 1 };
    const answers = [
      await ask("POST", "/v1/sessions", { ...call, json: { agent_id: id, ...json } }),
      await ask("PATCH", of, { ...call, json }),
      await ask("POST", `${of}/fork`, { ...call, json }),
    ];
    const tool = `/v1/agents/${id}/tools/look_up/call`;
    const called = await ask("POST", tool, { ...call, json: { version: 1, input: {} } });

    expect(answers.map(refusalOf)).toMatchObject(
      answers.map(() => ({ status: 409, code: "conflict", pointers: ["#/agent_version"] })),
    );
    expect(answers[0]?.text).toContain("leave it out for the newest version, or bring it back");
    expect(refusalOf(called)).toMatchObject({
      status: 409,
      code: "conflict",
      pointers: ["#/version"],
    });
  });

  it("is never the newest one, and no other agent's or none", async () => {
    const { call, path, retire } = await makeVersions();
    const other = await makeVersions();
    const foreign = { ...other.call, json: { retired: true } };

    expect(refusalOf(await retire(3))).toMatchObject({ status: 409, pointers: ["#/retired"] });
    expect((await retire(4)).status).toBe(404);
    expect((await ask("PATCH", `${path}/1`, foreign)).status).toBe(404);
    const json = { name: "Other" };
    expect((await ask("PATCH", `${path}/1`, { ...call, json })).status).toBe(400);
    const { json: one } = await ask<AgentVersion>("GET", `${path}/1`, call);
    expect(one.retired_at).toBeNull();
  });

  it("needs the right to change agents", async () => {
    const { call, path } = await makeVersions();
    const made = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["agents:read", "sessions:write"] },
    });
    const narrow = { key: made.json.api_key, json: { retired: true } };

    expect((await ask("PATCH", `${path}/1`, narrow)).status).toBe(403);
  });

  it("is brought back for what names it from then on", BROAD, async () => {
    const { call, id, of, retire } = await makeVersions();
    await retire(1);
    await say(call, of);
    const back = await retire(1, false);
    const moved = await versionOf(call, of);
    const named = await makeSession(call, { agent_id: id, agent_version: 1 });
    const reply = await say(call, `/v1/sessions/${named.id}`);
    const { json } = await ask<Page<AuditEntry>>("GET", "/v1/audit", call);

    expect([back.status, back.json.retired_at]).toEqual([200, null]);
    expect([moved, reply.message?.name]).toEqual([[3, false], "Version 1"]);
    expect(json.data.map(({ action }) => action)).toContain("agent.version_restored");
  });
});

describe("a session that has a retired version", () => {
  it("gets the newest one with its next reply, keeps that, and its log and the lists say so", async () => {
    const { call, id, of, retire } = await makeVersions();
    const before = await say(call, of);
    await retire(1);
    const between = await versionOf(call, of);
    const after = await say(call, of);
    await ask("PATCH", `/v1/agents/${id}`, { ...call, json: { name: "Version 4" } });
    const later = await say(call, of);

    expect([before, after, later].map(({ message }) => message?.name)).toEqual([
      "Version 1",
      "Version 3",
      "Version 3",
    ]);
    expect([between, await versionOf(call, of)]).toEqual([
      [1, false],
      [3, false],
    ]);
    expect(await movesOf(call, of)).toEqual([{ from: 1, to: 3 }]);
    await expect
      .poll(async () => {
        const { json } = await ask<Page<SessionSummary>>("GET", "/v1/sessions", call);
        return json.data.map(({ agent_version }) => agent_version);
      })
      .toEqual([3]);
  });

  it(
    "finishes the reply that waits with the version that it began with, as queued ones do not",
    BROAD,
    async () => {
      const { call, of, retire } = await makeVersions();
      const waiting = await say(call, of, "/call wait {}\n/say done");
      const queued = await say(call, of, "/say next", { on_busy: "queue", background: true });
      await retire(1);
      const [pending] = waiting.pending;
      await ask("POST", `${of}/events`, {
        ...call,
        json: {
          type: "EXTERNAL_EXECUTION_RESULT",
          reply_id: waiting.id,
          execution_results: [{ id: pending?.tool_call.id, output: "ready", state: "success" }],
        },
      });
      const read = (id: string) => () =>
        ask<Reply>("GET", `${of}/replies/${id}`, call).then(({ json }) => json);
      const [done, next] = [await endedReply(read(waiting.id)), await endedReply(read(queued.id))];

      expect([done.message?.name, next.message?.name]).toEqual(["Version 1", "Version 3"]);
      expect(await movesOf(call, of)).toEqual([{ from: 1, to: 3 }]);
    },
  );

  it("leaves it also after its object was evicted, and after its tenant's was", BROAD, async () => {
    const { call, tenantId, session, of, retire } = await makeVersions();
    await say(call, of);
    await retire(1);
    await evictDurableObject(env.SESSION.getByName(sessionObjectName(tenantId, session.id)));
    await evictDurableObject(env.TENANT.getByName(tenantId));
    const reply = await say(call, of);

    expect(reply.message?.name).toBe("Version 3");
  });

  it("leaves it when a run of AG-UI or a fork comes first", async () => {
    const { call, id, session, of, retire } = await makeVersions();
    await say(call, of);
    await retire(1);
    const fork = await ask<Session>("POST", `${of}/fork`, { ...call, json: {} });
    const json = runInput(session.id, "/say x");
    const { text } = await ask("POST", `/v1/agents/${id}/ag-ui`, { ...call, json });
    const types = [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);

    expect([fork.status, fork.json.agent_version, fork.json.follows_latest]).toEqual([
      201,
      3,
      false,
    ]);
    expect([types[0], types.at(-1)]).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    expect(await movesOf(call, of)).toEqual([{ from: 1, to: 3 }]);
    expect(await versionOf(call, of)).toEqual([3, false]);
  });

  it(
    "says so with the first reply that begins, whatever was refused and lost before",
    BROAD,
    async () => {
      const other = { provider: "scripted", name: "other" };
      const { call, id, tenantId, session, of, retire } = await makeVersions({
        allowed_models: [other],
      });
      await ask("PATCH", `/v1/agents/${id}`, { ...call, json: { allowed_models: [] } });
      await retire(1);
      const json = { input: "/say Hi.", model: "other" };
      const refused = await ask("POST", `${of}/replies`, { ...call, json });
      const moved = await versionOf(call, of);
      await evictDurableObject(env.SESSION.getByName(sessionObjectName(tenantId, session.id)));
      const before = await movesOf(call, of);
      await say(call, of);
      await say(call, of);

      expect([refused.status, moved, before]).toEqual([400, [4, false], []]);
      expect(await movesOf(call, of)).toEqual([{ from: 1, to: 4 }]);
    },
  );

  it("leaves one that is retired after the other, each once", BROAD, async () => {
    const { call, id, of, retire } = await makeVersions();
    await retire(1);
    await say(call, of);
    await ask("PATCH", `/v1/agents/${id}`, { ...call, json: { name: "Version 4" } });
    await retire(3);
    await say(call, of);

    expect(await movesOf(call, of)).toEqual([
      { from: 1, to: 3 },
      { from: 3, to: 4 },
    ]);
  });

  it("keeps it once the agent is deleted", async () => {
    const { call, id, of, retire } = await makeVersions();
    await retire(1);
    await ask("DELETE", `/v1/agents/${id}`, call);
    const reply = await say(call, of);

    expect(reply.message?.name).toBe("Version 1");
  });

  it("stays bound to the newest one when a deny rule was the reason", BROAD, async () => {
    const { call, id, of, retire } = await makeVersions();
    const rules = [{ tool_name: "wait", behavior: "deny" }];
    await ask("PATCH", `/v1/agents/${id}`, { ...call, json: { permission: { rules } } });
    const before = await say(call, of, "/call wait {}\n/say done");
    await ask("POST", `${of}/interrupt`, call);
    await retire(1);
    const after = await say(call, of, "/call wait {}\n/say done");
    const resultOf = ({ message }: Reply) =>
      message?.content.find(({ type }) => type === "tool_result");

    expect(before.status).toBe("awaiting_external_result");
    expect([after.status, resultOf(after)]).toMatchObject(["completed", { state: "denied" }]);
  });
});
