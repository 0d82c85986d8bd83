// The sign-in at agents of other systems: by the card's schemes, and only where the definition vouches for the address.
import { describe, expect, it, onTestFinished } from "vitest";

import { authorizeRemote } from "../../../a2a/authentication/authorize-remote.ts";
import { readCard } from "../../../a2a/cards/read-card.ts";
import type { RemoteAgent } from "../../../protocol/a2a/remote-agent.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";

const ADDRESS = "https://desk.example/a2a";

interface Security {
  readonly securitySchemes?: object;
  readonly securityRequirements?: readonly object[];
}

async function authorize(
  security: Security,
  agent: Partial<RemoteAgent> = {},
  { origin = "https://desk.example", secret = "s3cret", address = ADDRESS } = {},
) {
  const about = { name: "Desk", supportedInterfaces: [INTERFACE], ...security };
  const read = readCard(about, origin);
  if (!read.ok) throw new Error(read.reason);
  const definition: RemoteAgent = { card: { url: origin }, credential_id: "cred", ...agent };
  const asked: string[] = [];
  const secrets = (_id: string, to: string) => {
    asked.push(new URL(to).host);
    return { ok: true, secret } as const;
  };
  const authorization = authorizeRemote(definition, read.card, { outgoing: fetch, secrets });
  const { signal } = new AbortController();
  return { given: await authorization.authorize(address, signal), authorization, asked };
}

const INTERFACE = { url: ADDRESS, protocolBinding: "JSONRPC", protocolVersion: "1.0" };

function schemes(...all: readonly (readonly [string, object])[]): Security {
  const securityRequirements = all.map(([name]) => ({ schemes: { [name]: { list: ["run"] } } }));
  return { securitySchemes: Object.fromEntries(all), securityRequirements };
}

const apiKey = (location: string, name: string) => ({ apiKeySecurityScheme: { location, name } });
const http = (scheme: string) => ({ httpAuthSecurityScheme: { scheme } });

describe("a credential", () => {
  it.each<[string, Security, object]>([
    ["without a scheme", {}, { headers: { authorization: "Bearer s3cret" } }],
    [
      "as a bearer token",
      schemes(["b", http("Bearer")]),
      { headers: { authorization: "Bearer s3cret" } },
    ],
    ["as Basic", schemes(["b", http("basic")]), { headers: { authorization: "Basic czNjcmV0" } }],
    ["in a header", schemes(["k", apiKey("header", "X-Key")]), { headers: { "X-Key": "s3cret" } }],
    ["in a cookie", schemes(["k", apiKey("cookie", "key")]), { headers: { cookie: "key=s3cret" } }],
    [
      "in the query",
      schemes(["k", apiKey("query", "key")]),
      { headers: {}, query: { key: "s3cret" } },
    ],
    [
      "by the first scheme that is known",
      schemes(["m", { mtlsSecurityScheme: {} }], ["b", http("bearer")]),
      { headers: { authorization: "Bearer s3cret" } },
    ],
    [
      "as a token that was got before",
      schemes(["o", { oauth2SecurityScheme: { flows: {} } }]),
      { headers: { authorization: "Bearer s3cret" } },
    ],
  ])("is sent %s", async (_, security, sent) => {
    expect((await authorize(security)).given).toMatchObject({ ok: true, ...sent });
  });

  it.each(["bearer", "basic"])(
    "that no header can carry is not sent, and not thrown, by %s",
    async (scheme) => {
      const given = [];
      for (const secret of ["passwört", "秘密", "a\r\nb", " a", "", "\ud800"]) {
        given.push((await authorize(schemes(["b", http(scheme)]), {}, { secret })).given);
      }

      const refused = { ok: false, reason: "The credential cred cannot be sent in a header." };
      expect(given).toEqual(Array(6).fill(refused));
    },
  );

  it("is sent by the scheme that the definition names", async () => {
    const both = schemes(["b", http("bearer")], ["k", apiKey("header", "X-Key")]);
    const { given } = await authorize(both, { security_scheme: "k" });

    expect(given).toMatchObject({ headers: { "X-Key": "s3cret" } });
  });

  it.each<[string, Security, Partial<RemoteAgent>]>([
    ["for a scheme that is not known", schemes(["d", http("digest")]), {}],
    ["for a scheme that the card lacks", schemes(["b", http("bearer")]), { security_scheme: "x" }],
    [
      "in the place of a header of the protocol",
      schemes(["k", apiKey("header", "A2A-Version")]),
      {},
    ],
    ["in the place of a depth", schemes(["k", apiKey("header", "Reprise-A2A-Depth")]), {}],
    ["in the place of a trace", schemes(["k", apiKey("header", "traceparent")]), {}],
    ["in the place of an address", schemes(["k", apiKey("header", "X-Forwarded-For")]), {}],
    ["in the place of a host", schemes(["k", apiKey("header", "Host")]), {}],
    ["in a header with a line break", schemes(["k", apiKey("header", "X\r\nY")]), {}],
    [
      "where two are wanted at once",
      {
        securitySchemes: { b: http("bearer"), k: apiKey("header", "X-Key") },
        securityRequirements: [{ schemes: { b: { list: [] }, k: { list: [] } } }],
      },
      {},
    ],
  ])("is not sent %s", async (_, security, agent) => {
    const { given, asked } = await authorize(security, agent);

    expect([given.ok, asked]).toEqual([false, []]);
  });
});

describe("the address of an agent", () => {
  const nacos = { server: "https://nacos.example", name: "Desk" };

  it.each<[string, Partial<RemoteAgent>, string, string]>([
    ["of another host than its card", {}, "https://desk.example", "https://thief.example/a2a"],
    ["of another port", {}, "https://desk.example", "https://desk.example:8443/a2a"],
    [
      "other than the pinned one",
      { pinned_address: "https://desk.example/a2a" },
      "https://desk.example",
      "https://desk.example/other",
    ],
    [
      "that only begins as the pinned one",
      { pinned_address: "https://desk.example/a2a" },
      "https://desk.example",
      "https://desk.example/a2a-thief",
    ],
    ["of a registry", { card: { nacos } }, "https://nacos.example", ADDRESS],
  ])("%s does not get the credential", async (_, agent, origin, address) => {
    const { given, asked } = await authorize({}, agent, { origin, address });

    expect([given.ok, asked]).toEqual([false, []]);
  });

  it.each<[string, Partial<RemoteAgent>, string]>([
    ["of its card", {}, ADDRESS],
    ["in a card of the definition", { card: { inline: {} } }, "https://any.example/a2a"],
    [
      "below the pinned one",
      { pinned_address: "https://api.example/a2a/" },
      "https://api.example/a2a/message:send",
    ],
    ["that is pinned, of a registry", { card: { nacos }, pinned_address: ADDRESS }, ADDRESS],
  ])("%s gets it", async (_, agent, address) => {
    expect((await authorize({}, agent, { address })).given.ok).toBe(true);
  });
});

it("client credentials give a token, which is kept, and asked for once more when it is refused", async () => {
  const forms: string[] = [];
  const server = await startLoopbackServer(({ text, headers }, response) => {
    forms.push(`${text} ${String(headers["authorization"])}`);
    response.writeHead(200, { "content-type": "application/json" });
    const access_token = `token-${forms.length}`;
    response.end(JSON.stringify({ access_token, token_type: "Bearer", expires_in: 3_600 }));
  });
  onTestFinished(() => server.stop());
  const flows = { clientCredentials: { tokenUrl: `${server.url}/token`, scopes: {} } };
  const security = schemes(["o", { oauth2SecurityScheme: { flows } }]);
  const oauth = { client_id: "us", token_url: `${server.url}/token` };
  const { given, authorization, asked } = await authorize(security, { oauth });
  const { signal } = new AbortController();

  expect(given).toMatchObject({ headers: { authorization: "Bearer token-1" } });
  const again = await authorization.authorize(ADDRESS, signal);
  expect(again).toMatchObject({ headers: { authorization: "Bearer token-1" } });
  expect(authorization.refused?.()).toBe(true);
  const renewed = await authorization.authorize(ADDRESS, signal);
  expect(renewed).toMatchObject({ headers: { authorization: "Bearer token-2" } });
  expect(authorization.refused?.()).toBe(false);
  expect(forms[0]).toBe(`scope=run&grant_type=client_credentials Basic ${btoa("us:s3cret")}`);
  expect(asked).toContain(new URL(server.url).host);
});

it.each<[string, Partial<RemoteAgent>]>([
  ["on another host than the card's", { oauth: { client_id: "us" } }],
  [
    "other than the one in the definition",
    { oauth: { client_id: "us", token_url: "https://login.example/token" } },
  ],
  [
    "of a card in a registry",
    {
      card: { nacos: { server: "https://nacos.example", name: "Desk" } },
      oauth: { client_id: "us" },
      pinned_address: ADDRESS,
    },
  ],
])("an address that gives tokens %s does not get the client's secret", async (_, agent) => {
  const flows = { clientCredentials: { tokenUrl: "https://thief.example/token", scopes: {} } };
  const security = schemes(["o", { oauth2SecurityScheme: { flows } }]);
  const { given, asked } = await authorize(security, agent);

  expect([given.ok, asked]).toEqual([false, ["desk.example"]]);
});
