// Token issuers as a resource: their defaults, what is refused, how many there may be, and whose key they hang on.
import { describe, expect, test } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { TokenIssuer } from "../../../protocol/token-issuers/contract.ts";
import { MAX_TOKEN_ISSUERS } from "../../../protocol/token-issuers/limits.ts";
import { ask, makeAgent, makeTenant, refusalOf } from "../support/api.ts";

const PATH = "/v1/token-issuers";
const SETTINGS = {
  name: "Sign-in",
  issuer: "https://login.example",
  jwks_url: "https://login.example/keys",
};

describe("a token issuer", () => {
  test("is shown as it was registered, with its defaults", async () => {
    const { call } = await makeTenant();
    const { status, json, headers } = await ask<TokenIssuer>("POST", PATH, {
      ...call,
      json: SETTINGS,
    });

    expect([status, headers.get("Location")]).toEqual([201, `${PATH}/${json.id}`]);
    expect(json).toEqual({
      id: expect.stringMatching(/^tki_/),
      ...SETTINGS,
      audience: null,
      end_user_claim: "sub",
      end_user_prefix: "",
      verbs: ["reply", "interrupt"],
      agent_ids: null,
      allowed_origins: null,
      end_user_share: null,
      created_at: expect.any(String),
      created_by: expect.stringMatching(/^key_/),
    });
    expect((await ask("GET", `${PATH}/${json.id}`, call)).json).toEqual(json);
    expect((await ask("GET", PATH, call)).json).toEqual({
      data: [json],
      has_more: false,
      next_page: null,
    });
    expect((await ask("DELETE", `${PATH}/${json.id}`, call)).status).toBe(204);
    expect((await ask("GET", `${PATH}/${json.id}`, call)).status).toBe(404);
  });

  test.each([
    ["#/issuer", { issuer: "login" }],
    ["#/issuer", { issuer: "https://login.example?tenant=1" }],
    ["#/issuer", { issuer: "http://login.example" }],
    ["#/jwks_url", { jwks_url: "http://login.example/keys" }],
    ["#/jwks_url", { jwks_url: "https://10.0.0.1/keys" }],
    ["#/verbs", { verbs: [] }],
    ["#/verbs/0", { verbs: ["upload"] }],
    ["#/agent_ids/0", { agent_ids: ["agt_none"] }],
    ["#/allowed_origins/0", { allowed_origins: ["login.example/path"] }],
    ["#/end_user_claim", { end_user_claim: "" }],
    ["#/end_user_share/stored_bytes_percent", { end_user_share: { stored_bytes_percent: 101 } }],
    ["#/end_user_share/tokens", { end_user_share: { tokens: 5 } }],
    ["#/colour", { colour: "red" }],
  ])("is refused for %s of %o", async (pointer, change) => {
    const { call } = await makeTenant();
    const answer = await ask("POST", PATH, { ...call, json: { ...SETTINGS, ...change } });

    expect(refusalOf(answer as never)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });

  test("is for agents of its own tenant alone", async () => {
    const [one, other] = [await makeTenant(), await makeTenant()];
    const agent_ids = [(await makeAgent(other.call)).id];
    const foreign = await ask("POST", PATH, { ...one.call, json: { ...SETTINGS, agent_ids } });
    const own = await ask("POST", PATH, { ...other.call, json: { ...SETTINGS, agent_ids } });

    expect([foreign.status, own.status]).toEqual([400, 201]);
  });

  test("gives its end users no right that its key lacks", async () => {
    const { call } = await makeTenant();
    const scopes = ["keys:write", "replies:write", "sessions:read"];
    const key = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
    const weak = { key: key.json.api_key };
    const beyond = { ...SETTINGS, verbs: ["reply", "confirm"] };
    const refused = await ask("POST", PATH, { ...weak, json: beyond });
    const remembering = { ...SETTINGS, verbs: ["reply", "memory"] };
    const forgetful = await ask("POST", PATH, { ...weak, json: remembering });
    const registered = await ask("POST", PATH, { ...weak, json: SETTINGS });
    const both = await ask("POST", PATH, { ...call, json: remembering });

    expect([refused.status, refused.json, registered.status, both.status]).toMatchObject([
      403,
      { code: "insufficient_scope", required_scope: "confirmations:write" },
      201,
      201,
    ]);
    expect([forgetful.status, forgetful.json]).toMatchObject([
      403,
      { code: "insufficient_scope", required_scope: "memories:read" },
    ]);
  });

  test("is registered by those alone who may read what its end users read", async () => {
    const { call } = await makeTenant();
    const scopes = ["keys:write", "replies:write"];
    const key = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
    const json = { ...SETTINGS, verbs: ["reply"] };
    const refused = await ask("POST", PATH, { key: key.json.api_key, json });

    expect([refused.status, refused.json]).toMatchObject([
      403,
      { code: "insufficient_scope", required_scope: "sessions:read" },
    ]);
  });

  test("is one of ten at most, also when many come at once", async () => {
    const { call } = await makeTenant();
    const statuses = await Promise.all(
      Array.from(
        { length: MAX_TOKEN_ISSUERS + 3 },
        async () => (await ask("POST", PATH, { ...call, json: SETTINGS })).status,
      ),
    );
    const full = await ask("POST", PATH, { ...call, json: SETTINGS });
    const { json } = await ask<Page<TokenIssuer>>("GET", PATH, call);

    expect(statuses.filter((status) => status === 201)).toHaveLength(MAX_TOKEN_ISSUERS);
    expect([full.status, full.json]).toMatchObject([
      429,
      { code: "quota_exceeded", quota: "token_issuers" },
    ]);
    expect(json.data).toHaveLength(MAX_TOKEN_ISSUERS);
  });
});
