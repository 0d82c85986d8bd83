import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { ConsoleAccess } from "../../../protocol/console/contract.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import {
  MAX_OPERATOR_MEMBERS,
  MEMBER_ADDRESS_KEPT_MS,
  MEMBER_LINK_MS,
} from "../../../protocol/members/limits.ts";
import type {
  InvitedOperatorMember,
  OperatorMember,
  RemovedOperatorMember,
} from "../../../protocol/members/operator-contract.ts";
import { OPERATOR_ROLE_RIGHTS } from "../../../protocol/members/operator-roles.ts";
import type { CreatedTenant } from "../../../protocol/tenants/contract.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { Browser, openOperatorConsole, reasonOf } from "../console/browser.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { type Answer, ask, type Call, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import { cell } from "../support/read-cell.ts";
import { inviteOperator, join, joinOperator, Person } from "./people.ts";

const PEOPLE = "/v1/operator/members";
const REFUSED = { status: 401, code: "unauthenticated", reason: "sign_in_refused" };
const LINK_ENDED = { status: 401, code: "unauthenticated", reason: "member_link_ended" };

const remove = (call: Call, id: string) =>
  ask<RemovedOperatorMember>("DELETE", `${PEOPLE}/${id}`, call);
const change = (call: Call, id: string, json: object) =>
  ask<OperatorMember>("PATCH", `${PEOPLE}/${id}`, { ...call, json });
const statusesOf = (answers: readonly Answer<unknown>[]) => answers.map(({ status }) => status);

// The operator is one for all tests.
beforeEach(async () => {
  await env.DB.prepare("DELETE FROM members WHERE tenant_id = 'operator'").run();
});
afterEach(() => vi.restoreAllMocks());

describe("one of the operator's people", () => {
  test(
    "joins by a link, signs in with a passkey, and has the rights of the role",
    BROAD,
    async () => {
      const json = { name: "Noor", email: "Noor@Platform.example", role: "administrator" };
      const made = await ask<InvitedOperatorMember>("POST", PEOPLE, { ...OPERATOR, json });
      const person = new Person(null);
      const shown = await person.look(made.json);
      const accepted = await person.accept(made.json);
      const again = await person.signIn();
      const { json: access } = await person.browser.post<ConsoleAccess>("token");
      const read = await ask<OperatorMember>("GET", `${PEOPLE}/${made.json.id}`, OPERATOR);

      expect(made.status).toBe(201);
      expect(made.json).toEqual({
        id: expect.stringMatching(/^mem_/),
        name: "Noor",
        email: "noor@platform.example",
        role: "administrator",
        status: "invited",
        created_at: expect.any(String),
        created_by: "operator",
        link_expires_at: expect.any(String),
        last_sign_in_at: null,
        removed_at: null,
        url: expect.stringMatching(/^https:\/\/api\.test\/operator\/sign-in#ml_[\w-]{43}$/),
      });
      expect(shown.json).toMatchObject({
        tenant: null,
        member: { name: "Noor", role: "administrator" },
        passkey: { rp: { id: "api.test" }, user: { displayName: "Noor · operator" } },
      });
      expect(statusesOf([accepted, again])).toEqual([204, 204]);
      expect(access.session).toMatchObject({
        tenant: null,
        scopes: null,
        rights: OPERATOR_ROLE_RIGHTS.administrator,
        member: { id: made.json.id, name: "Noor", role: "administrator" },
      });
      expect(read.json).toMatchObject({ status: "active", link_expires_at: null });
    },
  );

  test("is named by what they do, in the operator's audit and in a tenant's", async () => {
    const { member, call } = await joinOperator();
    const { json: tenant } = await ask<CreatedTenant>("POST", "/v1/tenants", {
      ...call,
      json: { name: "Shoe shop" },
    });
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...call,
      json: { tenant_id: tenant.id },
    });
    await inviteOperator("support", "Ben", call);
    const theirs = await ask<{ data: AuditEntry[] }>("GET", "/v1/audit", { key: tenant.api_key });
    const ours = await ask<{ data: AuditEntry[] }>(
      "GET",
      `/v1/audit?tenant_id=operator&actor_id=${member.id}`,
      OPERATOR,
    );
    const actor = {
      kind: "operator",
      id: member.id,
      name: "Noor",
      console_session_id: expect.stringMatching(/^cse_/),
    };

    expect(theirs.json.data.map((entry) => [entry.action, entry.actor])).toEqual([
      ["api_key.created", actor],
      ["tenant.created", actor],
    ]);
    // Two entries of one moment have no order.
    expect(Object.fromEntries(ours.json.data.map((one) => [one.action, one.actor]))).toEqual({
      "console_session.started": actor,
      "member.joined": actor,
      "member.invited": actor,
    });
    expect(key.created_by).toBe(member.id);
  });

  test("has another role with the next request", async () => {
    const { member, call } = await joinOperator("administrator");
    const create = () => ask("POST", "/v1/tenants", { ...call, json: { name: "Shop" } });
    const before = await create();
    await change(OPERATOR, member.id, { role: "support" });
    const after = await create();

    expect([before.status, after.status, (await ask("GET", "/v1/tenants", call)).status]).toEqual([
      201, 403, 200,
    ]);
    expect(after.json).toMatchObject({
      code: "insufficient_scope",
      required_right: "tenants:write",
    });
  });

  test("gets no answer of another one's request by its idempotency key", async () => {
    const [owner, administrator] = [await joinOperator(), await joinOperator("administrator")];
    const headers = { "Idempotency-Key": "make-the-shop" };
    const json = { name: "Shop" };
    const first = await ask("POST", "/v1/tenants", { ...owner.call, json, headers });
    const other = await ask("POST", "/v1/tenants", { ...administrator.call, json, headers });

    expect([first.status, refusalOf(other).code]).toEqual([201, "idempotency_key_reused"]);
  });
});

describe("the two consoles", () => {
  test("do not let in each other's members by link, passkey, cookie or token", async () => {
    const tenant = await makeTenant();
    const [here, there] = [await joinOperator(), await join(tenant.call)];
    const linked = await inviteOperator("support");
    const inTenant = new Person(tenant.id, here.person.device);
    const inOperator = new Person(null, there.person.device);
    const crossed = (browser: Browser, path: "/console" | "/operator") => {
      const other = new Browser(path);
      other.cookie = browser.cookie;
      return other.post("token");
    };
    const asTenant = { tenant_id: "operator" };
    const signed = await here.person.sign();
    const console = new Browser();

    expect(
      [
        await inTenant.signIn(),
        await inOperator.signIn(),
        // The operator is no tenant, whatever the page says.
        await console.post("passkey-session", { ...asTenant, passkey: signed }),
        await inTenant.signIn("operator"),
      ].map(reasonOf),
    ).toEqual(Array.from({ length: 4 }, () => REFUSED));
    expect(
      [
        await inTenant.look(linked),
        await new Person("operator").look(linked),
        await new Person("operator").accept(linked, { id: "x" }),
      ].map(({ status }) => status),
    ).toEqual([401, 401, 400]);
    expect(
      [
        await crossed(here.person.browser, "/console"),
        await crossed(there.person.browser, "/operator"),
      ].map(reasonOf),
    ).toEqual(Array.from({ length: 2 }, () => ({ ...REFUSED, reason: "signed_out" })));
    expect(
      statusesOf([
        await ask("GET", "/v1/tenants", there.call),
        await ask("GET", "/v1/agents", here.call),
        await ask("GET", `/v1/members/${here.member.id}?tenant_id=operator`, OPERATOR),
        await ask("GET", `/v1/members/${here.member.id}`, there.call),
        await ask("GET", `${PEOPLE}/${there.member.id}`, OPERATOR),
        await remove(OPERATOR, there.member.id),
        await ask("POST", "/v1/members", {
          ...OPERATOR,
          json: { name: "Eve", role: "owner", tenant_id: "operator" },
        }),
      ]),
    ).toEqual([403, 403, 404, 404, 404, 404, 404]);
    // The sign-in at the right one still works.
    expect(statusesOf([await here.person.signIn(), await there.person.signIn()])).toEqual([
      204, 204,
    ]);
  });

  test("answer a stranger alike, whether the operator has people or not", async () => {
    const stranger = new Person(null);
    const before = await stranger.signIn();
    const { person } = await joinOperator();
    const after = await stranger.signIn();
    const nobody = new Person(`ten_${"0".repeat(26)}`);
    const named = new Person("operator");

    expect([before, after, await nobody.signIn(), await named.signIn()].map(reasonOf)).toEqual(
      Array.from({ length: 4 }, () => REFUSED),
    );
    expect(new Set([before.json.detail, after.json.detail]).size).toBe(1);
    // A page of the operator's names no tenant.
    const wrong = await person.browser.post("passkey-challenge", { tenant_id: "operator" });
    expect(refusalOf(wrong)).toMatchObject({ status: 400, pointers: ["#/tenant_id"] });
  });

  test("keep a key's link and a member's apart", async () => {
    const { link } = await openOperatorConsole();
    const member = await inviteOperator();
    const crossed = await new Person(null).look(link);
    const other = await new Browser("/operator").signIn(member);

    expect([reasonOf(crossed).reason, reasonOf(other).reason]).toEqual([
      "member_link_ended",
      "link_unknown",
    ]);
  });
});

describe("a link to the operator's console", () => {
  test("is used once, however many browsers use it at once, and for a day", async () => {
    const member = await inviteOperator();
    const late = await inviteOperator("support");
    const people = Array.from({ length: 4 }, () => new Person(null));
    const answers = await Promise.all(people.map((person) => person.accept(member)));
    advanceClock(MEMBER_LINK_MS);
    const expired = await new Person(null).look(late);
    const sessions = "SELECT count(*) AS value FROM console_sessions WHERE member_id = ?";

    expect(statusesOf(answers).toSorted()).toEqual([204, 401, 401, 401]);
    expect(reasonOf(expired)).toEqual(LINK_ENDED);
    expect(await cell(sessions, member.id)).toBe(1);
  });

  test("that an owner renews ends the passkey and the sessions before at once", async () => {
    const { member, person, call } = await joinOperator("support");
    const { json: renewed } = await ask<InvitedOperatorMember>(
      "POST",
      `${PEOPLE}/${member.id}/link`,
      { ...OPERATOR, json: {} },
    );
    const before = [await ask("GET", "/v1/tenants", call), await person.signIn()];
    const other = new Person(null);
    const accepted = await other.accept(renewed);

    expect(statusesOf([...before, accepted, await other.signIn()])).toEqual([401, 401, 204, 204]);
  });
});

describe("the operator's last owner", () => {
  test("is neither removed nor demoted, also by two owners at once", async () => {
    const [one, other] = [await joinOperator(), await joinOperator()];
    const answers = await Promise.all([
      change(one.call, other.member.id, { role: "support" }),
      change(other.call, one.member.id, { role: "support" }),
      remove(one.call, other.member.id),
      remove(other.call, one.member.id),
    ]);
    const { json } = await ask<{ data: OperatorMember[] }>("GET", PEOPLE, OPERATOR);
    const owners = json.data.filter(({ role, status }) => role === "owner" && status === "active");
    const last = owners[0]!.id;
    // An invited owner may never come.
    await inviteOperator();
    const refused = [
      await remove(OPERATOR, last),
      await change(OPERATOR, last, { role: "support" }),
    ];

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(owners).toHaveLength(1);
    expect(statusesOf(refused)).toEqual([409, 409]);
  });

  test(
    "who is none any more writes nothing with a request that was let in before",
    BROAD,
    async () => {
      const { member, call } = await joinOperator();
      await joinOperator();
      const { id } = await makeTenant();
      const demote = env.DB.prepare("UPDATE members SET role = 'support' WHERE id = ?");
      // Between the look at the session and the statement: the request is let in as an owner's.
      const late = {
        ...env,
        DB: new Proxy(env.DB, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== "function") return value;
            if (name !== "batch") return value.bind(target) as unknown;
            return async (statements: D1PreparedStatement[]) => {
              await demote.bind(member.id).run();
              return target.batch(statements);
            };
          },
        }),
      };
      const answers = [
        await ask("POST", PEOPLE, {
          ...call,
          json: { name: "Eve", role: "owner" },
          bindings: late,
        }),
        await env.DB.prepare("UPDATE members SET role = 'owner' WHERE id = ?")
          .bind(member.id)
          .run(),
        await ask("POST", "/v1/api-keys", { ...call, json: { tenant_id: id }, bindings: late }),
      ] as Answer<unknown>[];

      expect([answers[0]?.status, answers[2]?.status]).toEqual([401, 401]);
    },
  );
});

describe("one of the operator's people who leaves", () => {
  test("loses sessions, passkey and link at once; what they made stays and is listed", async () => {
    await joinOperator();
    const { id } = await makeTenant();
    const { member, person, call } = await joinOperator("owner", "Ben");
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...call,
      json: { tenant_id: id, name: "Till" },
    });
    const removed = await remove(OPERATOR, member.id);
    const again = await remove(OPERATOR, member.id);
    const knocks = [
      await ask("GET", "/v1/tenants", call),
      await person.browser.post("token"),
      await person.signIn(),
      await person.look(member),
    ];

    expect(removed.json).toEqual({
      ...(await ask<OperatorMember>("GET", `${PEOPLE}/${member.id}`, OPERATOR)).json,
      status: "removed",
      api_keys: [{ id: key.id, tenant_id: id, name: "Till", prefix: key.prefix }],
      sign_in_provider_ids: [],
    });
    expect(again.json).toEqual(removed.json);
    expect(statusesOf(knocks)).toEqual([401, 401, 401, 401]);
    expect(reasonOf(knocks[1]!).reason).toBe("member_removed");
    expect((await ask("GET", "/v1/agents", { key: key.api_key })).status).toBe(200);
  });

  test("has no address after 30 days, which the audit never had", async () => {
    const json = { name: "Ben", email: "ben@platform.example", role: "support" };
    const { json: member } = await ask<OperatorMember>("POST", PEOPLE, { ...OPERATOR, json });
    const twice = await ask("POST", PEOPLE, { ...OPERATOR, json: { ...json, name: "Bob" } });
    await remove(OPERATOR, member.id);
    const back = await ask("POST", PEOPLE, { ...OPERATOR, json });
    advanceClock(MEMBER_ADDRESS_KEPT_MS + 1);
    await sweep(env, { kind: "walk", after: "" });
    const email = await cell("SELECT email AS value FROM members WHERE id = ?", member.id);
    const audit = await ask("GET", `/v1/audit?tenant_id=operator&target_id=${member.id}`, OPERATOR);

    expect([twice.status, back.status, email]).toEqual([409, 201, null]);
    expect([audit.text.includes("platform.example"), audit.text.includes("Ben")]).toEqual([
      false,
      true,
    ]);
  });
});

test("the operator has a bounded number of people", async () => {
  const row = env.DB.prepare(
    `INSERT INTO members (id, tenant_id, name, role, created_at, created_by, removed_at)
      VALUES (?, 'operator', 'Ada', 'support', '2026-01-01T00:00:00.000Z', 'operator', ?)`,
  );
  const rows = Array.from({ length: MAX_OPERATOR_MEMBERS - 1 }, (_, index) => index);
  await env.DB.batch([
    row.bind("mem_gone", "2026-01-02T00:00:00.000Z"),
    ...rows.map((index) => row.bind(`mem_${index}`, null)),
  ]);
  const last = await inviteOperator("support");
  const over = await ask("POST", PEOPLE, { ...OPERATOR, json: { name: "Eve", role: "support" } });

  expect(last.status).toBe("invited");
  expect(over.status).toBe(429);
  expect(over.json).toMatchObject({ code: "quota_exceeded", quota: "operator_members" });
});
