import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { Call } from "../support/api.ts";
import { ask, makeTenant, openSession, OPERATOR } from "../support/api.ts";
import { CALLS_THAT_HIDE, askDown, brokenDatabase } from "../support/broken-database.ts";

const UNAVAILABLE = { status: 503, code: "unavailable", retryAfter: "2" };

function essenceOf({ status, headers, json }: Awaited<ReturnType<typeof askDown>>) {
  return { status, code: json.code, retryAfter: headers.get("Retry-After") };
}

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

describe("while D1 is down", () => {
  test("a session goes on: its routes need no D1 once the key is known", async () => {
    const { call, path } = await openSession();

    const answers = [
      await askDown("POST", `${path}/replies`, { ...call, json: { input: "hello" } }),
      await askDown("GET", path, call),
      await askDown("GET", `${path}/replies`, call),
      await askDown("GET", `${path}/messages`, call),
      await askDown("GET", `${path}/events`, call),
      await askDown("POST", `${path}/interrupt`, call),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test("a key is known for an hour after D1 was last asked, and no longer", async () => {
    const { call, path } = await openSession();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const now = Date.now();

    const answers = [];
    for (const minutes of [1, 59, 61]) {
      vi.useFakeTimers({ toFake: ["Date"], now: now + minutes * 60_000 });
      answers.push(await askDown("GET", path, call));
    }

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
  });

  test("a key that this isolate does not know is not refused, but told to come again", async () => {
    const { call } = await makeTenant();

    const answer = await askDown("GET", "/v1/agents", call);

    expect(essenceOf(answer)).toEqual(UNAVAILABLE);
    expect((await ask("GET", "/v1/agents", call)).status).toBe(200);
  });

  test("whatever needs D1 says that it cannot, and when to try again", async () => {
    const { call, agent, path, tenantId } = await openSession();
    const name = { name: "New" };
    const secret = { type: "tool", secret: "s", allowed_hosts: ["shop.example"] };
    const requests: [string, string, Call][] = [
      ["GET", "/v1/tenants", OPERATOR],
      ["POST", "/v1/tenants", { ...OPERATOR, json: name }],
      ["DELETE", `/v1/tenants/${tenantId}`, OPERATOR],
      ["POST", "/v1/api-keys", { ...call, json: {} }],
      ["GET", "/v1/credentials", call],
      ["POST", "/v1/credentials", { ...call, json: { ...name, ...secret } }],
      ["GET", "/v1/agents", call],
      ["POST", "/v1/agents", { ...call, json: name }],
      ["PATCH", `/v1/agents/${agent.id}`, { ...call, json: name }],
      ["GET", `/v1/agents/${agent.id}/versions`, call],
      ["POST", "/v1/sessions", { ...call, json: { agent_id: agent.id } }],
      ["GET", "/v1/sessions", call],
      ["PATCH", path, { ...call, json: { metadata: { a: 1 } } }],
      ["DELETE", path, call],
      ["GET", "/v1/usage", call],
    ];

    const answers = [];
    for (const request of requests) answers.push(essenceOf(await askDown(...request)));

    expect(answers).toEqual(requests.map(() => UNAVAILABLE));
  });

  test("nothing is half done", async () => {
    const { call, agent, session, path, tenantId } = await openSession();

    await askDown("DELETE", path, call);
    await askDown("PATCH", path, { ...call, json: { metadata: { a: 1 } } });
    await askDown("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name: "Half" } });
    await askDown("DELETE", `/v1/tenants/${tenantId}`, OPERATOR);

    expect((await ask("GET", path, call)).json).toEqual(session);
    expect((await ask("GET", `/v1/agents/${agent.id}`, call)).json).toEqual(agent);
    const { json } = await ask<Page<Session>>("GET", "/v1/sessions", call);
    expect(json.data.map(({ id }) => id)).toEqual([session.id]);
  });

  test("a session whose row cannot be written was never opened", async () => {
    const { call, agent, session } = await openSession();
    const json = { agent_id: agent.id, end_user_id: "nobody" };

    // Two queries find the agent; the third would write the row.
    const answer = await askDown("POST", "/v1/sessions", {
      ...call,
      json,
      database: brokenDatabase(2),
    });

    const { json: list } = await ask<Page<Session>>("GET", "/v1/sessions", call);
    expect([answer.status, list.data.map(({ id }) => id)]).toEqual([503, [session.id]]);
  });

  test("a deletion that D1 interrupts is finished by the same request", async () => {
    const { call, path } = await openSession();

    // The row is hidden and the object erased; what D1 holds cannot be removed.
    const cut = await askDown("DELETE", path, {
      ...call,
      database: brokenDatabase(CALLS_THAT_HIDE),
    });
    const hidden = await ask<Page<Session>>("GET", "/v1/sessions", call);
    const again = await ask("DELETE", path, call);

    const rows = await env.DB.prepare("SELECT id FROM sessions WHERE id = ?")
      .bind(path.split("/").at(-1))
      .all();
    expect([cut.status, hidden.json.data, again.status, rows.results]).toEqual([503, [], 204, []]);
  });

  test("a mistake in a query is ours, and no outage", async () => {
    const { call } = await openSession();
    const database = new Proxy(env.DB, {
      get: () => () => {
        throw new Error("D1_ERROR: no such table: agents: SQLITE_ERROR");
      },
    });

    const answer = await askDown("GET", "/v1/agents", { ...call, database });

    expect([answer.status, answer.json.code]).toEqual([500, "internal"]);
  });
});
