// A sign-in has its time: its calls end then, and not before. The authorization server is answered for by the test, as
// only the clock of workerd can be moved.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Connection } from "../../../protocol/mcp/connections.ts";
import type { McpServer } from "../../../protocol/mcp/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { SIGN_IN_MS } from "../../../protocol/mcp/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeAgent, makeSession, makeTenant, send } from "../support/api.ts";

const ISSUER = "https://login.example";
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
};

interface Outside {
  /** Requests to both servers. */
  readonly asked: string[];
  /** The MCP server wants a grant that allows more. */
  forbids: boolean;
}

/** An MCP server that wants a sign-in, and its authorization server. */
function answerOutside(): Outside {
  const outside: Outside = { asked: [], forbids: false };
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init as RequestInit);
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return Response.json({
          resource: "https://mcp.example/mcp",
          authorization_servers: [ISSUER],
        });
      case "/.well-known/oauth-authorization-server":
        return Response.json(METADATA);
      case "/register":
        return Response.json(
          { ...(await request.json<object>()), client_id: "c" },
          { status: 201 },
        );
      case "/token":
        outside.asked.push("/token");
        return Response.json({ access_token: "of-ada", token_type: "Bearer", expires_in: 3_600 });
      case "/mcp":
        return answerMcp(request, outside);
      default:
        return new Response(null, { status: 404 });
    }
  });
  onTestFinished(() => spy.mockRestore());
  return outside;
}

async function answerMcp(request: Request, { asked, forbids }: Outside): Promise<Response> {
  if (forbids) {
    const challenge = 'Bearer error="insufficient_scope", scope="all"';
    return new Response(null, { status: 403, headers: { "www-authenticate": challenge } });
  }
  if (request.headers.get("authorization") !== "Bearer of-ada") {
    return new Response(null, { status: 401 });
  }
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const { id, method } = await request.json<{ id?: number; method: string }>();
  if (id === undefined) return new Response(null, { status: 202 });
  asked.push(method);
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "wh", version: "1" },
    },
    "tools/list": { tools: [{ name: "act", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "done" }] },
  };
  const result = results[method];
  const error = { code: -32_601, message: "no such method" };
  return Response.json({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) });
}

/** A reply of ada's that waits for her sign-in. */
async function open() {
  const outside = answerOutside();
  const { id: tenantId, call } = await makeTenant();
  const { json: server } = await ask<McpServer>("POST", "/v1/mcp-servers", {
    ...call,
    json: {
      name: "wh",
      url: "https://mcp.example/mcp",
      oauth: { grant: "authorization_code", owner: "end_user" },
    },
  });
  const tools = [{ type: "mcp", server_id: server.id, permissions: { "*": "allow" } }];
  const agent = await makeAgent(call, { name: "Desk", tools });
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ada" });
  const path = `/v1/sessions/${session.id}`;
  const before = Date.now();
  const input = "/call mcp__wh__sign_in {}\n/call mcp__wh__act {}\n/say Done.";
  const say = async (text: string) =>
    (await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input: text } })).json;
  const reply = await say(input);
  const authorization = authorizationOf(reply);
  const one = `/v1/connections/${authorization.connection_id}`;
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  const read = async () => (await ask<Reply>("GET", `${path}/replies/${reply.id}`, call)).json;
  return {
    outside,
    asked: outside.asked,
    before,
    say,
    authorization,
    read,
    ring: () => runDurableObjectAlarm(stub),
    ended: () =>
      waitFor(async () => {
        const found = await read();
        expect(found.status).toBe("completed");
        return found;
      }),
    /** The browser comes back. */
    async comeBack({ url } = authorization) {
      const { searchParams } = new URL(url);
      const { pathname } = new URL(searchParams.get("redirect_uri") ?? "");
      const state = searchParams.get("state") ?? "";
      const answer = await send("GET", `${pathname}?state=${state}&code=code-1`);
      const code = /<code>([^<]+)<\/code>/.exec(await answer.text())?.[1] ?? "";
      return { status: answer.status, code };
    },
    complete: (code: string) => ask("POST", `${one}/complete`, { ...call, json: { code } }),
    connection: async () => (await ask<Connection>("GET", one, call)).json,
  };
}

function authorizationOf({ pending }: Reply) {
  const authorization = pending[0]?.authorization;
  if (!authorization) throw new Error(`no sign-in is asked for: ${JSON.stringify(pending)}`);
  return authorization;
}

function resultsOf({ message }: Reply) {
  return (message?.content ?? []).flatMap((block) =>
    block.type === "tool_result" ? [[block.state, JSON.stringify(block.output)]] : [],
  );
}

test("a second before its time a sign-in still waits, and can be completed", async () => {
  const world = await open();
  const expiresAt = Date.parse(world.authorization.expires_at);
  expect(expiresAt).toBeGreaterThanOrEqual(world.before + SIGN_IN_MS);
  advanceClock(expiresAt - Date.now() - 1_000);
  await world.ring();
  expect((await world.read()).status).toBe("awaiting_external_result");
  const { status, code } = await world.comeBack();
  const completed = await world.complete(code);
  const reply = await world.ended();

  expect([status, completed.status]).toEqual([200, 200]);
  expect(resultsOf(reply).map(([state]) => state)).toEqual(["success", "success"]);
  expect(world.asked.filter((one) => one === "tools/call")).toHaveLength(1);
});

test("behind its time its calls end with an error, and the browser comes too late", async () => {
  const world = await open();
  advanceClock(Date.parse(world.authorization.expires_at) - Date.now() + 1);
  await world.ring();
  const reply = await world.ended();
  const late = await world.comeBack();

  expect(resultsOf(reply)).toEqual([
    ["error", expect.stringContaining("in time")],
    ["error", expect.stringContaining("no tool named")],
  ]);
  expect(late).toEqual({ status: 404, code: "" });
  expect(world.asked).toEqual([]);
  expect(await world.connection()).toMatchObject({ status: "waiting" });
});

test("a code that is handed back behind that time grants nothing, though the alarm is late", async () => {
  const world = await open();
  const { code } = await world.comeBack();
  advanceClock(Date.parse(world.authorization.expires_at) - Date.now() + 1);
  const late = await world.complete(code);

  expect([late.status, late.json.code]).toEqual([409, "conflict"]);
  await world.ring();
  expect(resultsOf(await world.ended())[0]?.[0]).toBe("error");
  expect(world.asked).toEqual([]);
  expect(await world.connection()).toMatchObject({ status: "waiting" });
});

test("a sign-in for more that is over is not taken for the grant that there is", async () => {
  const world = await open();
  await world.complete((await world.comeBack()).code);
  await world.ended();
  world.outside.forbids = true;
  const more = authorizationOf(await world.say("/call mcp__wh__act {}\n/say Done."));
  world.outside.forbids = false;
  const { code } = await world.comeBack(more);
  advanceClock(Date.parse(more.expires_at) - Date.now() + 1);
  const late = await world.complete(code);

  expect([late.status, late.json.code]).toEqual([409, "conflict"]);
  expect(await world.connection()).toMatchObject({ status: "active" });
});
