import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Member, RemovedMember } from "../../../protocol/members/contract.ts";
import { MEMBER_ADDRESS_KEPT_MS } from "../../../protocol/members/limits.ts";
import { ROLE_SCOPES } from "../../../protocol/members/roles.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { reasonOf } from "../console/browser.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeTenant, openSession, OPERATOR, refusalOf, send } from "../support/api.ts";
import { mintToken } from "../support/client-token.ts";
import { cell } from "../support/read-cell.ts";
import { invite, join, Person } from "./people.ts";

afterEach(() => vi.restoreAllMocks());

const remove = (call: { key?: string }, id: string) =>
  ask<RemovedMember>("DELETE", `/v1/members/${id}`, call);
const change = (call: { key?: string }, id: string, json: object) =>
  ask<Member>("PATCH", `/v1/members/${id}`, { ...call, json });

describe("roles", () => {
  test("keep people, keys and the bypass to owners, and let viewers change nothing", () => {
    const { owner, developer, approver, viewer } = ROLE_SCOPES;

    expect(owner.filter((scope) => !developer.includes(scope))).toEqual([
      "keys:read",
      "keys:write",
      "members:read",
      "members:write",
      "permission_bypass:write",
    ]);
    expect(viewer.filter((scope) => !scope.endsWith(":read"))).toEqual([]);
    expect(approver.filter((scope) => !viewer.includes(scope))).toEqual([
      "confirmations:write",
      "tool_results:write",
    ]);
  });

  test("are given by those alone who hold all of their scopes", async () => {
    const { call } = await makeTenant();
    const [approver, owner] = [await join(call, "approver"), await join(call)];
    const scopes = [...ROLE_SCOPES.viewer, "members:read", "members:write"];
    const { json: narrow } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes },
    });
    const key = { key: narrow.api_key };
    const json = { name: "Eve", role: "owner" };
    const viewer = await invite(key, "viewer");
    const answers = [
      await ask("POST", "/v1/members", { ...approver.call, json }),
      await ask("POST", "/v1/members", { ...key, json }),
      await change(key, viewer.id, { role: "developer" }),
      await change(key, owner.member.id, { role: "viewer" }),
      // A link to an owner is a sign-in as that owner.
      await ask("POST", `/v1/members/${owner.member.id}/link`, { ...key, json: {} }),
      await remove(key, owner.member.id),
    ];

    expect(answers.map((answer) => refusalOf(answer as never).code)).toEqual(
      answers.map(() => "insufficient_scope"),
    );
    expect(viewer.status).toBe("invited");
  });

  test("of an open session change with the member", async () => {
    const { call } = await makeTenant();
    await join(call);
    const { call: theirs, member } = await join(call, "developer");
    const create = () => ask("POST", "/v1/agents", { ...theirs, json: { name: "Desk" } });
    const before = await create();
    await change(call, member.id, { role: "viewer" });

    expect([before.status, (await create()).status]).toEqual([201, 403]);
    expect((await ask("GET", "/v1/agents", theirs)).status).toBe(200);
  });
});

describe("the last owner", () => {
  test("is neither removed nor demoted, also by two owners at once", async () => {
    const { call } = await makeTenant();
    const [one, other] = [await join(call), await join(call)];
    const answers = await Promise.all([
      change(one.call, other.member.id, { role: "viewer" }),
      change(other.call, one.member.id, { role: "viewer" }),
      remove(one.call, other.member.id),
      remove(other.call, one.member.id),
    ]);
    const { json } = await ask<{ data: Member[] }>("GET", "/v1/members", call);
    const owners = json.data.filter(({ role, status }) => role === "owner" && status === "active");

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(owners).toHaveLength(1);
    const last = owners[0]!.id;
    // An invited owner may never come.
    await invite(call);
    const refused = [await remove(call, last), await change(call, last, { role: "approver" })];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
  });

  test("who is not one any more gives no rights with a session that a Worker still believes in", async () => {
    const { call } = await makeTenant();
    const [one, other] = [await join(call), await join(call)];
    await ask("GET", "/v1/members", other.call);
    // Behind the back of this isolate's cache.
    await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE id = ?")
      .bind(other.member.id)
      .run();
    const answers = [
      await ask("POST", "/v1/members", { ...other.call, json: { name: "Eve", role: "owner" } }),
      await ask("POST", "/v1/api-keys", { ...other.call, json: {} }),
      await change(other.call, one.member.id, { role: "viewer" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 409]);
  });
});

describe("a member who leaves", () => {
  test("loses sessions, streams, tokens, passkey and link; what they made stays and is listed", async () => {
    const { call, path, session } = await openSession();
    await join(call);
    const { person, member, call: theirs } = await join(call, "owner", "Ben");
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...theirs,
      json: { name: "Till" },
    });
    const rules = [{ tool_name: "refund", behavior: "ask" }];
    await ask("POST", `${path}/permission-rules`, { ...theirs, json: { rules } });
    const { token } = await mintToken(path, theirs, { verbs: ["read"] });
    const stream = await send("GET", `${path}/events?follow=session`, {
      ...theirs,
      headers: { Accept: "text/event-stream" },
    });
    const ended = stream.text();
    const removed = await remove(call, member.id);
    const again = await remove(call, member.id);

    expect(removed.json).toEqual({
      ...(await ask<Member>("GET", `/v1/members/${member.id}`, call)).json,
      status: "removed",
      api_keys: [{ id: key.id, name: "Till", prefix: key.prefix }],
      token_issuer_ids: [],
      sign_in_provider_ids: [],
      rule_session_ids: [session.id],
    });
    expect(again.json).toEqual(removed.json);
    await ended;
    const knocks = [
      await ask("GET", "/v1/agents", theirs),
      await ask("GET", path, { key: token }),
      await person.browser.post("token"),
      await person.signIn(),
      await person.look(member),
    ];
    expect(knocks.map(({ status }) => status)).toEqual(knocks.map(() => 401));
    expect((await ask("GET", "/v1/agents", { key: key.api_key })).status).toBe(200);
  });

  test("has no address after 30 days, and keeps the name in the audit", async () => {
    const { id, call } = await makeTenant();
    const json = { name: "Ben", email: "Ben@Shop.example", role: "viewer" };
    const { json: member } = await ask<Member>("POST", "/v1/members", { ...call, json });
    const twice = await ask("POST", "/v1/members", { ...call, json: { ...json, name: "Bob" } });
    await remove(call, member.id);
    const back = await ask("POST", "/v1/members", { ...call, json });
    advanceClock(MEMBER_ADDRESS_KEPT_MS + 1);
    await sweep(env, { kind: "walk", after: "" });
    const addresses = await env.DB.prepare("SELECT email FROM members WHERE tenant_id = ?")
      .bind(id)
      .all();
    const audit = await ask("GET", "/v1/audit", call);

    expect([member.email, twice.status, back.status]).toEqual(["ben@shop.example", 409, 201]);
    expect(addresses.results.map(({ email }) => email).toSorted()).toEqual([
      "ben@shop.example",
      null,
    ]);
    expect([audit.text.includes("shop.example"), audit.text.includes("Ben")]).toEqual([
      false,
      true,
    ]);
  });
});

describe("a new link", () => {
  test("ends the passkey and the sessions before, and is audited", async () => {
    const { call } = await makeTenant();
    const { person, member, call: theirs } = await join(call, "viewer");
    const { json: renewed } = await ask<Member & { url: string }>(
      "POST",
      `/v1/members/${member.id}/link`,
      { ...call, json: {} },
    );
    const before = [await ask("GET", "/v1/agents", theirs), await person.signIn()];
    const other = new Person(member.tenant_id);
    const accepted = await other.accept(renewed);
    const { json: audit } = await ask<{ data: { action: string }[] }>(
      "GET",
      `/v1/audit?target_id=${member.id}`,
      call,
    );

    expect(before.map(({ status }) => status)).toEqual([401, 401]);
    expect([accepted.status, (await other.signIn()).status]).toEqual([204, 204]);
    expect(audit.data.map(({ action }) => action)).toEqual([
      "member.joined",
      "member.link_renewed",
      "member.joined",
      "member.invited",
    ]);
    expect(
      await cell("SELECT count(*) AS value FROM passkeys WHERE member_id = ?", member.id),
    ).toBe(1);
  });
});

describe("a member of one tenant", () => {
  test("is nobody in another one, to its keys, its owners and the same device", async () => {
    const [one, other] = [await makeTenant(), await makeTenant()];
    const [here, there] = [await join(one.call), await join(other.call)];
    const path = `/v1/members/${here.member.id}`;
    const answers = [
      await ask("GET", path, there.call),
      await change(there.call, here.member.id, { role: "viewer" }),
      await ask("POST", `${path}/link`, { ...there.call, json: {} }),
      await remove(there.call, here.member.id),
      await ask("GET", `${path}?tenant_id=${other.id}`, OPERATOR),
    ];
    // The same device is registered in both.
    const same = new Person(other.id, here.person.device);
    const member = await invite(other.call, "viewer");
    const accepted = await same.accept(member);
    const signedIn = [await here.person.signIn(), await same.signIn()];
    const mine = await here.person.browser.exchange();

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect([accepted, ...signedIn].map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(mine.session).toMatchObject({ tenant: { id: one.id }, member: { id: here.member.id } });
  });

  test("makes no sign-in link for the console, and a key's link is no member's", async () => {
    const { call } = await makeTenant();
    const { call: theirs, person } = await join(call);
    const { status } = await ask("POST", "/v1/console-links", { ...theirs, json: {} });
    const link = await ask<{ url: string }>("POST", "/v1/console-links", { ...call, json: {} });
    const crossed = await person.look(link.json);

    expect([status, reasonOf(crossed).reason]).toEqual([403, "member_link_ended"]);
  });
});
