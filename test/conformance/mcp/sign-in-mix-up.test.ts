// A server of MCP that sends people to the authorization server of another one, so that the platform takes the other's
// code for its own (RFC 9700, section 4.4): neither says in its metadata that it names itself in its answers.
import { expect, it, onTestFinished } from "vitest";

import {
  KNOWN_CLIENT,
  startAuthorizationServer,
  type AuthorizationServer,
} from "../../support/mcp/authorization-server.ts";
import { complete, openPage, openSignInDesk, resultsOf } from "../../support/mcp/sign-in-desk.ts";
import { BROAD } from "../../support/breadth.ts";

const SILENT = { more: { authorization_response_iss_parameter_supported: false } };

async function startServer(): Promise<AuthorizationServer> {
  const server = await startAuthorizationServer({ ...SILENT });
  onTestFinished(() => server.stop());
  return server;
}

/** The address of a sign-in that has begun there. */
async function beginSignIn(server: AuthorizationServer, oauth?: object) {
  const desk = await openSignInDesk(server, oauth);
  const ada = await desk.openSession("ada");
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
  return { desk, ada, asked, url: new URL(url), connection_id };
}

/** The address to which the browser is sent back, without the issuer's name. */
async function backFrom(server: AuthorizationServer, url: URL): Promise<string> {
  const location = new URL(await server.signIn(url.href, "Ada"));
  location.searchParams.delete("iss");
  return location.href;
}

it(
  "a code of another issuer, with the state of this one's sign-in, is refused, and the sign-in goes on",
  BROAD,
  async () => {
    const honest = await startServer();
    const lying = await startServer();
    const wanted = await beginSignIn(honest);
    const { desk, ada, asked, url, connection_id } = await beginSignIn(lying);
    // The lying server sends the browser on to the honest one, where Ada signs in as she meant to.
    const led = new URL(wanted.url);
    led.searchParams.set("state", url.searchParams.get("state") ?? "");
    const mixed = await openPage(await backFrom(honest, led));

    expect([mixed.status, mixed.code]).toEqual([400, ""]);
    expect(lying.tokenRequests).toEqual([]);
    expect(url.searchParams.get("redirect_uri")).not.toBe(
      wanted.url.searchParams.get("redirect_uri"),
    );

    const { status, code } = await openPage(await backFrom(lying, url));
    expect(status).toBe(200);
    expect((await complete(desk.key, connection_id, code)).body.status).toBe("active");
    expect(resultsOf(await ada.settled(asked.id))).toHaveLength(1);
    expect(lying.tokenRequests).toHaveLength(1);
  },
);

it("an answer to a client that the platform has registered is refused at the address of tenants' own clients", async () => {
  const server = await startServer();
  const { url } = await beginSignIn(server);
  const redirect = new URL(url.searchParams.get("redirect_uri") ?? "");
  expect(redirect.pathname).toMatch(/^\/v1\/oauth\/callback\/[0-9a-f]{64}$/);
  const location = new URL(await backFrom(server, url));
  location.pathname = "/v1/oauth/callback";

  expect((await openPage(location.href)).status).toBe(400);
});

it("a tenant's own client comes back to the address that it was registered with", async () => {
  const server = await startServer();
  const { url, desk, connection_id } = await beginSignIn(server, {
    grant: "authorization_code",
    owner: "end_user",
    client_id: KNOWN_CLIENT.id,
  });
  const redirect = new URL(url.searchParams.get("redirect_uri") ?? "");
  const { status, code } = await openPage(await backFrom(server, url));

  expect([redirect.pathname, status]).toEqual(["/v1/oauth/callback", 200]);
  expect((await complete(desk.key, connection_id, code)).status).toBe(200);
});
