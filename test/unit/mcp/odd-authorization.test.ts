// Authorization servers that put pages at well-known addresses, write null for what they do not have, and succeed with
// other statuses.
import { expect, it, onTestFinished } from "vitest";

import { discover } from "../../../tools/mcp/oauth/discover.ts";
import {
  grantOfClient,
  registerClient,
  renewGrant,
} from "../../../tools/mcp/oauth/token-requests.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

const RESOURCE = "/.well-known/oauth-protected-resource";
const SERVER = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";
const PAGE: Answer = { type: "text/html", body: "<!doctype html><div id=root></div>" };
const FAILURE: Answer = { status: 500, type: "text/plain", body: "Internal Server Error" };
const OTHER: Answer = { body: { status: "ok" } };
const REDIRECT: Answer = { status: 302, headers: { location: "/login" }, body: "" };
const NO_ISSUER: Answer = { body: { issuer: null, token_endpoint: null } };
const NOBODY = "https://nobody.example";

/** @param answers By path; `$` in them is the server's own address. Whatever is not there is 404. */
async function serve(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = await startLoopbackServer(({ path }, response) => {
    asked.push(path);
    const found: Answer = answers[path] ?? { status: 404, body: {} };
    const { status = 200, type = "application/json", headers = {}, body } = found;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(text.replaceAll("$", server.url));
  });
  onTestFinished(() => server.stop());
  const plain = (input: string | URL | Request, init?: RequestInit) =>
    fetch(input, { ...init, redirect: "manual" });
  return { url: server.url, asked, fetch: plain };
}

const METADATA: Answer = {
  body: {
    issuer: "$",
    authorization_endpoint: "$/authorize",
    token_endpoint: "$/token",
    registration_endpoint: "$/register",
    revocation_endpoint: null,
    token_endpoint_auth_methods_supported: [],
    code_challenge_methods_supported: ["S256"],
  },
};
const ABOUT: Answer = {
  body: { resource: "$/mcp", authorization_servers: ["$"], scopes_supported: null },
};

it.each<readonly [string, string, Readonly<Record<string, Answer>>]>([
  [
    "a page for the resource's metadata",
    "outline/outline#11572",
    { [`${RESOURCE}/mcp`]: PAGE, [RESOURCE]: PAGE },
  ],
  ["500 for it", "outline/outline#11572", { [`${RESOURCE}/mcp`]: FAILURE, [RESOURCE]: FAILURE }],
  ["other JSON for it", "outline/outline#11572", { [`${RESOURCE}/mcp`]: OTHER, [RESOURCE]: OTHER }],
  [
    "a list for it",
    "variant",
    { [`${RESOURCE}/mcp`]: { body: "[]" }, [RESOURCE]: { body: "null" } },
  ],
  ["a redirect for it", "variant", { [`${RESOURCE}/mcp`]: REDIRECT, [RESOURCE]: REDIRECT }],
  ["a page, and metadata at the host", "variant", { [`${RESOURCE}/mcp`]: PAGE, [RESOURCE]: ABOUT }],
  ["metadata with null members", "variant", { [`${RESOURCE}/mcp`]: ABOUT }],
  [
    "metadata declared as text",
    "variant",
    { [`${RESOURCE}/mcp`]: { ...ABOUT, type: "text/plain" } },
  ],
  [
    "a page for the server's metadata",
    "outline/outline#11572",
    { [SERVER]: PAGE, [OPENID]: METADATA },
  ],
  ["500 for it too", "variant", { [SERVER]: FAILURE, [OPENID]: METADATA }],
  ["other JSON for the server's", "variant", { [SERVER]: OTHER, [OPENID]: METADATA }],
  ["null members for the server's", "variant", { [SERVER]: NO_ISSUER, [OPENID]: METADATA }],
  ["a redirect for the server's", "variant", { [SERVER]: REDIRECT, [OPENID]: METADATA }],
  [
    "metadata of another issuer at the first place",
    "variant",
    { [SERVER]: { body: { issuer: NOBODY, token_endpoint: NOBODY } }, [OPENID]: METADATA },
  ],
])("%s (%s): discovery goes on", async (_what, _source, answers) => {
  const server = await serve({ [SERVER]: METADATA, ...answers });
  const url = `${server.url}/mcp`;
  const asked = { url, issuer: null, needsPkce: true, challenge: "Bearer" };

  expect(await discover(server.fetch, asked)).toMatchObject({
    server: { issuer: server.url, token_endpoint: `${server.url}/token` },
    resource: url,
    scope: null,
  });
});

it.each<readonly [string, Readonly<Record<string, Answer>>, string]>([
  ["a page alone", { [SERVER]: PAGE }, "metadata is no JSON object"],
  ["a redirect alone", { [SERVER]: REDIRECT }, "redirects are not followed"],
  ["500 alone", { [SERVER]: FAILURE }, "status 500"],
  ["nothing", {}, "has no metadata"],
  ["another issuer alone", { [SERVER]: { body: { issuer: NOBODY } } }, "of another issuer"],
  [
    "another resource",
    { [`${RESOURCE}/mcp`]: { body: { resource: NOBODY } }, [SERVER]: METADATA },
    "about another resource",
  ],
])("%s is told as it is", async (_what, answers, problem) => {
  const server = await serve(answers);
  const asked = { url: `${server.url}/mcp`, issuer: null, needsPkce: true, challenge: null };

  await expect(discover(server.fetch, asked)).rejects.toThrow(problem);
});

it("keeps of a server's metadata what is known and short, however much it lists", async () => {
  const methods = Array.from({ length: 3_000 }, (_, index) => `method-${index}-${"x".repeat(20)}`);
  const body = {
    ...(METADATA.body as object),
    revocation_endpoint: `$/${"x".repeat(50_000)}`,
    token_endpoint_auth_methods_supported: [...methods, "client_secret_post"],
  };
  const server = await serve({ [SERVER]: { body } });
  const asked = { url: `${server.url}/mcp`, issuer: null, needsPkce: true, challenge: null };

  const found = await discover(server.fetch, asked);

  expect(found.server.token_endpoint_auth_methods_supported).toEqual(["client_secret_post"]);
  expect(JSON.stringify(found).length).toBeLessThan(2_000);
});

it("what a server names itself is not guessed: a page there is told", async () => {
  const server = await serve({ "/meta": PAGE, [SERVER]: METADATA });
  const challenge = `Bearer resource_metadata=${server.url}/meta, scope=orders`;
  const asked = { url: `${server.url}/mcp`, issuer: null, needsPkce: true, challenge };

  await expect(discover(server.fetch, asked)).rejects.toThrow("metadata is no JSON object");
  expect(server.asked).toEqual(["/meta"]);
});

it("parameters of a challenge are read without quotes too", async () => {
  const server = await serve({ "/meta": ABOUT, [SERVER]: METADATA });
  const challenge = `Bearer error=invalid_token, resource_metadata=${server.url}/meta, scope=orders`;
  const asked = { url: `${server.url}/mcp`, issuer: null, needsPkce: true, challenge };

  expect(await discover(server.fetch, asked)).toMatchObject({ scope: "orders" });
});

const secrets = () => ({ ok: false, type: "setup", problem: "is none" }) as const;

it.each<readonly [string, string, Answer, object]>([
  ["200", "better-auth/better-auth#3821", { body: { client_id: "c" } }, {}],
  [
    "a secret of null",
    "variant",
    { status: 201, body: { client_id: "c", client_secret: null } },
    {},
  ],
  ["an empty secret", "variant", { status: 201, body: { client_id: "c", client_secret: "" } }, {}],
  [
    "an expiry of null",
    "variant",
    { status: 201, body: { client_id: "c", client_secret: "s", client_secret_expires_at: null } },
    { client_secret: "s" },
  ],
  [
    "an expiry as text, declared as a page",
    "variant",
    {
      type: "text/html",
      body: { client_id: "c", client_secret: "s", client_secret_expires_at: "0" },
    },
    { client_secret: "s" },
  ],
])("a client is registered by an answer with %s (%s)", async (_what, _source, answer, more) => {
  const server = await serve({ "/register": answer });
  const about = { issuer: server.url, registration_endpoint: `${server.url}/register` };
  const redirect_uri = "http://127.0.0.1/back";

  expect(await registerClient({ fetch: server.fetch }, about, redirect_uri)).toEqual({
    client_id: "c",
    redirect_uri,
    ...more,
  });
});

const TOKEN = { access_token: "t", token_type: "Bearer" };
const SOON = 60_000;

it.each<readonly [string, string, object, object]>([
  ["expires_in: null", "jentic/jentic-one#1260", { ...TOKEN, expires_in: null }, {}],
  ["expires_in as text", "variant", { ...TOKEN, expires_in: "3600" }, {}],
  ["an empty expires_in", "variant", { ...TOKEN, expires_in: "" }, {}],
  ["expires_in that is no number", "variant", { ...TOKEN, expires_in: "never" }, {}],
  [
    "empty scope and refresh_token",
    "microsoft/vscode#311305",
    { ...TOKEN, scope: "", refresh_token: "" },
    {},
  ],
  ["null in both", "variant", { ...TOKEN, scope: null, refresh_token: null }, {}],
  ["a scope that is a list", "variant", { ...TOKEN, scope: ["a", "b"] }, { scope: "a b" }],
  ["a token_type in capitals", "variant", { ...TOKEN, token_type: "BEARER" }, {}],
  ["a token_type of null", "variant", { ...TOKEN, token_type: null }, {}],
  ["an ID token of null", "variant", { ...TOKEN, id_token: null }, {}],
  ["an ID token that is none", "variant", { ...TOKEN, id_token: "x" }, {}],
  ["an error of null", "variant", { ...TOKEN, error: null, error_description: null }, {}],
])("a token comes with %s (%s)", async (_what, _source, body, more) => {
  const server = await serve({ "/token": { body } });
  const about = { issuer: server.url, token_endpoint: `${server.url}/token` };
  const client = { server: about, client_id: "c", resource: `${server.url}/mcp`, redirect_uri: "" };
  const settings = { grant: "client_credentials", owner: "tenant" } as const;
  const access = { fetch: server.fetch, secrets };
  const given = await grantOfClient(access, client, settings, null);
  const tokens = { access_token: "old", refresh_token: "of before", scope: "old" };
  const renewed = await renewGrant(access, client, tokens, settings);

  expect(given.tokens).toEqual({ access_token: "t", ...more });
  expect(given.expires_at).toBeGreaterThan(Date.now() + SOON);
  expect(renewed.tokens).toEqual({
    access_token: "t",
    refresh_token: "of before",
    scope: "old",
    ...more,
  });
});

it.each([
  ["with 200", { body: { error: "invalid_grant" } }],
  ["as a page", { status: 400, type: "text/html", body: { error: "invalid_grant" } }],
  ["beside null", { status: 400, body: { error: "invalid_grant", access_token: null } }],
])("a grant that is refused %s is refused", async (_what, answer) => {
  const server = await serve({ "/token": answer });
  const about = { issuer: server.url, token_endpoint: `${server.url}/token` };
  const client = { server: about, client_id: "c", resource: `${server.url}/mcp`, redirect_uri: "" };
  const settings = { grant: "authorization_code", owner: "end_user" } as const;
  const tokens = { access_token: "old", refresh_token: "of before" };
  const renewing = renewGrant({ fetch: server.fetch, secrets }, client, tokens, settings);

  await expect(renewing).rejects.toMatchObject({ isRefused: true });
});
