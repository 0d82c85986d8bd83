import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { CreatedApiKey, Scope } from "../../../protocol/keys/contract.ts";
import { SCOPES } from "../../../protocol/keys/contract.ts";
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import { scopesOfVerb, VERB_SCOPES, VerbSchema } from "../../../protocol/client-tokens/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { openToken, signToken } from "../../../storage/secrets/signed-token.ts";
import { ask, openSession, refusalOf, type Call } from "../support/api.ts";
import { mintCall, mintToken } from "../support/client-token.ts";
import { ALL_ROUTES, addressOf, BODIES } from "../support/token-routes.ts";

const VERBS = VerbSchema.options;
const UNAUTHENTICATED = { status: 401, code: "unauthenticated", pointers: undefined };
const NOT_FOUND = { status: 404, code: "not_found", pointers: undefined };

async function makeKey(call: Call, scopes: readonly Scope[]): Promise<Call> {
  const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  return { key: json.api_key };
}

/** The token's claims, changed and signed by ourselves. */
async function resign(token: string, changes: object): Promise<Call> {
  const opened = await openToken("client_token", token, { current: env.KEY_PEPPER }, 0);
  if (!opened.ok) throw new Error(opened.reason);
  const claims = { ...opened.claims, ...changes };
  return { key: await signToken("client_token", claims, env.KEY_PEPPER) };
}

describe("minting a client token", () => {
  test("answers with it once, for the verbs and the time that were asked for", async () => {
    const { call, path, session } = await openSession();
    const before = Date.now();
    const { status, json } = await ask<ClientToken>("POST", `${path}/tokens`, {
      ...call,
      json: {
        verbs: ["read", "confirm", "read"],
        ttl_seconds: 60,
        allowed_origins: ["https://shop.example", "capacitor://localhost", "http://[::1]:3000"],
      },
    });

    expect([status, json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^tok_[0-9a-z]{26}$/),
        session_id: session.id,
        verbs: ["read", "confirm"],
        allowed_origins: ["https://shop.example", "capacitor://localhost", "http://[::1]:3000"],
        created_at: expect.any(String),
        expires_at: new Date(Date.parse(json.created_at) + 60_000).toISOString(),
        key_id: expect.stringMatching(/^key_/),
        token: expect.stringMatching(/^rt_[\da-f]{8}\.[\w-]+\.[\w-]{43}$/),
      },
    ]);
    expect(Date.parse(json.created_at)).toBeGreaterThanOrEqual(before);
  });

  test("has a quarter of an hour and the verbs of a chat when nothing is said", async () => {
    const { call, path } = await openSession();
    const { verbs, allowed_origins, created_at, expires_at } = await mintToken(path, call);

    expect([verbs, allowed_origins, Date.parse(expires_at) - Date.parse(created_at)]).toEqual([
      ["read", "reply", "interrupt"],
      null,
      900_000,
    ]);
  });

  test.each([
    [{ verbs: [] }, "#/verbs"],
    [{ verbs: ["write"] }, "#/verbs/0"],
    [{ ttl_seconds: 0 }, "#/ttl_seconds"],
    [{ ttl_seconds: 3_601 }, "#/ttl_seconds"],
    [{ allowed_origins: [] }, "#/allowed_origins"],
    [{ allowed_origins: ["*"] }, "#/allowed_origins/0"],
    [{ allowed_origins: ["https://shop.example/"] }, "#/allowed_origins/0"],
    [{ allowed_origins: ["https://shop.example/page"] }, "#/allowed_origins/0"],
    [{ allowed_origins: ["HTTPS://shop.example"] }, "#/allowed_origins/0"],
    [{ allowed_origins: ["https://shop.example:443"] }, "#/allowed_origins/0"],
    [{ allowed_origins: ["null"] }, "#/allowed_origins/0"],
    [{ session_id: "ses_1" }, "#/session_id"],
  ])("refuses %j", async (json, pointer) => {
    const { call, path } = await openSession();

    expect(refusalOf(await ask("POST", `${path}/tokens`, { ...call, json }))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });

  test.each(VERBS)("gives the verb %s to nobody whose own scopes do not cover it", async (verb) => {
    const { call, path } = await openSession();
    const lacking = SCOPES.filter((scope) => scope !== VERB_SCOPES[verb]);
    const covering: Scope[] = ["sessions:write", ...scopesOfVerb(verb)];
    const json = { verbs: [verb] };
    const refused = await ask("POST", `${path}/tokens`, {
      ...(await makeKey(call, lacking)),
      json,
    });
    const { status } = await ask("POST", `${path}/tokens`, {
      ...(await makeKey(call, covering)),
      json,
    });

    expect([refusalOf(refused), status]).toEqual([
      { status: 403, code: "insufficient_scope", pointers: ["#/verbs/0"] },
      201,
    ]);
  });

  test("is for sessions of one's own that exist", async () => {
    const [own, other] = [await openSession(), await openSession()];
    const missing = `/v1/sessions/ses_${"0".repeat(26)}`;

    const answers = [];
    for (const path of [other.path, missing]) {
      answers.push(refusalOf(await ask("POST", `${path}/tokens`, { ...own.call, json: {} })));
    }

    expect(answers).toEqual([NOT_FOUND, NOT_FOUND]);
  });

  test("is nothing that a client token can do", async () => {
    const { call, path } = await openSession();
    const token = await mintToken(path, call, { verbs: VERBS });
    const app = { key: token.token };

    expect([
      refusalOf(await ask("POST", `${path}/tokens`, { ...app, json: {} })),
      refusalOf(await ask("DELETE", `${path}/tokens/${token.id}`, app)),
    ]).toEqual(
      [1, 2].map(() => ({ status: 403, code: "insufficient_scope", pointers: undefined })),
    );
  });
});

describe("a client token", () => {
  test("is refused once its time is over, whatever it says", async () => {
    const { call, path } = await openSession();
    const { token } = await mintToken(path, call);
    const answer = await ask("GET", path, await resign(token, { exp: Date.now() }));

    expect([refusalOf(answer), answer.json.detail]).toEqual([
      UNAUTHENTICATED,
      "the client token has expired; ask your server for a new one",
    ]);
  });

  test("opens no other session, of its own tenant or of another", async () => {
    const own = await openSession();
    const sibling = await ask<{ id: string }>("POST", "/v1/sessions", {
      ...own.call,
      json: { agent_id: own.agent.id },
    });
    const foreign = await openSession();
    const app = await mintCall(own.path, own.call, { verbs: VERBS });
    const paths = [
      `/v1/sessions/${sibling.json.id}`,
      foreign.path,
      `/v1/sessions/ses_${"0".repeat(26)}`,
      "/v1/sessions/ses_1",
    ];

    const answers = [];
    for (const path of paths) {
      const { status, json } = await ask("GET", path, app);
      answers.push([status, json.code, json.detail]);
    }

    expect(answers).toEqual(paths.map(() => [404, "not_found", "there is no such session"]));
  });

  test("finds on no route what another session holds", BROAD, async () => {
    const [own, foreign] = [await openSession(), await openSession()];
    const input = { ...foreign.call, json: { input: "Hello" } };
    const { json: reply } = await ask<Reply>("POST", `${foreign.path}/replies`, input);
    const app = await mintCall(own.path, own.call, { verbs: VERBS });
    const routes = ALL_ROUTES.filter(({ verb }) => verb !== undefined);

    const answers = [];
    for (const route of routes) {
      const json = route.body === "none" ? undefined : (BODIES[route.name]?.(reply) ?? {});
      const answer = await ask(route.method, addressOf(route, foreign, reply), { ...app, json });
      answers.push([route.name, answer.status, answer.json.code]);
    }

    expect(answers).toEqual(routes.map(({ name }) => [name, 404, "not_found"]));
  });

  test("that names a session of another tenant opens nothing, even when we had signed it", async () => {
    const [own, foreign] = [await openSession(), await openSession()];
    const { token } = await mintToken(own.path, own.call);
    const forged = [
      await resign(token, { session_id: foreign.session.id }),
      await resign(token, { session_id: foreign.session.id, tenant_id: foreign.tenantId }),
      await resign(token, { token_id: `tok_${"0".repeat(26)}` }),
    ];

    expect([
      refusalOf(await ask("GET", foreign.path, forged[0])),
      refusalOf(await ask("GET", foreign.path, forged[1])),
      refusalOf(await ask("GET", own.path, forged[2])),
    ]).toEqual([UNAUTHENTICATED, UNAUTHENTICATED, UNAUTHENTICATED]);
  });

  test("that was changed opens nothing and is not told why", async () => {
    const { call, path } = await openSession();
    const { token } = await mintToken(path, call);
    const [keyId = "", payload = "", signature = ""] = token.split(".");
    const forms = [
      keyId,
      `${keyId}.${payload}`,
      `${keyId}.${payload}.`,
      `${keyId}.${signature}`,
      `rt_${payload}.${signature}`,
      `rt_.${payload}.${signature}`,
      `rt_00000000.${payload}.${signature}`,
      `${token}A`,
      `rt_${token}`,
      "rt_",
      "rt_a.b",
    ];

    const answers = [];
    for (const key of forms) {
      const { status, json } = await ask("GET", path, { key });
      answers.push([status, json.detail]);
    }

    const detail =
      "the client token is mistyped, cut off or was changed: its signature does not fit";
    expect(answers).toEqual(forms.map(() => [401, detail]));
  });

  test("is worth nothing once it was revoked, twice or with its session's end", BROAD, async () => {
    const { call, path } = await openSession();
    const [revoked, other] = [await mintToken(path, call), await mintToken(path, call)];
    const remove = () => ask("DELETE", `${path}/tokens/${revoked.id}`, call);
    const statuses = [(await remove()).status, (await remove()).status];
    const after = [
      refusalOf(await ask("GET", path, { key: revoked.token })),
      (await ask("GET", path, { key: other.token })).status,
    ];
    await ask("DELETE", path, call);

    expect([statuses, after, refusalOf(await ask("GET", path, { key: other.token }))]).toEqual([
      [204, 204],
      [UNAUTHENTICATED, 200],
      UNAUTHENTICATED,
    ]);
  });

  test("is revoked where it was minted and nowhere else", async () => {
    const [own, foreign] = [await openSession(), await openSession()];
    const token = await mintToken(own.path, own.call);
    const places = [foreign.path, own.path];
    const ids = [token.id, `tok_${"0".repeat(26)}`];

    const answers = [];
    for (const [index, path] of places.entries()) {
      answers.push(refusalOf(await ask("DELETE", `${path}/tokens/${ids[index]}`, foreign.call)));
    }
    answers.push(refusalOf(await ask("DELETE", `${own.path}/tokens/${ids[1]}`, own.call)));

    expect([answers, (await ask("GET", own.path, { key: token.token })).status]).toEqual([
      [NOT_FOUND, NOT_FOUND, NOT_FOUND],
      200,
    ]);
  });

  test("for pages of certain origins is for no other page and for no program", async () => {
    const { call, path } = await openSession();
    const allowed_origins = ["https://shop.example", "https://shop.example:8443"];
    const app = await mintCall(path, call, { allowed_origins });
    const open = await mintCall(path, call);
    const origins = [
      "https://shop.example",
      "https://shop.example:8443",
      "https://shop.example.evil.example",
      "http://shop.example",
      "https://SHOP.example",
      "null",
      undefined,
    ];

    const answers = [];
    for (const origin of origins) {
      const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin };
      const restricted = await ask("GET", path, { ...app, headers });
      const { status, headers: answered } = await ask("GET", path, { ...open, headers });
      answers.push([
        origin,
        restricted.json.code ?? restricted.status,
        restricted.headers.get("Access-Control-Allow-Origin"),
        status,
        answered.get("Access-Control-Allow-Origin"),
      ]);
    }

    expect(answers).toEqual(
      origins.map((origin, index) => [origin, index < 2 ? 200 : "origin_forbidden", "*", 200, "*"]),
    );
  });
});
