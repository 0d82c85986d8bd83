/** @module-tag broad */
// Ends of grants and sign-ins: tokens that expire, grants that are revoked, people who refuse, servers that lie.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer, type Lies } from "../../support/mcp/authorization-server.ts";
import {
  complete,
  openPage,
  openSignInDesk,
  resultsOf,
  type DeskReply,
} from "../../support/mcp/sign-in-desk.ts";
import { request } from "../../support/platform-client.ts";

const FIND = '/call mcp__wh__find_order {"order_id":"A-1"}';

async function open(lies: Lies = {}) {
  const server = await startAuthorizationServer(lies);
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const ada = await desk.openSession("ada");
  const finish = async (asked: DeskReply, subject = "Ada") => {
    const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
    const { code } = await openPage(await server.signIn(url, subject));
    const done = await complete(desk.key, connection_id, code);
    return { ...done, connection_id, reply: await ada.settled(asked.id) };
  };
  const signIn = async () => finish(await ada.say("/call mcp__wh__sign_in {}\n/say Thanks."));
  return { server, desk, ada, finish, signIn };
}

it("a token that has expired is renewed, with the refresh token that came last", async () => {
  const { server, ada, signIn } = await open();
  await signIn();
  for (let time = 0; time < 2; time += 1) {
    server.expireTokens();
    const reply = await ada.say(`${FIND}\n/say Found.`);
    expect(resultsOf(reply)).toEqual(['{"order_id":"A-1","amount":25}']);
  }
  const refreshes = server.tokenRequests.filter((one) => one["grant_type"] === "refresh_token");

  expect(refreshes.map((one) => one["resource"])).toEqual([server.mcpUrl, server.mcpUrl]);
  expect(new Set(refreshes.map((one) => one["refresh_token"])).size).toBe(2);
});

it("of calls at once one renews the token, and the others wait for it", async () => {
  const { server, desk, signIn } = await open();
  await signIn();
  server.expireTokens();
  const path = `/v1/mcp-servers/${desk.server_id}/tools/find_order/call`;
  const body = { input: { order_id: "A-1" }, end_user_id: "ada" };
  const calls = [1, 2, 3].map(() => request<object>("POST", path, { key: desk.key, body }));
  const answers = await Promise.all(calls);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(server.tokenRequests.filter((one) => one["grant_type"] === "refresh_token")).toHaveLength(
    1,
  );
});

it("a grant that was revoked fails, and the call asks for another one and goes on", async () => {
  const { server, desk, ada, signIn, finish } = await open();
  const { connection_id } = await signIn();
  server.revokeAll();
  const asked = await ada.say(`${FIND}\n/say Found.`);
  const failed = await request<object>("GET", `/v1/connections/${connection_id}`, {
    key: desk.key,
  });
  expect([asked.status, asked.pending[0]?.tool_call.name]).toEqual([
    "awaiting_external_result",
    "mcp__wh__find_order",
  ]);
  expect(failed.body).toMatchObject({ status: "waiting", end_user_id: "ada" });
  const { reply } = await finish(asked, "Ada again");

  expect([reply.status, resultsOf(reply), server.callers]).toEqual([
    "completed",
    ['{"order_id":"A-1","amount":25}'],
    ["Ada again"],
  ]);
});

it("a grant that ends while the reply waits for a person is asked for again", async () => {
  const { server, desk, ada, signIn, finish } = await open({ unrenewable: true, expires_in: null });
  await signIn();
  await request("POST", `${ada.path}/permission-rules`, {
    key: desk.key,
    body: { rules: [{ tool_name: "mcp__wh__find_order", behavior: "ask" }] },
  });
  const asked = await ada.say(`${FIND}\n/say Found.`);
  expect(asked.status).toBe("awaiting_permission");
  server.expireTokens();
  const tool_call = asked.pending[0]?.tool_call;
  await request("POST", `${ada.path}/events`, {
    key: desk.key,
    body: {
      type: "USER_CONFIRM_RESULT",
      reply_id: asked.id,
      confirm_results: [{ confirmed: true, tool_call }],
    },
  });
  const waiting = await ada.settled(asked.id);
  expect([waiting.status, waiting.pending[0]?.kind]).toEqual([
    "awaiting_external_result",
    "external_result",
  ]);
  const { reply } = await finish(waiting);
  expect([reply.status, server.callers]).toEqual(["completed", ["Ada"]]);
});

it("a person who refuses ends the call, and the reply goes on", async () => {
  const { server, ada } = await open();
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say So be it.");
  const page = await openPage(
    await server.signIn(asked.pending[0]?.authorization?.url ?? "", "nobody"),
  );
  const reply = await ada.settled(asked.id);

  expect([page.status, page.code]).toEqual([200, ""]);
  expect(await untilEnded(() => ada.reply(asked.id), reply)).toEqual([
    "The user did not sign in: nothing was done.",
  ]);
});

it("an app puts no result in the place of the call, and may end the wait with an error", async () => {
  const { server, desk, ada } = await open();
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say So be it.");
  const { id, name } = asked.pending[0]?.tool_call ?? { id: "", name: "" };
  const post = (state: string) =>
    request<{ code?: string }>("POST", `${ada.path}/events`, {
      key: desk.key,
      body: {
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id: asked.id,
        execution_results: [{ id, name, output: "Signed in as the king.", state }],
      },
    });
  const forged = await post("success");
  expect([forged.status, forged.body.code]).toEqual([409, "call_not_pending"]);
  expect((await post("error")).status).toBeLessThan(300);
  const reply = await ada.settled(asked.id);
  expect([reply.status, server.tokenRequests]).toEqual(["completed", []]);
});

it.each<[string, Lies, string]>([
  ["another issuer", { issuer: "https://another.example" }, "of another issuer"],
  ["a redirect", { metadata: "redirect" }, "redirects are not followed"],
  ["100 MB", { metadata: "huge" }, "too large"],
  ["no answer", { metadata: "silent" }, "did not answer in time"],
  ["no PKCE", { noPkce: true }, "PKCE"],
  ["another resource", { resource: "https://bank.example/mcp" }, "about another resource"],
  [
    "a script in the place of its page",
    { more: { authorization_endpoint: "javascript:alert(document.domain)//" } },
    "has no page to sign in",
  ],
  [
    "a page with a user name",
    { more: { authorization_endpoint: "https://bank.example@evil.example/" } },
    "has no page to sign in",
  ],
  [
    "a page of 90 kB",
    { more: { authorization_endpoint: `https://login.example/${"x".repeat(90_000)}` } },
    "an address that is too long",
  ],
])("metadata with %s begins no sign-in, and the reply ends well", async (_, lies, reason) => {
  const { server, ada } = await open(lies);
  const reply = await ada.say("/call mcp__wh__sign_in {}\n/say So be it.");

  expect([reply.status, resultsOf(reply)]).toEqual([
    "completed",
    [expect.stringContaining(reason)],
  ]);
  expect(server.tokenRequests).toEqual([]);
});

it("no token, code or state is in events, lists or the audit log", async () => {
  const { server, desk, ada, signIn } = await open();
  const { connection_id } = await signIn();
  await ada.say(`${FIND}\n/say Found.`);
  const { key } = desk;
  const texts = await Promise.all(
    [
      `${ada.path}/events?limit=100`,
      "/v1/connections",
      `/v1/connections/${connection_id}`,
      "/v1/audit",
      `/v1/mcp-servers/${desk.server_id}`,
    ].map(async (path) => JSON.stringify((await request("GET", path, { key })).body)),
  );

  expect(server.secrets.length).toBeGreaterThan(2);
  for (const text of texts) for (const secret of server.secrets) expect(text).not.toContain(secret);
  expect(texts[1]).toContain(connection_id);
});

it("a deleted connection is revoked at its issuer, and asked for again", async () => {
  const { server, desk, ada, signIn } = await open();
  const { connection_id } = await signIn();
  const { key } = desk;
  const listed = await request<{ data: readonly object[] }>(
    "GET",
    "/v1/connections?end_user_id=ada&status=active",
    { key },
  );
  const removed = await request("DELETE", `/v1/connections/${connection_id}`, { key });
  const again = await request("DELETE", `/v1/connections/${connection_id}`, { key });
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");

  expect(listed.body.data).toMatchObject([
    { id: connection_id, mcp_server_id: desk.server_id, issuer: server.url, scope: "orders" },
  ]);
  expect([removed.status, again.status, server.revoked.length]).toEqual([204, 404, 1]);
  expect(asked.pending[0]?.authorization?.connection_id).not.toBe(connection_id);
});

/** The results, once the reply has gone on: the page answers before the session was told. */
async function untilEnded(
  read: () => Promise<DeskReply>,
  first: DeskReply,
): Promise<readonly string[]> {
  let reply = first;
  while (reply.status !== "completed") {
    await new Promise((resolve) => setTimeout(resolve, 50));
    reply = await read();
  }
  return resultsOf(reply);
}
