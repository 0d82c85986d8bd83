// Messages of A2A at their edges: what calls itself, what is sent twice, what looks on, and what is no request.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, type Call, makeAgent, makeTenant, send } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";

async function desk() {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", a2a: { enabled: true } });
  const base = `/v1/agents/${agent.id}/a2a`;
  return { call: { ...call, headers: { "A2A-Version": "1.0" } }, agent, base };
}

function said(text: string, more: object = {}) {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  return { message: { ...message, ...more } };
}

async function begin(base: string, call: Call, json: object): Promise<A2aTask> {
  const sent = await ask<{ task: A2aTask }>("POST", `${base}/message:send`, { ...call, json });
  if (sent.status !== 200) throw new Error(sent.text);
  return sent.json.task;
}

describe("Agents that call each other", () => {
  test("are stopped behind the eighth: the task is rejected, and nothing is kept", async () => {
    const { call, base } = await desk();
    const at = (depth: string) => ({
      ...call,
      headers: { ...call.headers, "Reprise-A2A-Depth": depth },
    });

    const eighth = await begin(base, at("8"), said("/say Hello."));
    const ninth = await begin(base, at("9"), said("/say Hello."));
    const streamed = await ask("POST", `${base}/message:stream`, {
      ...at("9"),
      json: said("/say Hello."),
    });
    const kept = await ask("GET", `${base}/tasks/${ninth.id}`, call);

    expect([eighth.status.state, ninth.status.state, kept.status]).toEqual([
      "TASK_STATE_COMPLETED",
      "TASK_STATE_REJECTED",
      404,
    ]);
    expect(streamed.text).toMatch(/^data: \{"task":.*TASK_STATE_REJECTED.*\n\n$/);
  });
});

describe("A context", () => {
  test("of a client's own name is one session, whoever names it first", async () => {
    const { call, base } = await desk();

    const [one, two] = await Promise.all(
      ["One", "Two"].map((word) =>
        ask<{ task?: A2aTask }>("POST", `${base}/message:send`, {
          ...call,
          json: said(`/say ${word}.`, { contextId: "my orders" }),
        }),
      ),
    );
    const sessions = await ask<{ data: readonly Session[] }>("GET", "/v1/sessions", call);

    expect(sessions.json.data).toHaveLength(1);
    // Both are taken one after the other, or one is refused while the other runs.
    expect([one?.status, two?.status].toSorted()[0]).toBe(200);
  });

  test("is that of a client token's session where none is named", async () => {
    const { call, agent, base } = await desk();
    const session = await ask<Session>("POST", "/v1/sessions", {
      ...call,
      json: { agent_id: agent.id },
    });
    const token = await mintCall(`/v1/sessions/${session.json.id}`, call, {
      verbs: ["read", "reply"],
    });
    const own = { ...token, headers: call.headers };

    const task = await begin(base, own, said("/say Hello."));
    const elsewhere = await ask("POST", `${base}/message:send`, {
      ...own,
      json: said("/say Hello.", { contextId: "another" }),
    });

    expect(task.contextId).toBe(session.json.id);
    expect(elsewhere.status).toBe(400);
  });
});

describe("A message", () => {
  test("that is sent again begins nothing, and another one under its id is refused", async () => {
    const { call, base } = await desk();
    const first = await begin(base, call, said("/say Hello."));
    const again = said("/say More.", { contextId: first.contextId });

    const [second, third] = [await begin(base, call, again), await begin(base, call, again)];
    const other = {
      message: { ...again.message, parts: [{ text: "/say Something else." }] },
    };
    const refused = await ask("POST", `${base}/message:send`, { ...call, json: other });

    expect([third.id, second.id === first.id]).toEqual([second.id, false]);
    expect(refused.status).toBe(400);
  });

  test("whose id is too long, or whose data is no base64, opens nothing", async () => {
    const { call, base } = await desk();
    const given = [
      { messageId: "m".repeat(129) },
      { parts: [{ raw: "abcde", mediaType: "image/png" }] },
    ];
    const statuses = [];
    for (const more of given) {
      const json = said("/say Hello.", more);
      statuses.push((await ask("POST", `${base}/message:send`, { ...call, json })).status);
    }
    const longest = await begin(base, call, said("/say Hello.", { messageId: "m".repeat(128) }));
    const sessions = await ask<{ data: readonly Session[] }>("GET", "/v1/sessions", call);

    expect(statuses).toEqual([400, 400]);
    expect(sessions.json.data.map(({ id }) => id)).toEqual([longest.contextId]);
  });

  test("that the context has from elsewhere is refused, and no task is listed for it", async () => {
    const { call, agent, base } = await desk();
    const { json: session } = await ask<Session>("POST", "/v1/sessions", {
      ...call,
      json: { agent_id: agent.id },
    });
    const { message } = said("/say Hello.", { contextId: session.id });
    const input = { id: message.messageId, content: [{ type: "text", text: "/say Hello." }] };
    const path = `/v1/sessions/${session.id}/replies`;
    const reply = await ask<{ id: string }>("POST", path, { ...call, json: { input } });

    const answer = await ask("POST", `${base}/message:send`, { ...call, json: { message } });
    const task = await ask("GET", `${base}/tasks/${reply.json.id}`, call);
    const list = await ask<{ tasks: readonly A2aTask[] }>("GET", `${base}/tasks`, call);

    expect([answer.status, task.status, list.json.tasks]).toEqual([400, 404, []]);
  });

  test("with a position of a stream begins its task where it is new, and goes on there where it is not", async () => {
    const { call, base } = await desk();
    const json = said("/say Hello.", { contextId: "chat" });
    const stream = (cursor: string) =>
      ask("POST", `${base}/message:stream`, {
        ...call,
        headers: { ...call.headers, "Last-Event-ID": cursor },
        json,
      });

    const [wrong, first] = [await stream("no position"), await stream("99999")];
    const list = await ask<{ tasks: readonly A2aTask[] }>("GET", `${base}/tasks`, call);
    const again = await stream("99999");

    expect([wrong.status, first.status, again.status]).toEqual([400, 200, 400]);
    expect(first.text).toContain("TASK_STATE_COMPLETED");
    expect(list.json.tasks).toHaveLength(1);
  });

  test("with a config whose address may not be used begins nothing", async () => {
    const { call, base } = await desk();
    const taskPushNotificationConfig = { url: "http://10.0.0.1/told" };

    const refused = await ask("POST", `${base}/message:send`, {
      ...call,
      json: { ...said("/say Hello."), configuration: { taskPushNotificationConfig } },
    });
    const sessions = await ask<{ data: readonly Session[] }>("GET", "/v1/sessions", call);

    expect([refused.status, sessions.json.data]).toEqual([400, []]);
  });

  test("that only asks whether a stream is there opens none", async () => {
    const { call, base } = await desk();
    const task = await begin(base, call, said("/say Hello."));
    const headers = { ...call.headers, "Last-Event-ID": "1" };

    const answer = await send("HEAD", `${base}/tasks/${task.id}:subscribe`, { ...call, headers });

    expect([answer.status, answer.body]).toEqual([200, null]);
  });
});

describe("A body", () => {
  const CASES: readonly (readonly [string, Call, number, unknown])[] = [
    ["that is no JSON", { body: "{" }, 200, -32_700],
    ["that is no UTF-8", { body: new Uint8Array([0x22, 0xff, 0x22]) }, 200, -32_700],
    ["without an id", { json: { jsonrpc: "2.0", method: "GetTask" } }, 200, -32_600],
    ["that is a batch", { json: [] }, 200, -32_600],
    ["that is too deep", { body: `{"a":${"[".repeat(64)}${"]".repeat(64)}}` }, 200, -32_602],
    ["of another type", { body: "{}", headers: { "Content-Type": "text/plain" } }, 415, undefined],
  ];

  test.each(CASES)("%s is refused in JSON-RPC's form", async (_, given, status, code) => {
    const { call, base } = await desk();
    const headers = {
      "Content-Type": "application/json",
      ...call.headers,
      ...given.headers,
    };

    const answer = await ask("POST", base, { ...call, ...given, headers });

    const { error } = answer.json as unknown as { error?: { code: number } };
    expect([answer.status, error?.code]).toEqual([status, code]);
  });

  test("of the media type of A2A is taken, and a page of another origin may read the answer", async () => {
    const { call, base } = await desk();
    const headers = {
      ...call.headers,
      "Content-Type": "application/a2a+json",
      Origin: "https://shop.example",
    };

    const answer = await ask("POST", `${base}/message:send`, {
      ...call,
      headers,
      json: said("/say Hello."),
    });

    expect([
      answer.status,
      answer.headers.get("Content-Type"),
      answer.headers.get("Access-Control-Allow-Origin"),
    ]).toEqual([200, "application/a2a+json", "*"]);
  });
});

test("an end user's name of a context is another than the tenant's", async () => {
  const { call, base } = await desk();
  const named = await begin(base, call, said("/say Hello.", { contextId: "orders" }));
  const row = await env.DB.prepare("SELECT session_id, end_user_id FROM a2a_tasks WHERE id = ?")
    .bind(named.id)
    .first();

  expect(named.contextId).toBe("orders");
  expect(row).toMatchObject({ end_user_id: null });
});
