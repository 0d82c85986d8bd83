// Cards of agents of other systems: where they are found, and how both versions are read.
import { describe, expect, it, onTestFinished } from "vitest";

import { readCard } from "../../../a2a/cards/read-card.ts";
import { resolveCard } from "../../../a2a/cards/resolve-card.ts";
import type { CardPorts } from "../../../a2a/cards/card-source.ts";
import { RemoteAgentSchema, type RemoteAgent } from "../../../protocol/a2a/remote-agent.ts";
import { startFakeNacos } from "../../support/a2a-remote/fake-nacos.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";

/** As AgentScope's document has it, in a file and made by hand. */
const DOCUMENTED = {
  name: "RemoteAgent",
  url: "http://localhost:8000",
  description: "Remote A2A Agent",
  version: "1.0.0",
  capabilities: {},
  default_input_modes: ["text/plain"],
  default_output_modes: ["text/plain"],
  skills: [],
};

const CARD = {
  name: "Desk",
  description: "Refunds.",
  version: "3",
  supportedInterfaces: [
    { url: "https://desk.example/grpc", protocolBinding: "GRPC", protocolVersion: "1.0" },
    {
      url: "https://desk.example/a2a",
      protocolBinding: "JSONRPC",
      protocolVersion: "1.0",
      tenant: "t1",
    },
    { url: "https://desk.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  ],
  capabilities: { streaming: true, extensions: [{ uri: "urn:x", required: false }] },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "refund", name: "Refund", description: "Pays back.", tags: ["money"] }],
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } },
    client: {
      oauth2SecurityScheme: {
        flows: {
          clientCredentials: { tokenUrl: "https://desk.example/token", scopes: { run: "" } },
        },
      },
    },
  },
  securityRequirements: [{ schemes: { client: { list: ["run"] } } }],
};

const SECRETS: CardPorts["secrets"] = () => ({ ok: true, secret: "nacos:pass:word" });

function resolve(card: RemoteAgent["card"], ports: Partial<CardPorts> = {}) {
  const all = { outgoing: fetch, secrets: SECRETS, ...ports };
  return resolveCard({ card }, all, new AbortController().signal);
}

describe("a card", () => {
  it("8.3.2-1: of 1.0 is read with the interfaces that are spoken, in its order", () => {
    expect(readCard(CARD, "https://desk.example")).toEqual({
      ok: true,
      card: {
        name: "Desk",
        description: "Refunds.",
        interfaces: [
          { url: "https://desk.example/a2a", binding: "JSONRPC", version: "1.0", tenant: "t1" },
          { url: "https://desk.example/rest", binding: "HTTP+JSON", version: "1.0" },
        ],
        capabilities: {
          streaming: true,
          pushNotifications: false,
          extendedAgentCard: false,
          extensions: [{ uri: "urn:x", required: false }],
        },
        skills: [{ id: "refund", name: "Refund", description: "Pays back.", tags: ["money"] }],
        securitySchemes: CARD.securitySchemes,
        securityRequirements: [{ schemes: { client: { list: ["run"] } } }],
        version: "3",
        protocolVersion: "1.0",
        origin: "https://desk.example",
      },
    });
  });

  it("of 0.3, as the document has it, has its address at the top", () => {
    expect(readCard(DOCUMENTED, null)).toMatchObject({
      ok: true,
      card: {
        name: "RemoteAgent",
        interfaces: [{ url: "http://localhost:8000", binding: "JSONRPC", version: "0.3" }],
        protocolVersion: "0.3",
        securityRequirements: [],
      },
    });
  });

  it("of 0.3 is read with the schemes of OpenAPI", () => {
    const read = readCard(
      {
        ...DOCUMENTED,
        protocolVersion: "0.3.0",
        preferredTransport: "HTTP+JSON",
        additionalInterfaces: [{ url: "https://desk.example/rpc", transport: "JSONRPC" }],
        securitySchemes: {
          key: { type: "apiKey", in: "query", name: "k" },
          bearer: { type: "http", scheme: "Bearer" },
          client: {
            type: "oauth2",
            flows: { clientCredentials: { tokenUrl: "https://desk.example/token", scopes: {} } },
          },
          open: { type: "openIdConnect", openIdConnectUrl: "https://desk.example/oidc" },
          cert: { type: "mutualTLS" },
        },
        security: [{ key: [] }, { bearer: ["a"] }],
      },
      null,
    );

    expect(read).toMatchObject({
      ok: true,
      card: {
        interfaces: [{ url: "https://desk.example/rpc", binding: "JSONRPC", version: "0.3" }],
        securitySchemes: {
          key: { apiKeySecurityScheme: { location: "query", name: "k" } },
          bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
          client: {
            oauth2SecurityScheme: {
              flows: { clientCredentials: { tokenUrl: "https://desk.example/token", scopes: {} } },
            },
          },
          open: { openIdConnectSecurityScheme: { openIdConnectUrl: "https://desk.example/oidc" } },
          cert: { mtlsSecurityScheme: {} },
        },
        securityRequirements: [
          { schemes: { key: { list: [] } } },
          { schemes: { bearer: { list: ["a"] } } },
        ],
      },
    });
  });

  it.each<[string, unknown, string]>([
    ["null", null, "is no JSON object"],
    ["a list", [], "is no JSON object"],
    ["without an address", { name: "x" }, "names no address"],
    [
      "of another version",
      {
        ...CARD,
        supportedInterfaces: [
          { url: "https://x.example", protocolBinding: "JSONRPC", protocolVersion: "2.0" },
        ],
      },
      "names no address",
    ],
    [
      "with an address of another kind",
      { ...DOCUMENTED, url: "file:///etc/passwd" },
      "names no address",
    ],
    ["without a name", { ...DOCUMENTED, name: 5 }, "has no name"],
  ])("that is %s is refused", (_, value, reason) => {
    expect(readCard(value, null)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  it("with members of any other type is read as far as it goes", () => {
    const odd = {
      capabilities: 5,
      skills: [null, { id: 7 }],
      securitySchemes: [],
      security: [null],
    };
    const read = readCard({ ...DOCUMENTED, ...odd, description: null }, null);

    expect(read).toMatchObject({
      ok: true,
      card: { description: "", skills: [], securitySchemes: {} },
    });
  });
});

describe("the card of a definition", () => {
  it("is inline, in the deployment, or at an address: below it, or itself", async () => {
    const asked: string[] = [];
    const server = await startLoopbackServer(({ path }, response) => {
      asked.push(path);
      const isThere = path === "/desk/.well-known/agent-card.json" || path === "/card";
      response.writeHead(isThere ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(DOCUMENTED));
    });
    onTestFinished(() => server.stop());

    const found = await Promise.all([
      resolve({ inline: DOCUMENTED }),
      resolve({ file: "remote-agent" }),
      resolve({ url: `${server.url}/desk/` }),
      resolve({ url: `${server.url}/card` }),
    ]);
    expect(found.map((one) => one.ok && [one.card.name, one.card.origin])).toEqual([
      ["RemoteAgent", null],
      ["RemoteAgent", null],
      ["RemoteAgent", server.url],
      ["RemoteAgent", server.url],
    ]);
    expect(asked.toSorted()).toEqual([
      "/card",
      "/card/.well-known/agent-card.json",
      "/desk/.well-known/agent-card.json",
    ]);
    expect(await resolve({ file: "other" })).toEqual({
      ok: false,
      kind: "setup",
      reason: "This deployment has no card other.",
    });
  });

  it.each<[string, string, string]>([
    ["too large", " ".repeat(200_000), "answered more than 131072 bytes"],
    ["too deep", "[".repeat(100), "nested too deeply"],
    ["no JSON", "<html>", "no JSON"],
  ])("that is %s is refused without its words", async (_, text, reason) => {
    const server = await startLoopbackServer((_request, response) => {
      response.end(text);
    });
    onTestFinished(() => server.stop());

    const refused = await resolve({ url: `${server.url}/card.json` });
    expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("is in a Nacos registry, by name, namespace and version, for those who sign in", async () => {
    const agents = {
      Desk: { card: CARD, version: "3" },
      Other: { card: DOCUMENTED, namespace: "team", version: "1.0.0" },
    };
    const nacos = await startFakeNacos(agents, "nacos:pass:word");
    onTestFinished(() => nacos.stop());
    const server = nacos.url;
    const credential_id = "cred";

    const found = await Promise.all([
      resolve({ nacos: { server, name: "Desk", credential_id } }),
      resolve({ nacos: { server: `${server}/nacos/`, name: "Desk", version: "3", credential_id } }),
      resolve({ nacos: { server, name: "Other", namespace: "team", credential_id } }),
      resolve({ nacos: { server, name: "Other", credential_id } }),
      resolve({ nacos: { server, name: "Desk", version: "2", credential_id } }),
      resolve({ nacos: { server, name: "Desk" } }),
    ]);
    expect(found.map((one) => (one.ok ? [one.card.name, one.card.origin] : one.kind))).toEqual([
      ["Desk", null],
      ["Desk", null],
      ["RemoteAgent", null],
      "not_found",
      "not_found",
      "permission_refused",
    ]);
    const refused = await resolve(
      { nacos: { server, name: "Desk", credential_id } },
      { secrets: () => ({ ok: false, type: "setup", problem: "was deleted; nothing was sent" }) },
    );
    expect(refused).toMatchObject({ reason: "The credential cred was deleted; nothing was sent." });
  });

  it("is one of the four, and strict", () => {
    const problems = (value: unknown) =>
      RemoteAgentSchema.safeParse(value).error?.issues.map(({ message }) => message);

    expect(problems({ card: {} })).toEqual([
      "must have one of `url`, `inline`, `file` and `nacos`",
    ]);
    expect(problems({ card: { url: "https://a.example", file: "b" } })).toHaveLength(1);
    expect(problems({ card: { url: "ftp://a.example" } })).toHaveLength(1);
    expect(problems({ card: { inline: { a: "x".repeat(140_000) } } })).toHaveLength(1);
  });
});
