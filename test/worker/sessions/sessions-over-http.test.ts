import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import type { OpenApiDocument } from "../../../openapi/document-types.ts";
import { PATH_PARAMETERS, ROUTES } from "../../../protocol/routes.ts";
import { ask, makeAgent, makeSession, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

/** The first body that the document shows for a route; undefined when it takes none. */
function exampleBody(
  { paths, components }: OpenApiDocument,
  path: string,
  method: string,
): unknown {
  const body = paths[path]?.[method.toLowerCase()]?.requestBody;
  const [name] = Object.keys(body?.content["application/json"]?.examples ?? {});
  return name === undefined ? undefined : components.examples[name]?.value;
}

describe("sessions", () => {
  test("a session opens on the agent's current version", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name: "Second edition" } });

    const json = { agent_id: agent.id, end_user_id: "customer-7", metadata: { channel: "phone" } };
    const opened = await ask<Session>("POST", "/v1/sessions", { ...call, json });

    const { id } = opened.json;
    expect({
      status: opened.status,
      location: opened.headers.get("Location"),
      session: opened.json,
    }).toEqual({
      status: 201,
      location: `/v1/sessions/${id}`,
      session: {
        id: expect.stringMatching(/^ses_/),
        agent_id: agent.id,
        agent_version: 2,
        follows_latest: false,
        end_user_id: "customer-7",
        title: null,
        metadata: { channel: "phone" },
        created_at: expect.any(String),
        status: "idle",
        reply_id: null,
        room_id: null,
        queued_reply_ids: [],
        pending: [],
        cursor: opened.json.cursor,
        forked_from: null,
        parent_session_id: null,
        permission: { mode: "default" },
        working_directories: [],
        time_zone: null,
      },
    });
    expect((await ask("GET", `/v1/sessions/${id}`, call)).json).toEqual(opened.json);
  });

  test("lists are filtered by agent and by end user", async () => {
    const { call } = await makeTenant();
    const [first, second] = [await makeAgent(call), await makeAgent(call)];
    const a = await makeSession(call, { agent_id: first.id, end_user_id: "ann" });
    const b = await makeSession(call, { agent_id: second.id, end_user_id: "ann" });
    const c = await makeSession(call, { agent_id: second.id });

    const found = [];
    for (const query of [
      "",
      `agent_id=${second.id}`,
      "end_user_id=ann",
      `end_user_id=ann&agent_id=${first.id}`,
    ]) {
      const { json } = await ask<Page<SessionSummary>>("GET", `/v1/sessions?${query}`, call);
      found.push(json.data.map(({ id }) => id));
    }

    // Two may be of one moment.
    const placeOf = ({ created_at, id }: Session) => `${created_at} ${id}`;
    const newestFirst = (...sessions: Session[]) =>
      sessions
        .toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1))
        .map(({ id }) => id);
    expect(found).toEqual([newestFirst(a, b, c), newestFirst(b, c), newestFirst(a, b), [a.id]]);
  });

  test("a deleted session is gone from its object and from the list", async () => {
    const { call } = await makeTenant();
    const { id } = await makeSession(call, { agent_id: (await makeAgent(call)).id });

    const deleted = await ask("DELETE", `/v1/sessions/${id}`, call);

    const after = [
      await ask("GET", `/v1/sessions/${id}`, call),
      await ask("GET", `/v1/sessions/${id}/messages`, call),
      await ask("POST", `/v1/sessions/${id}/replies`, { ...call, json: { input: "hi" } }),
      await ask("DELETE", `/v1/sessions/${id}`, call),
    ];
    expect([deleted.status, ...after.map(({ status }) => status)]).toEqual([
      204, 404, 404, 404, 404,
    ]);
    expect((await ask<Page<unknown>>("GET", "/v1/sessions", call)).json.data).toEqual([]);
  });

  test("a deleted tenant takes its sessions along", async () => {
    const tenant = await makeTenant();
    const agent = await makeAgent(tenant.call);
    for (let count = 0; count < 3; count += 1)
      await makeSession(tenant.call, { agent_id: agent.id });

    const { status } = await ask("DELETE", `/v1/tenants/${tenant.id}`, OPERATOR);

    const left = await env.DB.prepare("SELECT id FROM sessions WHERE tenant_id = ?")
      .bind(tenant.id)
      .all();
    expect([status, left.results]).toEqual([204, []]);
  });

  test("every route of a session answers another tenant as if it were not there, and stores nothing", async () => {
    const [owner, stranger] = [await makeTenant("Owner"), await makeTenant("Stranger")];
    const session = await makeSession(owner.call, { agent_id: (await makeAgent(owner.call)).id });
    const rows = ROUTES.filter(({ path }) => path.includes("{session_id}"));

    const answers: Record<string, unknown> = {};
    const document = await ask<OpenApiDocument>("GET", "/openapi.json");
    for (const { method, path } of rows) {
      const address = path
        .replace("{session_id}", session.id)
        .replace(/\{(\w+)\}/g, (_, name: string) => `${PATH_PARAMETERS[name]}_${"0".repeat(26)}`);
      const json = exampleBody(document.json, path, method);
      const query = path.endsWith("/mcp-resources") ? "?server_id=mcp_1&uri=ui://a/b" : "";
      const call = { ...stranger.call, json };
      const { status, code } = refusalOf(await ask(method, address + query, call));
      answers[`${method} ${path}`] = { status, code };
    }
    const stream = { Accept: "text/event-stream" };
    const events = await ask("GET", `/v1/sessions/${session.id}/events`, {
      ...stranger.call,
      headers: stream,
    });

    const gone = { status: 404, code: "not_found" };
    expect(answers).toEqual(
      Object.fromEntries(rows.map(({ method, path }) => [`${method} ${path}`, gone])),
    );
    expect(refusalOf(events)).toEqual({ ...gone, pointers: undefined });
    const touched = env.SESSION.getByName(sessionObjectName(stranger.id, session.id));
    const tables = await runInDurableObject(touched, (_, { storage }) =>
      storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
        .toArray(),
    );
    expect(tables).toEqual([]);
    expect((await ask("GET", `/v1/sessions/${session.id}`, owner.call)).json).toEqual(session);
  });

  test.each<[string, object, string]>([
    ["no agent", {}, "#/agent_id"],
    ["an unknown field", { agent_id: "agt_1", colour: 1 }, "#/colour"],
    ["metadata that is no object", { agent_id: "agt_1", metadata: [] }, "#/metadata"],
  ])("refuses to open with %s", async (_, json, pointer) => {
    const { call } = await makeTenant();

    const answer = await ask("POST", "/v1/sessions", { ...call, json });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });
});
