// MCP servers as a resource: what is refused when one is written, what is sent to it, and the check of an agent.
import { expect, it, onTestFinished } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startOfficialServer } from "../../support/mcp/official-server.ts";
import { startRawServer, writeJson } from "../../support/mcp/raw-server.ts";
import { createTenant, request } from "../../support/platform-client.ts";

interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

const URL = "https://mcp.example/mcp";

it.each([
  [{ transport: "stdio" }, "#/transport", "stdio is not on this platform"],
  [{ transport: "sse" }, "#/transport", "sse is not on this platform"],
  [{ name: "a__b" }, "#/name", "a server's name is 1 to 24 letters and digits"],
  [{ url: "https://10.0.0.1/" }, "#/url", "the host is private, local or reserved"],
  [{ headers: { "Mcp-Session-Id": "x" } }, "#/headers/Mcp-Session-Id", "belongs to the protocol"],
  [{ headers: { Authorization: "x" } }, "#/headers/Authorization", "is a secret"],
  [{ credential_id: "crd_nobody" }, "#/credential_id", "there is no such credential"],
  [{ command: "npx" }, "#/command", "is not a known field"],
])("a server with %j is refused, and says where", async (more, pointer, detail) => {
  const { key } = await createTenant();
  const body = { name: "wh", url: URL, ...more };
  const answer = await request<Problem>("POST", "/v1/mcp-servers", { key, body });

  expect([answer.status, answer.body.code]).toEqual([400, "validation_failed"]);
  expect(answer.body.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
});

it(
  "a server that refuses the newest version, and names it among those that it speaks, is asked in it again",
  BROAD,
  async () => {
    const mcp = await startRawServer({
      "server/discover": ({ id }, response) => {
        const error = { code: -32_022, message: "no", data: { supported: ["2026-07-28"] } };
        writeJson(response, { id, error });
        return undefined;
      },
    });
    onTestFinished(() => mcp.stop());
    const desk = await openMcpDesk(mcp.url);
    const { results } = await desk.say("/call mcp__wh__act {}\n/say Done.");

    expect(desk.textOf(results[0])).toBe("done");
    expect(mcp.methods).toEqual(["server/discover", "tools/list", "tools/call"]);
  },
);

it("two servers of a tenant have different names, also after a change", BROAD, async () => {
  const { key } = await createTenant();
  const create = (name: string) =>
    request<{ id: string } & Problem>("POST", "/v1/mcp-servers", { key, body: { name, url: URL } });
  await create("one");
  const two = await create("two");
  const again = await create("one");
  const renamed = await request<Problem>("PATCH", `/v1/mcp-servers/${two.body.id}`, {
    key,
    body: { name: "one" },
  });

  expect(
    [again, renamed].map(({ status, body }) => [status, body.code, body.errors?.[0]?.pointer]),
  ).toEqual([
    [409, "conflict", "#/name"],
    [409, "conflict", "#/name"],
  ]);
});

it("an agent names servers that there are, and each of them once", async () => {
  const { key } = await createTenant();
  const { body: server } = await request<{ id: string }>("POST", "/v1/mcp-servers", {
    key,
    body: { name: "wh", url: URL },
  });
  const create = async (...tools: readonly object[]) => {
    const body = { name: "Desk", tools };
    const answer = await request<Problem>("POST", "/v1/agents", { key, body });
    return [answer.status, answer.body.errors?.map(({ pointer }) => pointer)];
  };
  const entry = { type: "mcp", server_id: server.id };

  expect(await create({ type: "mcp", server_id: "mcp_nobody" })).toEqual([
    400,
    ["#/tools/0/server_id"],
  ]);
  expect(await create(entry, entry)).toEqual([400, ["#/tools/1/server_id"]]);
  expect(await create({ ...entry, enable: ["a"], disable: ["a"] })).toEqual([
    400,
    ["#/tools/0/disable/0"],
  ]);
  expect(await create(entry)).toEqual([201, undefined]);
});

it("a credential is sent to the hosts that it is bound to, and to no others", BROAD, async () => {
  const mcp = await startOfficialServer("modern");
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  const { key, server_id } = desk;
  const { host } = new globalThis.URL(mcp.url);
  const { body: credential } = await request<{ id: string }>("POST", "/v1/credentials", {
    key,
    body: { name: "C", type: "tool", secret: "shelf-secret", allowed_hosts: [host] },
  });
  const change = (body: object) => request("PATCH", `/v1/mcp-servers/${server_id}`, { key, body });
  await change({ credential_id: credential.id, secret_headers: { "X-Key": credential.id } });
  await desk.say("/say Hello.");
  const sent = mcp.requests.at(-1)?.headers;
  await request("PATCH", `/v1/credentials/${credential.id}`, {
    key,
    body: { allowed_hosts: ["other.example"] },
  });
  const seen = mcp.requests.length;
  const { hints } = await desk.say("/say Again.");

  expect([sent?.["authorization"], sent?.["x-key"]]).toEqual([
    "Bearer shelf-secret",
    "shelf-secret",
  ]);
  expect(hints.join()).toContain(`may not be sent to ${host}`);
  expect(mcp.requests).toHaveLength(seen);
});

it("a key needs tools:call for one tool alone, and what a server lists", BROAD, async () => {
  const mcp = await startOfficialServer("modern");
  onTestFinished(() => mcp.stop());
  const { key, server_id } = await openMcpDesk(mcp.url);
  const { body } = await request<{ api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: { scopes: ["agents:read", "agents:write"] },
  });
  const path = `/v1/mcp-servers/${server_id}/tools`;
  const list = await request<Problem>("GET", path, { key: body.api_key });
  const call = await request<Problem>("POST", `${path}/count/call`, {
    key: body.api_key,
    body: {},
  });
  const mine = await request<object>("POST", `${path}/count/call`, { key, body: {} });

  expect([list.body.code, call.body.code]).toEqual(["insufficient_scope", "insufficient_scope"]);
  expect(mine.body).toMatchObject({
    name: "count",
    state: "success",
    content: [{ type: "text", text: "call 1" }],
    structured_content: null,
  });
});

it("the check of an agent asks its servers for their tools", async () => {
  const mcp = await startOfficialServer("legacy stateful");
  onTestFinished(() => mcp.stop());
  const { key, agent } = await openMcpDesk(mcp.url, { tool: { enable: ["count"] } });
  const check = async () => {
    const answer = await request<{ ok: boolean; tools: readonly object[] }>(
      "POST",
      `/v1/agents/${agent}/check`,
      { key, body: {} },
    );
    return answer.body;
  };
  const good = await check();
  await mcp.stop();
  const bad = await check();

  expect([good.ok, good.tools]).toMatchObject([
    true,
    [
      {
        name: "wh",
        type: "mcp",
        method: "POST",
        status: "ok",
        note: "It lists 7 tools, and 1 of them are offered.",
      },
    ],
  ]);
  expect([bad.ok, bad.tools]).toMatchObject([
    false,
    [{ name: "wh", status: "failed", kind: "unreachable" }],
  ]);
});
