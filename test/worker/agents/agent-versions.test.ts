import { describe, expect, test } from "vitest";

import type { AgentVersion } from "../../../protocol/agents/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf } from "../support/api.ts";

/** An agent with three versions, named after their numbers. */
async function makeVersions() {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Version 1" });
  for (const name of ["Version 2", "Version 3"]) {
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name } });
  }
  return { call, id: agent.id, path: `/v1/agents/${agent.id}/versions` };
}

function patchSession(call: Call, session: Session, json: object) {
  return ask<Session>("PATCH", `/v1/sessions/${session.id}`, { ...call, json });
}

/** The name under which an agent answers: that of the version that a reply ran with. */
async function replyingName(call: Call, session: Session): Promise<string | undefined> {
  const json = { input: "hello" };
  const path = `/v1/sessions/${session.id}/replies`;
  const answer = await ask<{ message: { name: string } }>("POST", path, { ...call, json });
  return answer.json.message?.name;
}

describe("an agent's versions", () => {
  test("stay as they were, the newest first", async () => {
    const { call, id, path } = await makeVersions();

    const { json } = await ask<Page<AgentVersion>>("GET", path, call);
    const one = await ask<AgentVersion>("GET", `${path}/1`, call);

    expect(json.data.map(({ version, name }) => [version, name])).toEqual([
      [3, "Version 3"],
      [2, "Version 2"],
      [1, "Version 1"],
    ]);
    expect(one.json).toEqual(json.data[2]);
    expect(one.json).toMatchObject({ agent_id: id, version: 1, system_prompt: "", tools: [] });
  });

  test("are listed page by page", async () => {
    const { call, path } = await makeVersions();

    const first = await ask<Page<AgentVersion>>("GET", `${path}?limit=2`, call);
    const next = `${path}?limit=2&page=${first.json.next_page}`;
    const second = await ask<Page<AgentVersion>>("GET", next, call);

    const versions = [first, second].map(({ json }) => json.data.map(({ version }) => version));
    expect([versions, second.json.next_page]).toEqual([[[3, 2], [1]], null]);
  });

  test("are gone with the agent, and what never was is not there", async () => {
    const { call, id, path } = await makeVersions();
    const missing = [`${path}/4`, `${path}/0`, `${path}/01`, `${path}/-1`, `${path}/latest`];
    const before = [];
    for (const address of missing) before.push((await ask("GET", address, call)).status);

    await ask("DELETE", `/v1/agents/${id}`, call);

    const after = [await ask("GET", path, call), await ask("GET", `${path}/1`, call)];
    expect([before, after.map(({ status }) => status)]).toEqual([
      [404, 404, 404, 404, 404],
      [404, 404],
    ]);
    expect(refusalOf(await ask("GET", `${path}?page=x`, call)).pointers).toEqual(["#/query/page"]);
  });
});

describe("a session and its agent's version", () => {
  test("is pinned to the current one unless it says otherwise", async () => {
    const { call, id } = await makeVersions();
    const choices = [{}, { agent_version: 1 }, { agent_version: "latest" }];

    const opened = [];
    for (const choice of choices) {
      const session = await makeSession(call, { agent_id: id, ...choice });
      opened.push([
        session.agent_version,
        session.follows_latest,
        await replyingName(call, session),
      ]);
    }

    expect(opened).toEqual([
      [3, false, "Version 3"],
      [1, false, "Version 1"],
      [3, true, "Version 3"],
    ]);
  });

  test("a session that follows the agent takes each new version, a pinned one none", async () => {
    const { call, id } = await makeVersions();
    const follower = await makeSession(call, { agent_id: id, agent_version: "latest" });
    const pinned = await makeSession(call, { agent_id: id });

    await ask("PATCH", `/v1/agents/${id}`, { ...call, json: { name: "Version 4" } });

    const names = [await replyingName(call, follower), await replyingName(call, pinned)];
    expect(names).toEqual(["Version 4", "Version 3"]);
  });

  test("can be changed, for the next reply", async () => {
    const { call, id } = await makeVersions();
    const session = await makeSession(call, { agent_id: id });

    const back = await patchSession(call, session, { agent_version: 1 });
    const name = await replyingName(call, session);
    const ahead = await patchSession(call, session, { agent_version: "latest" });
    const newest = await replyingName(call, session);

    expect([
      [back.status, back.json.agent_version, back.json.follows_latest, name],
      [ahead.status, ahead.json.follows_latest, newest],
    ]).toEqual([
      [200, 1, false, "Version 1"],
      [200, true, "Version 3"],
    ]);
    const { json } = await ask<Page<SessionSummary>>("GET", "/v1/sessions", call);
    expect(json.data.map(({ follows_latest }) => follows_latest)).toEqual([true]);
  });

  test("metadata changes on the session and in the list, and the rest stays", async () => {
    const { call, id } = await makeVersions();
    const session = await makeSession(call, { agent_id: id, metadata: { a: 1 } });

    const patched = await patchSession(call, session, { metadata: { b: 2 } });
    const untouched = await patchSession(call, session, {});

    const changed = { ...session, metadata: { b: 2 } };
    expect([patched.json, untouched.json]).toEqual([changed, changed]);
    const { json } = await ask<Page<SessionSummary>>("GET", "/v1/sessions", call);
    const {
      reply_id,
      queued_reply_ids,
      pending,
      cursor,
      permission,
      working_directories,
      time_zone,
      ...summary
    } = changed;
    expect(json.data).toEqual([{ ...summary, failure: null, cost_usd: null }]);
  });

  test("refuses versions that are not there", async () => {
    const { call, id } = await makeVersions();
    const session = await makeSession(call, { agent_id: id });

    const answers = [
      await ask("POST", "/v1/sessions", { ...call, json: { agent_id: id, agent_version: 4 } }),
      await patchSession(call, session, { agent_version: 4 }),
      await patchSession(call, session, { agent_version: 0 }),
      await patchSession(call, session, { agent_version: "newest" }),
      await patchSession(call, session, { agent_id: id }),
    ];

    const pointers = ["#/agent_version"];
    expect(answers.map((answer) => refusalOf(answer as never))).toEqual([
      { status: 404, code: "not_found", pointers },
      { status: 404, code: "not_found", pointers },
      { status: 400, code: "validation_failed", pointers },
      { status: 400, code: "validation_failed", pointers },
      { status: 400, code: "validation_failed", pointers: ["#/agent_id"] },
    ]);
    expect((await ask("GET", `/v1/sessions/${session.id}`, call)).json).toEqual(session);
  });
});
