// Signing in at MCP servers, through the door: the authorization server is a real one, and so is the resource server.
import { expect, it, onTestFinished } from "vitest";

import {
  KNOWN_CLIENT,
  startAuthorizationServer,
  type Lies,
} from "../../support/mcp/authorization-server.ts";
import { complete, openPage, openSignInDesk, resultsOf } from "../../support/mcp/sign-in-desk.ts";
import { createTenant, request } from "../../support/platform-client.ts";
import { BROAD } from "../../support/breadth.ts";

async function open(lies: Lies = {}, oauth?: object) {
  const server = await startAuthorizationServer(lies);
  onTestFinished(() => server.stop());
  return { server, desk: await openSignInDesk(server, oauth) };
}

it("a call waits for its end user's sign-in, and goes on with their grant", async () => {
  const { server, desk } = await open();
  const ada = await desk.openSession("ada");
  const asked = await ada.say(
    '/call mcp__wh__sign_in {}\n/call mcp__wh__find_order {"order_id":"A-1"}\n/say Found.',
  );
  const [waiting] = asked.pending;
  const { authorization } = waiting ?? {};

  expect([asked.status, waiting?.kind]).toEqual(["awaiting_external_result", "external_result"]);
  const url = new URL(authorization?.url ?? "");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    client_id: "client-1",
    code_challenge_method: "S256",
    resource: server.mcpUrl,
    scope: "orders",
  });

  const page = await openPage(await server.signIn(url.href, "Ada"));
  expect([page.status, server.tokenRequests]).toEqual([200, []]);
  const done = await complete(await ada.token(), authorization?.connection_id ?? "", page.code);
  expect(done).toMatchObject({ status: 200, body: { status: "active" } });

  const reply = await ada.settled(asked.id);
  expect([reply.status, resultsOf(reply), server.callers]).toEqual([
    "completed",
    [
      "The user has signed in to wh. Its tools can be called now.",
      '{"order_id":"A-1","amount":25}',
    ],
    ["Ada"],
  ]);
});

it("client credentials need no person", BROAD, async () => {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const { key } = await createTenant();
  const { body: credential } = await request<{ id: string }>("POST", "/v1/credentials", {
    key,
    body: {
      type: "tool",
      name: "client",
      secret: KNOWN_CLIENT.secret,
      allowed_hosts: [new URL(server.url).host],
    },
  });
  const oauth = {
    grant: "client_credentials",
    issuer: server.url,
    client_id: KNOWN_CLIENT.id,
    client_credential_id: credential.id,
  };
  const made = await request<{ id: string }>("POST", "/v1/mcp-servers", {
    key,
    body: { name: "wh", url: server.mcpUrl, oauth },
  });
  const path = `/v1/mcp-servers/${made.body.id}/tools/find_order/call`;
  const call = () => request<object>("POST", path, { key, body: { input: { order_id: "A-1" } } });
  const first = await call();
  server.expireTokens();
  const second = await call();

  expect([first.body, second.body]).toMatchObject([{ state: "success" }, { state: "success" }]);
  expect(server.callers).toEqual(["client known-client", "client known-client"]);
  expect(server.tokenRequests).toEqual(
    Array(2).fill({ grant_type: "client_credentials", resource: server.mcpUrl, scope: "orders" }),
  );
});
