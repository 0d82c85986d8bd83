// Sign-in of members at a provider: bound by a link, and later by the identity alone; and what a browser or a provider that lies
// gets.
import { afterEach, describe, expect, test, vi } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { ConsoleAccess } from "../../../protocol/console/contract.ts";
import type { Member } from "../../../protocol/members/contract.ts";
import type { MemberInvitation } from "../../../protocol/members/passkey.ts";
import { ROLE_SCOPES } from "../../../protocol/members/roles.ts";
import { MAX_SIGN_INS_UNDER_WAY } from "../../../protocol/sign-in-providers/limits.ts";
import type { SignInProvider } from "../../../protocol/sign-in-providers/contract.ts";
import { PROVIDER_SIGN_IN_MS } from "../../../protocol/sign-in-providers/limits.ts";
import type { SignInChoices } from "../../../protocol/sign-in-providers/messages.ts";
import type { Lies } from "../../support/oidc-provider.ts";
import { Browser, reasonOf } from "../console/browser.ts";
import { invite, Person } from "../members/people.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeTenant } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { Colleague, joinBy, linkSecret, makeProvider, visit } from "./staff.ts";

afterEach(() => vi.restoreAllMocks());

const refusal = (reason: string) => ({ status: 401, code: "unauthenticated", reason });
const NONE = `ten_${"0".repeat(26)}`;

async function makeStaff() {
  const tenant = await makeTenant("Acme");
  return { ...tenant, provider: await makeProvider(tenant.call) };
}

describe("a member's link", () => {
  test("offers the tenant's providers, binds the identity, and signs in with the role's scopes", async () => {
    const { id, name, call, provider } = await makeStaff();
    const member = await invite(call, "approver", "Ada");
    const colleague = new Colleague(id, provider);
    const offered = await colleague.browser.post<MemberInvitation>("member-link", {
      tenant_id: id,
      secret: linkSecret(member),
    });
    const begun = await colleague.begin(member);
    const accepted = await colleague.complete(await visit(begun.json.url));
    const { json: access } = await colleague.browser.post<ConsoleAccess>("token");
    const again = await new Colleague(id, provider).signIn();
    const { json: entries } = await ask<{ data: { action: string; after: object }[] }>(
      "GET",
      "/v1/audit",
      call,
    );

    expect(offered.json.providers).toEqual([{ id: provider.row.id, name: "Shop login" }]);
    expect([begun.status, accepted.status, again.status]).toEqual([200, 204, 204]);
    expect(Object.fromEntries(new URL(begun.json.url).searchParams)).toMatchObject({
      redirect_uri: `https://api.test/console/sign-in/${provider.row.id}/callback`,
      response_type: "code",
      code_challenge_method: "S256",
    });
    expect(access.session).toMatchObject({
      tenant: { id, name },
      scopes: ROLE_SCOPES.approver,
      member: { id: member.id, name: "Ada", role: "approver" },
    });
    const by = { sign_in_provider_id: provider.row.id };
    const newest = entries.data.slice(0, 3).map(({ action, after }) => [action, after]);
    expect(newest).toHaveLength(3);
    expect(newest).toEqual(
      expect.arrayContaining([
        ["console_session.started", { role: "approver", ...by }],
        ["member.joined", by],
      ]),
    );
    expect((await ask<Member>("GET", `/v1/members/${member.id}`, call)).json).toMatchObject({
      status: "active",
      link_expires_at: null,
    });
    const path = `/v1/sign-in-providers/${provider.row.id}`;
    expect((await ask<SignInProvider>("GET", path, call)).json.member_count).toBe(1);
  });

  test(
    "keeps the state of a sign-in in a cookie of its own, which no other page is sent",
    BROAD,
    async () => {
      const { id, call, provider } = await makeStaff();
      const colleague = new Colleague(id, provider);
      const { headers } = await colleague.begin(await invite(call));

      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Secure-reprise_sign_in_[\w-]{16}=ss_[\w.-]+; Max-Age=600; Path=\/console\/provider-sign-in; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ]);
      for (let more = 0; more < 2 * MAX_SIGN_INS_UNDER_WAY; more += 1) await colleague.begin();
      expect(colleague.browser.jar.size).toBe(MAX_SIGN_INS_UNDER_WAY);
    },
  );

  test("is used once, however many browsers come back with it at once", async () => {
    const { id, call, provider } = await makeStaff();
    const member = await invite(call);
    const people = await Promise.all(
      [1, 2, 3].map(async () => {
        const one = new Colleague(id, provider);
        return { one, returned: await one.visit(member) };
      }),
    );
    const answers = await Promise.all(people.map(({ one, returned }) => one.complete(returned)));
    const later = await new Colleague(id, provider).begin(member);

    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect([...answers.filter(({ status }) => status !== 204), later].map(reasonOf)).toEqual(
      Array.from({ length: 3 }, () => refusal("member_link_ended")),
    );
  });

  test("binds no identity that another member holds, and is not used up by it", async () => {
    const { id, call, provider } = await makeStaff();
    await joinBy({ id, call }, provider, { sub: "shared" });
    const member = await invite(call, "viewer", "Ben");
    const colleague = new Colleague(id, provider);
    const refused = await colleague.signIn(member);
    await provider.set({ person: { sub: "own" } });
    const accepted = await colleague.signIn(member);

    expect([reasonOf(refused), accepted.status]).toEqual([refusal("identity_taken"), 204]);
    expect(refused.json.detail).toContain(
      "another member signs in with this account of Shop login",
    );
  });

  test(
    "that is new ends the identity and its sessions; an old one of a passkey gives way to an identity",
    BROAD,
    async () => {
      const { id, call, provider } = await makeStaff();
      const { member, call: theirs, colleague } = await joinBy({ id, call }, provider);
      const renew = async () =>
        (
          await ask<Member & { url: string }>("POST", `/v1/members/${member.id}/link`, {
            ...call,
            json: {},
          })
        ).json;
      const toPasskey = await renew();
      const ended = [await ask("GET", "/v1/agents", theirs), await colleague.signIn()];
      const person = new Person(id);
      const byPasskey = await person.accept(toPasskey);
      const unbound = await colleague.signIn();
      const back = await colleague.signIn(await renew());

      expect(ended.map(({ status }) => status)).toEqual([401, 401]);
      expect([byPasskey.status, reasonOf(unbound), back.status]).toEqual([
        204,
        refusal("identity_unknown"),
        204,
      ]);
      expect((await person.signIn()).status).toBe(401);
      expect((await colleague.signIn()).status).toBe(204);
    },
  );
});

describe("a provider that lies", () => {
  test.each<[what: string, lies: Lies, words: string]>([
    ["another issuer's token", { claims: { iss: "https://evil.example" } }, "claim iss"],
    ["a token for another client", { claims: { aud: "other" } }, "claim aud"],
    ["a token of another sign-in", { claims: { nonce: "other" } }, "of another sign-in"],
    ["a token that has expired", { claims: { exp: 1_000 } }, "the token has expired"],
    ["a token without a signature", { unsigned: true }, "not signed with a key"],
    ["a token that another key has signed", { foreignKey: true }, "not signed with a key"],
    [
      "the name of another issuer on the way back",
      { returned: { iss: "https://evil.example" } },
      "not of this sign-in",
    ],
    [
      "no name on the way back, where it has promised one",
      { returned: { iss: null } },
      "not of this sign-in",
    ],
    [
      "a refusal",
      { returned: { code: null, error: "access_denied", error_description: "<b>No</b>" } },
      "access_denied (it says: “<b>No</b>”)",
    ],
    [
      "a page in place of tokens",
      { token: { status: 500, body: { error: "<h1>" } } },
      "status 500",
    ],
  ])("with %s signs nobody in, and the link is not used up", async (_, lies, words) => {
    const { id, call, provider } = await makeStaff();
    const member = await invite(call);
    const colleague = new Colleague(id, provider);
    await provider.set({ lies });
    const refused = await colleague.signIn(member);
    await provider.set({ lies: {} });

    expect(reasonOf(refused)).toEqual(refusal("provider_refused"));
    expect(refused.json).toMatchObject({ detail: expect.stringContaining(words), tenant_id: id });
    expect(refused.json.detail).toMatch(/^Shop login .*; begin again/);
    expect(colleague.browser.cookie).toBeUndefined();
    expect((await colleague.signIn(member)).status).toBe(204);
  });

  test("gives no code of one sign-in to another, nor a code twice", async () => {
    const { id, call, provider } = await makeStaff();
    await joinBy({ id, call }, provider);
    const [one, other] = [new Colleague(id, provider), new Colleague(id, provider)];
    const [mine, theirs] = [await one.visit(), await other.visit()];
    const mixed = new URLSearchParams(mine);
    mixed.set("code", theirs.get("code")!);
    const injected = await one.complete(mixed);
    await provider.set({ lies: { takesTwice: true } });
    const returned = await other.visit();
    const { jar } = other.browser;
    const copy = new Colleague(id, provider);
    for (const [name, cookie] of jar) copy.browser.jar.set(name, cookie);
    const answers = await Promise.all([other.complete(returned), copy.complete(returned)]);

    expect([reasonOf(injected), injected.json.detail]).toEqual([
      refusal("provider_refused"),
      expect.stringContaining("invalid_grant"),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect(reasonOf(answers.find(({ status }) => status === 401)!)).toEqual(
      refusal("provider_sign_in_ended"),
    );
  });
});

describe("a way back", () => {
  test("counts in the browser that has begun it alone, once, at its provider, within ten minutes", async () => {
    const { id, call, provider } = await makeStaff();
    await joinBy({ id, call }, provider);
    const second = await makeProvider(call, provider.issuer);
    const foreign = await makeStaff();
    const colleague = new Colleague(id, provider);
    const begun = await colleague.visit();
    const altered = new URLSearchParams(begun);
    altered.set("state", "x".repeat(43));
    const answers = [
      await new Colleague(id, provider).complete(begun),
      await colleague.complete(altered),
      await colleague.complete(new URLSearchParams()),
      await colleague.complete(new URLSearchParams({ error: "server_error" })),
    ];
    // Each takes the state: an answer in the place of another provider's is none.
    for (const place of [second, foreign.provider]) {
      answers.push(await colleague.complete(await colleague.visit(), place.row.id));
    }
    const forged = await colleague.visit();
    const [name, cookie] = [...colleague.browser.jar].at(-1)!;
    colleague.browser.jar.set(name, { ...cookie, value: cookie.value.replace("ss_", "pc_") });
    answers.push(await colleague.complete(forged));
    const late = await colleague.visit();
    advanceClock(PROVIDER_SIGN_IN_MS);
    answers.push(await colleague.complete(late));

    expect(answers.map(reasonOf)).toEqual(answers.map(() => refusal("provider_sign_in_ended")));
    expect(new Set(answers.map(({ json }) => json.detail)).size).toBe(1);
  });

  test("is posted by the console's own pages alone", async () => {
    const { id, provider } = await makeStaff();
    const browser = new Browser();
    const json = { tenant_id: id, provider_id: provider.row.id };
    const evil = { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" };
    const answers = [
      await browser.post("provider-sign-in/begin", json, evil),
      await browser.post("provider-sign-in/complete", { ...json, returned: "" }, evil),
    ];

    expect(answers.map(({ json: { code } }) => code)).toEqual(
      answers.map(() => "origin_forbidden"),
    );
  });
});

describe("an identity", () => {
  test("of nobody, of a former member and of another tenant's gets one answer", async () => {
    const { id, call, provider } = await makeStaff();
    const { member } = await joinBy({ id, call }, provider, { role: "viewer", sub: "former" });
    const other = await makeTenant();
    const same = await makeProvider(other.call, provider.issuer);
    await ask("DELETE", `/v1/members/${member.id}`, call);
    const former = await new Colleague(id, provider).signIn();
    const stranger = await new Colleague(other.id, same).signIn();
    // The same person may be a member of both.
    await joinBy(other, same, { sub: "former" });
    const still = await new Colleague(id, provider).signIn();

    expect([former, stranger, still].map(reasonOf)).toEqual(
      Array.from({ length: 3 }, () => refusal("identity_unknown")),
    );
    expect(new Set([former, stranger, still].map(({ json }) => json.detail)).size).toBe(1);
  });

  test("tells its member alone that the tenant is suspended", async () => {
    const { id, call, provider } = await makeStaff();
    await joinBy({ id, call }, provider);
    await changeTenant(id, { status: "suspended" });
    const own = await new Colleague(id, provider).signIn();
    await provider.set({ person: { sub: "stranger" } });
    const strange = await new Colleague(id, provider).signIn();

    expect([own.status, own.json.code, reasonOf(strange)]).toEqual([
      403,
      "tenant_suspended",
      refusal("identity_unknown"),
    ]);
  });

  test(
    "joins by its verified address where an invitation of that address is open, and never otherwise",
    BROAD,
    async () => {
      const { id, call, provider } = await makeStaff();
      const json = { name: "Ada", role: "viewer", email: "Ada@Shop.example" };
      const { json: ada } = await ask<Member>("POST", "/v1/members", { ...call, json });
      const as = async (person: object) => {
        await provider.set({ person: { sub: "ada", ...person } as never });
        return new Colleague(id, provider).signIn();
      };
      const email = "ADA@shop.example";
      const before = [
        await as({ email }),
        await as({ email, email_verified: false }),
        await as({ email: "eve@shop.example", email_verified: true }),
      ];
      const joined = await as({ email, email_verified: true });
      // No invitation is open any more: the address is worth nothing, the identity signs in without it.
      const taken = await as({ sub: "eve", email, email_verified: true });
      const alone = await as({});
      // A new link is for whoever has lost the identity: its address does not bring it back.
      await ask("POST", `/v1/members/${ada.id}/link`, { ...call, json: {} });
      const lost = await as({ email, email_verified: true });

      expect([...before, taken, lost].map(reasonOf)).toEqual(
        Array.from({ length: 5 }, () => refusal("identity_unknown")),
      );
      expect([joined.status, alone.status]).toEqual([204, 204]);
    },
  );
});

describe("the page of a tenant", () => {
  test("offers its providers, and says of an unknown tenant what it says of one without any", async () => {
    const { id, call, provider } = await makeStaff();
    const second = await makeProvider(call);
    const empty = await makeTenant();
    const browser = new Browser();
    const choices = async (tenant_id: string) =>
      (await browser.post<SignInChoices>("sign-in-choices", { tenant_id })).text;
    const begin = (tenant_id: string, provider_id: string) =>
      browser.post("provider-sign-in/begin", { tenant_id, provider_id });
    const unknown = [
      await begin(empty.id, provider.row.id),
      await begin(NONE, provider.row.id),
      await begin(id, `sip_${"0".repeat(26)}`),
    ];

    expect(JSON.parse(await choices(id))).toEqual({
      providers: [provider, second].map(({ row }) => ({ id: row.id, name: "Shop login" })),
    });
    expect([await choices(empty.id), await choices(NONE)]).toEqual([
      '{"providers":[]}',
      '{"providers":[]}',
    ]);
    expect(unknown.map(reasonOf)).toEqual(unknown.map(() => refusal("provider_unknown")));
    expect(browser.jar.size).toBe(0);
  });
});
