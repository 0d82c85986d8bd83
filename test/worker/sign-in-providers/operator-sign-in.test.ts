// Sign-in of the operator's people at a provider of the operator's own, and what another console's provider or a lie gets.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";

import type { OperatorMember } from "../../../protocol/members/operator-contract.ts";
import type { OperatorSignInProvider } from "../../../protocol/sign-in-providers/operator-contract.ts";
import { Browser, reasonOf } from "../console/browser.ts";
import { inviteOperator } from "../members/people.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import { cell, countRows } from "../support/read-cell.ts";
import { linkSecret, makeProvider, newIssuer, Provider, visit } from "./staff.ts";

const PROVIDERS = "/v1/operator/sign-in-providers";
const CLIENT = { client_id: "reprise-console", client_secret: "secret-of-the-client" };

beforeEach(async () => {
  const rows = ["members", "sign_in_providers", "member_identities", "credentials"];
  await env.DB.batch(
    rows.map((table) => env.DB.prepare(`DELETE FROM ${table} WHERE tenant_id = 'operator'`)),
  );
});
afterEach(() => vi.restoreAllMocks());

async function addProvider(more: object = {}) {
  const json = { name: "Staff login", issuer: newIssuer(), ...CLIENT, ...more };
  return ask<OperatorSignInProvider>("POST", PROVIDERS, { ...OPERATOR, json });
}

async function makeOperatorProvider(): Promise<Provider> {
  const { json, text } = await addProvider();
  if (!json.id) throw new Error(`no provider: ${text}`);
  return new Provider({ ...json, credential_id: null });
}

/** A browser of one of the operator's people. */
class Colleague {
  readonly browser = new Browser("/operator");
  readonly provider: Provider;

  constructor(provider: Provider) {
    this.provider = provider;
  }

  async visit(link?: { readonly url: string }): Promise<URLSearchParams> {
    const begun = await this.browser.post<{ url: string }>("provider-sign-in/begin", {
      provider_id: this.provider.row.id,
      ...(link && { secret: linkSecret(link) }),
    });
    if (!begun.json.url) throw new Error(`the sign-in did not begin: ${begun.text}`);
    return visit(begun.json.url);
  }

  complete(returned: URLSearchParams, provider_id = this.provider.row.id) {
    const json = { provider_id, returned: returned.toString() };
    return this.browser.post("provider-sign-in/complete", json);
  }

  async signIn(link?: { readonly url: string }) {
    return this.complete(await this.visit(link));
  }
}

describe("a provider of the operator's", () => {
  test("keeps the client's secret encrypted, for its token endpoint alone, and deletes it with itself", async () => {
    const { status, json, text } = await addProvider();
    const sealed = await cell(
      "SELECT sealed AS value FROM credentials WHERE tenant_id = ?",
      "operator",
    );
    const hosts = await cell(
      "SELECT allowed_hosts AS value FROM credentials WHERE tenant_id = ?",
      "operator",
    );
    const listed = await ask("GET", PROVIDERS, OPERATOR);
    const audit = await ask("GET", `/v1/audit?tenant_id=operator&target_id=${json.id}`, OPERATOR);
    const deleted = await ask("DELETE", `${PROVIDERS}/${json.id}`, OPERATOR);

    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^sip_/),
      name: "Staff login",
      issuer: json.issuer,
      client_id: CLIENT.client_id,
      has_client_secret: true,
      redirect_url: `https://api.test/operator/sign-in/${json.id}/callback`,
      member_count: 0,
      created_at: expect.any(String),
      created_by: "operator",
    });
    expect([sealed, hosts]).toEqual([
      expect.stringMatching(/^v1\./),
      JSON.stringify([new URL(inject("oidcServerUrl")).host]),
    ]);
    for (const shown of [text, listed.text, audit.text]) {
      expect(shown.includes(CLIENT.client_secret)).toBe(false);
    }
    expect(deleted.status).toBe(200);
    expect(
      await countRows("SELECT count(*) AS found FROM credentials WHERE tenant_id = ?", "operator"),
    ).toBe(0);
  });

  test("binds an identity by a link, signs in by it alone, and ends with what it let in", async () => {
    const provider = await makeOperatorProvider();
    const member = await inviteOperator("administrator");
    const colleague = new Colleague(provider);
    const joined = await colleague.signIn(member);
    const again = await new Colleague(provider).signIn();
    const call = { key: (await colleague.browser.exchange()).token };
    const tenants = await ask("GET", "/v1/tenants", call);
    const deleted = await ask<OperatorSignInProvider>(
      "DELETE",
      `${PROVIDERS}/${provider.row.id}`,
      OPERATOR,
    );
    const { json } = await ask<OperatorMember>(
      "GET",
      `/v1/operator/members/${member.id}`,
      OPERATOR,
    );

    expect([joined.status, again.status, tenants.status]).toEqual([204, 204, 200]);
    expect([deleted.status, deleted.json.member_count, json.status]).toEqual([200, 1, "invited"]);
    expect((await ask("GET", "/v1/tenants", call)).status).toBe(401);
  });

  test("stays while no owner would be left who signs in by anything else", async () => {
    const provider = await makeOperatorProvider();
    await new Colleague(provider).signIn(await inviteOperator("owner"));
    const refused = await ask("DELETE", `${PROVIDERS}/${provider.row.id}`, OPERATOR);

    expect(refusalOf(refused)).toMatchObject({ status: 409, code: "conflict" });
  });

  test("that lies lets nobody in", async () => {
    const provider = await makeOperatorProvider();
    await new Colleague(provider).signIn(await inviteOperator("support"));
    const seen = [];
    for (const lies of [
      { claims: { iss: "https://login.example" } },
      { claims: { aud: "another-client" } },
      { claims: { nonce: "of-another-sign-in" } },
      { foreignKey: true },
      { unsigned: true },
      { claims: { sub: "" } },
    ]) {
      await provider.set({ lies });
      seen.push(reasonOf(await new Colleague(provider).signIn()).reason);
    }
    await provider.set({ lies: {}, person: { sub: "a-stranger" } });
    seen.push(reasonOf(await new Colleague(provider).signIn()).reason);

    expect(seen).toEqual([
      ...Array.from({ length: 6 }, () => "provider_refused"),
      "identity_unknown",
    ]);
  });
});

describe("a provider of the other console", () => {
  test("is unknown there, and its way back is not taken", async () => {
    const { id, call } = await makeTenant();
    const [ours, theirs] = [await makeOperatorProvider(), await makeProvider(call)];
    const begun = [
      await new Browser("/operator").post("provider-sign-in/begin", {
        provider_id: theirs.row.id,
      }),
      await new Browser().post("provider-sign-in/begin", {
        tenant_id: id,
        provider_id: ours.row.id,
      }),
      await new Browser().post("provider-sign-in/begin", {
        tenant_id: "operator",
        provider_id: ours.row.id,
      }),
    ];
    // Begun at the operator's console, brought back to a tenant's with all cookies.
    const colleague = new Colleague(ours);
    const returned = await colleague.visit(await inviteOperator());
    const [[name, { value }] = ["", { value: "" }]] = [...colleague.browser.jar];
    const crossed = new Browser();
    crossed.jar.set(name, { value, path: "/console" });
    const taken = await crossed.post("provider-sign-in/complete", {
      provider_id: ours.row.id,
      returned: returned.toString(),
    });
    const choices = await new Browser().post<{ providers: unknown[] }>("sign-in-choices", {
      tenant_id: "operator",
    });

    expect(begun.map((one) => reasonOf(one).reason)).toEqual([
      "provider_unknown",
      "provider_unknown",
      "provider_unknown",
    ]);
    expect([reasonOf(taken).reason, choices.json.providers]).toEqual([
      "provider_sign_in_ended",
      [],
    ]);
    // The state of the crossed attempt is not used up: its own console takes it once.
    const [own, twice] = [await colleague.complete(returned), await colleague.complete(returned)];
    expect([own.status, reasonOf(twice).reason]).toEqual([204, "provider_sign_in_ended"]);
  });

  test("makes no member of one out of an account of the other", async () => {
    const { call, id } = await makeTenant();
    const issuer = newIssuer();
    const ours = new Provider({ ...(await addProvider({ issuer })).json, credential_id: null });
    const theirs = await makeProvider(call, issuer);
    await new Colleague(ours).signIn(await inviteOperator("owner"));
    const browser = new Browser();
    const begun = await browser.post<{ url: string }>("provider-sign-in/begin", {
      tenant_id: id,
      provider_id: theirs.row.id,
    });
    const returned = await visit(begun.json.url);
    const refused = await browser.post("provider-sign-in/complete", {
      provider_id: theirs.row.id,
      returned: returned.toString(),
    });

    expect(reasonOf(refused).reason).toBe("identity_unknown");
  });
});
