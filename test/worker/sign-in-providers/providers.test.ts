// Sign-in providers as a resource: what is checked when one is registered, and what ends with one.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, test, vi } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Member, RemovedMember } from "../../../protocol/members/contract.ts";
import { ROLE_SCOPES } from "../../../protocol/members/roles.ts";
import type { SignInProvider } from "../../../protocol/sign-in-providers/contract.ts";
import { MAX_SIGN_IN_PROVIDERS } from "../../../protocol/sign-in-providers/limits.ts";
import { reasonOf } from "../console/browser.ts";
import { invite, join } from "../members/people.ts";
import { ask, makeTenant, refusalOf, type Call } from "../support/api.ts";
import { Colleague, joinBy, makeClientSecret, makeProvider, newIssuer, Provider } from "./staff.ts";
import { BROAD } from "../../support/breadth.ts";

afterEach(() => vi.restoreAllMocks());

const PATH = "/v1/sign-in-providers";

const create = (call: Call, json: object = {}) =>
  ask<SignInProvider>("POST", PATH, {
    ...call,
    json: { name: "Shop login", issuer: newIssuer(), client_id: "reprise-console", ...json },
  });
const remove = (call: Call, { row }: Provider) =>
  ask<SignInProvider>("DELETE", `${PATH}/${row.id}`, call);

describe("a sign-in provider", () => {
  test("is shown as it was registered, with the address of the way back", async () => {
    const { call } = await makeTenant();
    const issuer = newIssuer();
    const { status, json, headers } = await create(call, { issuer });

    expect([status, headers.get("Location")]).toEqual([201, `${PATH}/${json.id}`]);
    expect(json).toEqual({
      id: expect.stringMatching(/^sip_/),
      name: "Shop login",
      issuer,
      client_id: "reprise-console",
      credential_id: null,
      redirect_url: `https://api.test/console/sign-in/${json.id}/callback`,
      member_count: 0,
      created_at: expect.any(String),
      created_by: expect.stringMatching(/^key_/),
    });
    expect((await ask("GET", `${PATH}/${json.id}`, call)).json).toEqual(json);
    expect((await ask("GET", PATH, call)).json).toMatchObject({ data: [json] });
  });

  test.each([
    ["#/issuer", { issuer: "login" }],
    ["#/issuer", { issuer: "https://login.example?tenant=1" }],
    ["#/issuer", { issuer: "http://login.example" }],
    ["#/issuer", { issuer: "https://10.0.0.1" }],
    ["#/name", { name: "" }],
    ["#/client_id", { client_id: "" }],
    ["#/credential_id", { credential_id: "crd_none" }],
    ["#/colour", { colour: "red" }],
  ])("is refused for %s of %o", async (pointer, change) => {
    const { call } = await makeTenant();

    expect(refusalOf((await create(call, change)) as never)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });

  test("is asked for its configuration first, and refused with what is wrong with it", async () => {
    const { call } = await makeTenant();
    const other = newIssuer();
    const lies = [
      [{ issuer: other }, "has the configuration of another issuer"],
      [{ token_endpoint: null }, "has no token_endpoint"],
      [{ jwks_uri: "https://10.0.0.1/keys" }, "a jwks_uri that cannot be reached"],
    ] as const;
    const details = [];
    for (const [configuration] of lies) {
      const issuer = newIssuer();
      await new Provider({ issuer } as SignInProvider).set({ lies: { configuration } });
      const { json } = await create(call, { issuer });
      details.push((json as never as { errors: { detail: string }[] }).errors[0]?.detail);
    }
    const missing = await create(call, { issuer: `${newIssuer()}/nothing` });

    expect(details).toEqual(lies.map(([, words]) => expect.stringContaining(words)));
    expect(missing.text).toContain("answers its configuration with status 404");
  });

  test("has its client's secret in a credential of its tenant, which may go to the token endpoint", async () => {
    const [{ id, call }, other] = [await makeTenant(), await makeTenant()];
    const host = new URL(inject("oidcServerUrl")).host;
    const foreign = await makeClientSecret(other.call);
    const elsewhere = await makeClientSecret(call, ["elsewhere.example"]);
    const refused = [
      await create(call, { credential_id: foreign.id }),
      await create(call, { credential_id: elsewhere.id }),
    ];
    // Its hosts are narrowed later, and then it is deleted.
    const provider = await makeProvider(call);
    const credential = `/v1/credentials/${provider.row.credential_id}`;
    const colleague = new Colleague(id, provider);
    await ask("PATCH", credential, { ...call, json: { allowed_hosts: ["elsewhere.example"] } });
    const narrowed = await colleague.signIn(await invite(call));
    await ask("PATCH", credential, { ...call, json: { allowed_hosts: [host] } });
    await ask("DELETE", credential, call);
    const deleted = await colleague.signIn(await invite(call));

    expect(refused.map((answer) => refusalOf(answer as never).pointers)).toEqual([
      ["#/credential_id"],
      ["#/credential_id"],
    ]);
    expect([narrowed, deleted].map(({ json }) => json.detail)).toEqual([
      expect.stringContaining("may not be sent to its token endpoint"),
      expect.stringContaining("which was deleted"),
    ]);
  });

  test("of a client without a secret signs in by PKCE alone", async () => {
    const { id, call } = await makeTenant();
    const issuer = `${inject("oidcServerUrl")}/public-${crypto.randomUUID()}`;
    const { json } = await create(call, { issuer });
    const colleague = new Colleague(id, new Provider(json));

    expect((await colleague.signIn(await invite(call))).status).toBe(204);
  });

  test("is registered and deleted by those alone who have an owner's scopes", async () => {
    const { call } = await makeTenant();
    const scopes = [...ROLE_SCOPES.viewer, "members:read", "members:write"];
    const { json: narrow } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes },
    });
    const provider = await makeProvider(call);
    const answers = [
      await create({ key: narrow.api_key }),
      await remove({ key: narrow.api_key }, provider),
    ];

    expect(answers.map((answer) => refusalOf(answer as never).code)).toEqual([
      "insufficient_scope",
      "insufficient_scope",
    ]);
  });

  test(
    "is neither registered nor deleted by an owner who is none any more, whom a Worker still believes in",
    BROAD,
    async () => {
      const { call } = await makeTenant();
      await join(call);
      const { call: theirs, member } = await join(call);
      const provider = await makeProvider(theirs);
      await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE id = ?").bind(member.id).run();

      expect([(await create(theirs)).status, (await remove(theirs, provider)).status]).toEqual([
        401, 409,
      ]);
    },
  );

  test("is one of ten at most, also of many at once", async () => {
    const { call } = await makeTenant();
    const answers = await Promise.all(
      Array.from({ length: MAX_SIGN_IN_PROVIDERS + 2 }, () => create(call)),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_SIGN_IN_PROVIDERS);
    expect(answers.find(({ status }) => status !== 201)?.json).toMatchObject({
      code: "quota_exceeded",
      quota: "sign_in_providers",
    });
  });
});

describe("a deleted provider", () => {
  test("says how many signed in by it; their identities and sessions end, and they wait for a link", async () => {
    const tenant = await makeTenant();
    const { call } = tenant;
    await join(call);
    const [provider, other] = [await makeProvider(call), await makeProvider(call)];
    const ada = await joinBy(tenant, provider, { role: "viewer", sub: "ada" });
    const ben = await joinBy(tenant, provider, { role: "owner", sub: "ben" });
    const cem = await joinBy(tenant, other, { role: "viewer", sub: "cem" });
    const shown = await ask<SignInProvider>("GET", `${PATH}/${provider.row.id}`, call);
    const deleted = await remove(call, provider);
    const again = await remove(call, provider);
    const ended = [ada.call, ben.call, cem.call].map((one) => ask("GET", "/v1/agents", one));
    const { json: after } = await ask<Member>("GET", `/v1/members/${ada.member.id}`, call);

    expect([shown.json.member_count, deleted.json.member_count]).toEqual([2, 2]);
    expect([deleted.status, again.status]).toEqual([200, 404]);
    expect((await Promise.all(ended)).map(({ status }) => status)).toEqual([401, 401, 200]);
    expect(after).toMatchObject({ status: "invited", link_expires_at: null });
    expect(reasonOf(await ada.colleague.begin())).toMatchObject({ reason: "provider_unknown" });
    expect((await cem.colleague.signIn()).status).toBe(204);
  });

  test("under way ends the sign-ins at it", async () => {
    const { id, call } = await makeTenant();
    const provider = await makeProvider(call);
    const colleague = new Colleague(id, provider);
    const returned = await colleague.visit(await invite(call));
    await remove(call, provider);

    expect(reasonOf(await colleague.complete(returned))).toMatchObject({
      reason: "provider_unknown",
    });
  });

  test("is refused while no other owner signs in by anything else", async () => {
    const tenant = await makeTenant();
    const { call } = tenant;
    const provider = await makeProvider(call);
    const ada = await joinBy(tenant, provider, { sub: "ada" });
    // An invited owner may never come, and another one by the same provider goes with it.
    await invite(call);
    await joinBy(tenant, provider, { sub: "ben" });
    const refused = await remove(call, provider);
    const { json: still } = await ask<Member>("GET", `/v1/members/${ada.member.id}`, call);
    await join(call);
    const deleted = await remove(ada.call, provider);

    expect(refusalOf(refused as never)).toMatchObject({ status: 409, code: "conflict" });
    expect([still.status, deleted.status, deleted.json.member_count]).toEqual(["active", 200, 2]);
  });

  test("is among what a member leaves behind until then", async () => {
    const tenant = await makeTenant();
    await join(tenant.call);
    const { member, call: theirs } = await join(tenant.call);
    const provider = await makeProvider(theirs);
    const path = `/v1/members/${member.id}`;
    const { json } = await ask<RemovedMember>("DELETE", path, tenant.call);

    expect(json.sign_in_provider_ids).toEqual([provider.row.id]);
  });
});
