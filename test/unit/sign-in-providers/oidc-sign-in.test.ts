// The client of an OpenID provider, against one on loopback that may lie.
import { expect, test } from "vitest";

import { KeySets } from "../../../worker/token-issuers/key-sets.ts";
import { discoverProvider } from "../../../worker/sign-in-providers/oidc-provider.ts";
import {
  beginProviderSignIn,
  completeProviderSignIn,
} from "../../../worker/sign-in-providers/oidc-sign-in.ts";
import { startOidcProvider, type Lies } from "../../support/oidc-provider.ts";

const REDIRECT_URI = "https://agents.example/console/sign-in/callback";

/** Signs in once; `change` changes what the browser brings back. */
async function signIn(lies: Lies = {}, change: (returned: URLSearchParams) => void = () => {}) {
  const fake = await startOidcProvider();
  fake.lies = lies;
  const provider = await discoverProvider(fake.issuer, fetch);
  const client = { provider, clientId: fake.clientId, redirectUri: REDIRECT_URI };
  const { url, secrets } = await beginProviderSignIn(client);
  const { headers } = await fetch(url, { redirect: "manual" });
  const returned = new URL(headers.get("location") ?? "").searchParams;
  change(returned);
  const keySets = new KeySets(async (address) => (await fetch(address)).json());
  const complete = () =>
    completeProviderSignIn(
      { ...client, secrets, secret: fake.clientSecret, returned },
      fetch,
      keySets,
    );
  return { fake, url, complete };
}

test("a person who comes back with the code is who the provider says", async () => {
  const { fake, url, complete } = await signIn();

  expect(await complete()).toEqual({
    subject: "person-1",
    verifiedEmail: "ada@shop.example",
  });
  expect(fake.taken()).toBe(1);
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toMatchObject({
    response_type: "code",
    client_id: "reprise-console",
    redirect_uri: REDIRECT_URI,
    code_challenge_method: "S256",
    scope: "openid email profile",
  });
});

test("a code that is brought back twice is refused", async () => {
  const { complete } = await signIn();
  await complete();

  await expect(complete()).rejects.toThrow("refused the sign-in: invalid_grant");
});

test.each<[what: string, lies: Lies, problem: string]>([
  ["that is not signed", { unsigned: true }, "is not signed with a key of its issuer"],
  ["signed with another key", { foreignKey: true }, "is not signed with a key of its issuer"],
  ["of another issuer", { claims: { iss: "https://evil.example" } }, "claim iss does not fit"],
  ["for another client", { claims: { aud: "other" } }, "claim aud does not fit"],
  [
    "that another client has asked for",
    { claims: { aud: ["reprise-console", "other"], azp: "other" } },
    "another client has asked for",
  ],
  [
    "for several, of whom none has asked",
    { claims: { aud: ["reprise-console", "other"] } },
    "another client has asked for",
  ],
  ["of another sign-in", { claims: { nonce: "other" } }, "of another sign-in"],
  ["without a nonce", { claims: { nonce: null } }, "of another sign-in"],
  ["that has expired", { claims: { exp: 1_000 } }, "the token has expired"],
  ["without an expiry", { claims: { exp: null } }, "claim exp does not fit"],
  ["without a person", { claims: { sub: null } }, "claim sub does not fit"],
  ["of an empty person", { claims: { sub: "" } }, "without a usable `sub`"],
  ["of a person that is a number", { claims: { sub: 1 } }, "`sub`"],
  ["of a person that is too long", { claims: { sub: "a".repeat(256) } }, "without a usable `sub`"],
])("an ID token %s is refused", async (_, lies, problem) => {
  const { complete } = await signIn(lies);

  await expect(complete()).rejects.toThrow(problem);
});

test.each<[what: string, change: (returned: URLSearchParams) => void]>([
  ["another state", (returned) => returned.set("state", "other")],
  ["no state", (returned) => returned.delete("state")],
  ["another issuer", (returned) => returned.set("iss", "https://evil.example")],
  ["no issuer, where the provider says that it names itself", (returned) => returned.delete("iss")],
])("a way back with %s is refused, and no code is sent", async (_, change) => {
  const { fake, complete } = await signIn({}, change);

  await expect(complete()).rejects.toThrow("sent an answer that is not of this sign-in");
  expect(fake.taken()).toBe(0);
});

test("a person who refuses comes back with the provider's reason", async () => {
  const { complete } = await signIn({}, (returned) => {
    returned.delete("code");
    returned.set("error", "access_denied");
  });

  await expect(complete()).rejects.toThrow("refused the sign-in: access_denied");
});

test("a provider's own words are repeated as one line of text, cut", async () => {
  const { complete } = await signIn({}, (returned) => {
    returned.delete("code");
    returned.set("error", "access_denied");
    returned.set("error_description", `<b>AADSTS5:</b>\r\n\u0007 no ${"x".repeat(300)}`);
  });

  await expect(complete()).rejects.toThrow(
    `refused the sign-in: access_denied (it says: “<b>AADSTS5:</b> no ${"x".repeat(181)}…”)`,
  );
});

test("a provider that says nothing about itself on the way back is taken at its word", async () => {
  const { complete } = await signIn(
    { configuration: { authorization_response_iss_parameter_supported: undefined } },
    (returned) => returned.delete("iss"),
  );

  expect((await complete()).subject).toBe("person-1");
});

test.each<[what: string, claims: Record<string, unknown>, email: string | null]>([
  ["verified, said as a text", { email_verified: "true" }, "ada@shop.example"],
  ["not verified", { email_verified: false }, null],
  ["verified by nobody", { email_verified: null }, null],
  ["verified by a number", { email_verified: 1 }, null],
  ["in capitals", { email: "Ada@Shop.Example" }, "ada@shop.example"],
  // Its K is the sign of Kelvin, which is a k in lower case.
  ["beyond ASCII", { email: "\u212Aim@shop.example" }, null],
  ["missing", { email: null }, null],
  ["no text", { email: ["ada@shop.example"] }, null],
])("an address that is %s counts as it should", async (_, claims, email) => {
  const { complete } = await signIn({ claims });

  expect((await complete()).verifiedEmail).toBe(email);
});

test.each<[what: string, token: NonNullable<Lies["token"]>, problem: string]>([
  ["a refusal", { status: 400, body: { error: "invalid_client" } }, "invalid_client"],
  ["a refusal with 200", { status: 200, body: { error: "invalid_grant" } }, "invalid_grant"],
  ["no ID token", { status: 200, body: { access_token: "a" } }, "gave no ID token: status 200"],
  [
    "a text of its own",
    { status: 500, body: { error: "<b>no</b>" } },
    "gave no ID token: status 500",
  ],
])(
  "%s in place of the tokens is told without the provider's own words",
  async (_, token, problem) => {
    const { complete } = await signIn({ token });

    await expect(complete()).rejects.toThrow(problem);
  },
);

test.each<[what: string, configuration: Record<string, unknown>, problem: string]>([
  ["of another issuer", { issuer: "https://evil.example" }, "the configuration of another issuer"],
  ["without keys", { jwks_uri: undefined }, "has no jwks_uri"],
  [
    "with a page that is a script",
    { authorization_endpoint: "javascript:alert(1)" },
    "has no authorization_endpoint",
  ],
  [
    "with a name before the host",
    { token_endpoint: "https://a@evil.example/" },
    "has no token_endpoint",
  ],
])("a configuration %s is refused", async (_, configuration, problem) => {
  const fake = await startOidcProvider();
  fake.lies = { configuration };

  await expect(discoverProvider(fake.issuer, fetch)).rejects.toThrow(problem);
});

test("an issuer with a slash at its end is the one without", async () => {
  const fake = await startOidcProvider();

  expect((await discoverProvider(`${fake.issuer}/`, fetch)).issuer).toBe(fake.issuer);
});
