// End users with JWTs of an issuer that the tenant has registered: what is accepted, whose sessions they reach, and
// what hostile tokens and hostile key sets come to.
import { createHmac } from "node:crypto";

import { describe, expect, inject, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { ASKING, callTool, openMcpDesk, send, type McpDesk } from "../../support/mcp-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startTokenIssuer, type TestIssuer } from "../../support/token-issuer.ts";

async function register(
  { key }: McpDesk,
  { issuer, jwksUrl }: TestIssuer,
  settings: object = {},
): Promise<string> {
  const { status, body } = await request<{ id: string }>("POST", "/v1/token-issuers", {
    key,
    body: { name: "Sign-in", issuer, jwks_url: jwksUrl, ...settings },
  });
  expect(status).toBe(201);
  return body.id;
}

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** With a token for the desk's own address. */
async function openSignIn(settings: object = {}) {
  const desk = await openMcpDesk();
  const issuer = await startTokenIssuer();
  const id = await register(desk, issuer, settings);
  const tokenOf = (sub: string, claims: object = {}, header: object = {}) =>
    issuer.sign({ sub, aud: desk.url.href, ...claims }, { ...header });
  return { desk, issuer, id, tokenOf };
}

describe("an end user", () => {
  it("has the sessions that are theirs, and finds no others", async () => {
    const { desk, tokenOf } = await openSignIn();
    const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")];

    const first = await callTool(desk, "ask_desk", { message: "/say Hello." }, ada);
    const { session_id } = first.structuredContent!;
    const next = await callTool(desk, "ask_desk", { message: "/say Again.", session_id }, ada);
    const others = [
      await callTool(desk, "ask_desk", { message: "/say Mine.", session_id }, bob),
      await callTool(desk, "resume_desk", { session_id }, bob),
      await callTool(desk, "stop_desk", { session_id }, bob),
    ];
    const byKey = await callTool(desk, "ask_desk", { message: "/say By key." });
    const ofNobody = { session_id: byKey.structuredContent!.session_id };
    const foreign = await callTool(desk, "resume_desk", ofNobody, ada);
    const cursor = `${session_id}.${first.structuredContent!.reply_id}.1.%5B1%5D`;
    const stream = await request("GET", desk.path, {
      key: bob,
      headers: { "last-event-id": cursor },
    });

    expect(next.structuredContent).toMatchObject({ session_id, status: "completed" });
    expect([...others, foreign].map(({ content }) => content[0]?.text)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/^not_found: /)),
    );
    expect(stream.status).toBe(404);
    const stored = await request("GET", `/v1/sessions/${session_id}`, { key: desk.key });
    expect(stored.body).toMatchObject({ end_user_id: "ada" });
  });

  it("has another session under the same key as somebody else's", async () => {
    const { desk, tokenOf } = await openSignIn();
    const headers = { "idempotency-key": "the-same" };
    const message = { message: "/say Hello." };
    const ada = await callTool(desk, "ask_desk", message, await tokenOf("ada"), headers);
    const bob = await callTool(desk, "ask_desk", message, await tokenOf("bob"), headers);

    expect(ada.structuredContent?.session_id).not.toBe(bob.structuredContent?.session_id);
  });

  it("is named by the issuer's claim and prefix", BROAD, async () => {
    const { desk, tokenOf } = await openSignIn({
      end_user_claim: "https://shop.example/customer",
      end_user_prefix: "shop:",
    });
    const claim = { "https://shop.example/customer": "17" };
    const { structuredContent } = await callTool(
      desk,
      "ask_desk",
      { message: "/say Hi." },
      await tokenOf("x", claim),
    );
    const nameless = await send(desk, await tokenOf("x"), LIST);
    const { body } = await request("GET", `/v1/sessions/${structuredContent!.session_id}`, {
      key: desk.key,
    });

    expect(body).toMatchObject({ end_user_id: "shop:17" });
    expect(nameless.status).toBe(401);
  });

  it("answers what waits only with the verb, and with the hash of what was shown", async () => {
    const [without, with_] = [
      await openSignIn(),
      await openSignIn({ verbs: ["reply", "confirm"] }),
    ];
    const tried = [];
    for (const { desk, tokenOf } of [without, with_]) {
      const token = await tokenOf("ada");
      const { structuredContent } = await callTool(desk, "ask_desk", { message: ASKING }, token);
      const { session_id, pending } = structuredContent!;
      const [{ call_id, input_hash } = { call_id: "", input_hash: "" }] = pending;
      const answer = { call_id, approved: true };
      const blind = { session_id, answers: [answer] };
      const seen = { session_id, answers: [{ ...answer, input_hash }] };
      tried.push(await callTool(desk, "resume_desk", blind, token));
      tried.push(await callTool(desk, "resume_desk", seen, token));
      tried.push(await callTool(desk, "stop_desk", { session_id }, token));
    }

    expect(
      tried.map(({ content, structuredContent }) =>
        structuredContent ? structuredContent.status : content[0]?.text?.split(":")[0],
      ),
    ).toEqual([
      "verb_missing",
      "verb_missing",
      "interrupted",
      "input_hash_missing",
      "completed",
      "verb_missing",
    ]);
    const { desk } = with_;
    const { body } = await request<{ data: { decided_by: object }[] }>(
      "GET",
      "/v1/decisions?decided_by=end_user",
      { key: desk.key },
    );
    expect(body.data.map(({ decided_by }) => decided_by)).toEqual([
      { kind: "end_user", id: "ada" },
    ]);
  });

  it("has nothing but the endpoint of the agents that the issuer is for", async () => {
    const desk = await openMcpDesk();
    const { body } = await request<{ id: string }>("POST", "/v1/agents", {
      key: desk.key,
      body: { name: "Desk", model: { provider: "scripted", name: "refund-desk" } },
    });
    const issuer = await startTokenIssuer();
    await register(desk, issuer, { agent_ids: [desk.agentId], audience: "shop" });
    const token = await issuer.sign({ sub: "ada", aud: ["other", "shop"] });

    const answers = [
      await send(desk, token, LIST),
      await send({ path: `/v1/agents/${body.id}/mcp` }, token, LIST),
      await request("GET", "/v1/sessions", { key: token }),
      await request("GET", `/v1/agents/${desk.agentId}`, { key: token }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401]);
  });

  it("comes from the pages that the issuer was registered with, and from no others", async () => {
    const { desk, tokenOf } = await openSignIn({ allowed_origins: ["https://shop.example"] });
    const token = await tokenOf("ada");
    const answers = [
      await send(desk, token, LIST, { origin: "https://shop.example" }),
      await send(desk, token, LIST, { origin: "https://evil.example" }),
      await send(desk, desk.key, LIST, { origin: "https://shop.example" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
  });
});

describe("a token", () => {
  const seconds = () => Math.floor(Date.now() / 1_000);

  it.each<[string, object, object]>([
    ["of another audience", { aud: "https://elsewhere.example" }, {}],
    ["without an audience", { aud: undefined }, {}],
    ["of another issuer", { iss: "https://elsewhere.example" }, {}],
    ["that has expired", { exp: seconds() - 60 }, {}],
    ["without an expiry", { exp: undefined }, {}],
    ["that is not valid yet", { nbf: seconds() + 600 }, {}],
    ["whose end user is empty", { sub: "" }, {}],
    ["whose end user is a number", { sub: 17 }, {}],
    ["whose end user is too long", { sub: "x".repeat(201) }, {}],
    ["of an unknown key", {}, { kid: "made-up" }],
  ])("%s is refused", async (_, claims, header) => {
    const { desk, tokenOf } = await openSignIn();
    const { status, headers } = await send(desk, await tokenOf("ada", claims, header), LIST);

    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer realm="reprise", resource_metadata="${inject("baseUrl")}/.well-known/oauth-protected-resource${desk.path}", error="invalid_token"`,
    );
  });

  it("that is unsigned, signed with the public key as a secret, or with another key is refused", async () => {
    const { desk, issuer, tokenOf } = await openSignIn();
    const stranger = await startTokenIssuer();
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { iss: issuer.issuer, sub: "ada", aud: desk.url.href, exp: seconds() + 600 };
    const jwk = (await issuer.publicJwk()) as { kid: string };
    const none = `${encode({ alg: "none" })}.${encode(claims)}.`;
    const symmetric = `${encode({ alg: "HS256", kid: jwk.kid })}.${encode(claims)}`;
    const mac = createHmac("sha256", JSON.stringify(jwk)).update(symmetric).digest("base64url");
    const good = await tokenOf("ada");
    const [header, payload, signature] = good.split(".");
    const forged = [
      none,
      `${symmetric}.${mac}`,
      await stranger.sign({ ...claims, sub: "ada" }, { kid: jwk.kid }),
      // Brings its own key, and its own address of keys.
      await stranger.sign(claims, {
        kid: "key-1",
        jwk: await stranger.publicJwk(),
        jku: stranger.jwksUrl,
      }),
      `${header}.${encode({ ...claims, sub: "bob" })}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      "eyJ.eyJ.eyJ",
    ];

    const answers = [];
    for (const token of forged) answers.push((await send(desk, token, LIST)).status);

    expect(answers).toEqual(forged.map(() => 401));
    expect((await send(desk, good, LIST)).status).toBe(200);
    expect(stranger.asked()).toBe(0);
  });

  it("may be good for longer than any date", BROAD, async () => {
    const { desk, tokenOf } = await openSignIn();
    const { status } = await send(desk, await tokenOf("ada", { exp: 1e15 }), LIST);

    expect(status).toBe(200);
  });

  it("of a flood of unknown keys asks the issuer no more than once", BROAD, async () => {
    const { desk, issuer, tokenOf } = await openSignIn();
    expect((await send(desk, await tokenOf("ada"), LIST)).status).toBe(200);
    const before = issuer.asked();

    const answers = [];
    for (let index = 0; index < 20; index += 1) {
      const token = await tokenOf("ada", {}, { kid: `made-up-${index}` });
      answers.push((await send(desk, token, LIST)).status);
    }

    expect(new Set(answers)).toEqual(new Set([401]));
    expect(issuer.asked() - before).toBeLessThanOrEqual(1);
  });

  it("of an issuer that was deleted is refused, and its metadata is gone", async () => {
    const { desk, id, tokenOf } = await openSignIn();
    const token = await tokenOf("ada");
    const metadata = `/.well-known/oauth-protected-resource${desk.path}`;
    const before = [await send(desk, token, LIST), await request("GET", metadata)];
    await request("DELETE", `/v1/token-issuers/${id}`, { key: desk.key });
    const after = [await send(desk, token, LIST), await request("GET", metadata)];

    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    expect(after.map(({ status }) => status)).toEqual([401, 404]);
  });

  it("of an issuer whose key was revoked with everything made with it is refused", async () => {
    const desk = await openMcpDesk();
    const issuer = await startTokenIssuer();
    const made = await request<{ id: string; api_key: string }>("POST", "/v1/api-keys", {
      key: desk.key,
      body: {},
    });
    await register({ ...desk, key: made.body.api_key }, issuer);
    const token = await issuer.sign({ sub: "ada", aud: desk.url.href });
    const before = await send(desk, token, LIST);
    const revoked = await request("POST", `/v1/api-keys/${made.body.id}/revoke`, {
      key: desk.key,
      body: { reason: "leaked" },
    });

    expect([before.status, revoked.status]).toEqual([200, 200]);
    await waitFor(async () => expect((await send(desk, token, LIST)).status).toBe(401));
  });

  it("of a suspended tenant is refused, by that name", async () => {
    const { desk, tokenOf } = await openSignIn();
    const token = await tokenOf("ada");
    const before = await send(desk, token, LIST);
    await request("PATCH", `/v1/tenants/${desk.tenantId}`, {
      key: inject("operatorKey"),
      body: { status: "suspended" },
    });

    expect(before.status).toBe(200);
    await waitFor(async () => {
      const { status, body } = await send(desk, token, LIST);
      expect([status, body]).toMatchObject([403, { code: "tenant_suspended" }]);
    });
  });
});

describe("an issuer's keys", BROAD, () => {
  it.each<[string, Parameters<TestIssuer["answerWith"]>[0]]>([
    ["that hang", () => undefined],
    ["that hang in the middle", (_, response) => void response.writeHead(200).write('{"keys":[')],
    [
      "of ten megabytes",
      (_, response) =>
        void response.writeHead(200).end(`{"keys":[],"x":"${"x".repeat(10_000_000)}"}`),
    ],
    [
      "that redirect",
      (_, response) => void response.writeHead(302, { location: inject("baseUrl") }).end(),
    ],
    ["that are no JSON", (_, response) => void response.writeHead(200).end("<html>")],
    ["that are no list", (_, response) => void response.writeHead(200).end('{"keys":{}}')],
    [
      "that are too many",
      (_, response) =>
        void response.writeHead(200).end(JSON.stringify({ keys: Array(51).fill({ kty: "EC" }) })),
    ],
    ["of an error", (_, response) => void response.writeHead(500).end()],
  ])("%s are not waited for, and others are served meanwhile", async (_, respond) => {
    const { desk, issuer, tokenOf } = await openSignIn();
    issuer.answerWith(respond);

    const refused = await send(desk, await tokenOf("ada"), LIST);
    const again = await send(desk, await tokenOf("bob"), LIST);
    const byKey = await send(desk, desk.key, LIST);

    expect([refused.status, again.status, byKey.status]).toEqual([503, 503, 200]);
    expect(issuer.asked()).toBe(1);
  });

  it.each([
    ["http://169.254.169.254/keys"],
    ["http://10.0.0.1/keys"],
    ["http://shop.example/keys"],
    ["https://user:secret@shop.example/keys"],
    ["file:///etc/passwd"],
  ])("at %s are not registered", async (jwks_url) => {
    const { key } = await openMcpDesk();
    const { status, body } = await request("POST", "/v1/token-issuers", {
      key,
      body: { name: "Bad", issuer: "https://shop.example", jwks_url },
    });

    expect([status, body]).toMatchObject([
      400,
      { code: "validation_failed", errors: [{ pointer: "#/jwks_url" }] },
    ]);
  });
});

describe("the metadata", () => {
  it("names the issuers, without a credential and for any page", async () => {
    const { desk, issuer } = await openSignIn();
    const { status, body, headers } = await request(
      "GET",
      `/.well-known/oauth-protected-resource${desk.path}`,
      { headers: { origin: "https://shop.example" } },
    );

    expect([status, body, headers.get("access-control-allow-origin")]).toEqual([
      200,
      {
        resource: desk.url.href,
        authorization_servers: [issuer.issuer],
        bearer_methods_supported: ["header"],
      },
      "*",
    ]);
  });

  it("is not there for agents without issuers, and for none at all", async () => {
    const desk = await openMcpDesk();
    const paths = [desk.path, `/v1/agents/agt_${"0".repeat(26)}/mcp`, "/v1/agents/x/mcp"];
    const answers = [];
    for (const path of paths) {
      answers.push((await request("GET", `/.well-known/oauth-protected-resource${path}`)).status);
    }
    const { status, headers } = await send(desk, undefined, LIST);

    expect(answers).toEqual([404, 404, 404]);
    expect([status, headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="reprise", resource_metadata="${inject("baseUrl")}/.well-known/oauth-protected-resource${desk.path}"`,
    ]);
  });
});
