import { afterEach, describe, expect, test, vi } from "vitest";

import type { ConsoleAccess } from "../../../protocol/console/contract.ts";
import type { Member } from "../../../protocol/members/contract.ts";
import { MEMBER_LINK_MS, PASSKEY_CHALLENGE_MS } from "../../../protocol/members/limits.ts";
import { ROLE_SCOPES } from "../../../protocol/members/roles.ts";
import { Authenticator } from "./authenticator.ts";
import { reasonOf } from "../console/browser.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeTenant } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { invite, join, Person } from "./people.ts";

afterEach(() => vi.restoreAllMocks());

const REFUSED = { status: 401, code: "unauthenticated", reason: "sign_in_refused" };
const LINK_ENDED = { status: 401, code: "unauthenticated", reason: "member_link_ended" };

describe("a member's link", () => {
  test("shows whom it invites, registers a passkey, and signs in with the role's scopes", async () => {
    const { id, name, call } = await makeTenant("Acme");
    const member = await invite(call, "approver", "Ada");
    const person = new Person(id);
    const shown = await person.look(member);
    const accepted = await person.accept(member);
    const { json: access } = await person.browser.post<ConsoleAccess>("token");

    expect(shown.json).toMatchObject({
      tenant: { id, name },
      member: { name: "Ada", role: "approver" },
      expires_at: member.link_expires_at,
      passkey: {
        rp: { id: "api.test" },
        user: { displayName: "Ada · Acme" },
        attestation: "none",
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      },
    });
    expect(accepted.status).toBe(204);
    expect(access.session).toMatchObject({
      tenant: { id, name },
      scopes: ROLE_SCOPES.approver,
      member: { id: member.id, name: "Ada", role: "approver" },
    });
    expect((await ask<Member>("GET", `/v1/members/${member.id}`, call)).json).toMatchObject({
      status: "active",
      link_expires_at: null,
      last_sign_in_at: expect.any(String),
    });
  });

  test("is used once, however many browsers use it at once", async () => {
    const { id, call } = await makeTenant();
    const member = await invite(call);
    const people = Array.from({ length: 4 }, () => new Person(id));
    const answers = await Promise.all(people.map((person) => person.accept(member)));
    const later = await new Person(id).look(member);
    const winner = people.find(({ browser }) => browser.cookie !== undefined);

    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect([...answers.filter(({ status }) => status !== 204), later].map(reasonOf)).toEqual(
      Array.from({ length: 4 }, () => LINK_ENDED),
    );
    // The devices of the others were not registered.
    expect(await Promise.all(people.map(async (one) => (await one.signIn()).status))).toEqual(
      people.map((one) => (one === winner ? 204 : 401)),
    );
  });

  test("is refused by another tenant's console, after a day, and when a newer one was made", async () => {
    const { id, call } = await makeTenant();
    const other = await makeTenant();
    const [member, late] = [await invite(call), await invite(call, "viewer")];
    const foreign = await new Person(other.id).look(member);
    await ask("POST", `/v1/members/${member.id}/link`, { ...call, json: {} });
    const replaced = await new Person(id).accept(member);
    advanceClock(MEMBER_LINK_MS);
    const expired = await new Person(id).look(late);

    expect([foreign, replaced, expired].map(reasonOf)).toEqual(
      Array.from({ length: 3 }, () => LINK_ENDED),
    );
  });

  test("registers no passkey without a check of the person, of another origin, or for another challenge", async () => {
    const { id, call } = await makeTenant();
    const other = await makeTenant();
    const [member, foreign] = [await invite(call), await invite(other.call)];
    const challenge = (await new Person(other.id).look(foreign)).json.passkey as {
      challenge: string;
    };
    const person = new Person(id);
    const refused = [
      await new Person(id, new Authenticator({ isVerified: false })).accept(member),
      await new Person(id, new Authenticator({ origin: "https://evil.test" })).accept(member),
      await person.accept(member, await person.device.register(challenge)),
      await person.accept(member, await person.device.register({ challenge: "AQID" })),
      await person.browser.post("member-session", {
        tenant_id: id,
        secret: new URL(member.url).hash.slice(1),
      }),
    ];

    expect(refused.map(({ status, json }) => [status, json.code])).toEqual(
      refused.map(() => [400, "validation_failed"]),
    );
    expect((await person.accept(member)).status).toBe(204);
  });

  test("is refused while its tenant is suspended", async () => {
    const { id, call } = await makeTenant();
    const member = await invite(call);
    await changeTenant(id, { status: "suspended" });
    const { status, json } = await new Person(id).accept(member);

    expect([status, json.code]).toEqual([403, "tenant_suspended"]);
  });
});

describe("a passkey", () => {
  test("signs its member in, in a new session that the audit names", async () => {
    const { call } = await makeTenant();
    const { person, member } = await join(call);
    const signedIn = await person.signIn();
    const { json } = await ask<{ data: { action: string; actor: object }[] }>(
      "GET",
      "/v1/audit?action=console_session.started",
      await person.call(),
    );

    expect(signedIn.status).toBe(204);
    expect(json.data.map(({ actor }) => actor)).toEqual(
      Array.from({ length: 2 }, () => ({
        kind: "member",
        id: member.id,
        name: "Ada",
        console_session_id: expect.stringMatching(/^cse_/),
      })),
    );
  });

  test("gets the same answer when its tenant, its member or its signature is unknown", async () => {
    const { call } = await makeTenant();
    const other = await makeTenant();
    const { person } = await join(call);
    const stranger = new Person(person.tenantId);
    const impostor = new Person(
      person.tenantId,
      new Authenticator({ id: idOf(await person.sign()) }),
    );
    const unverified = new Person(
      person.tenantId,
      new Authenticator({ isVerified: false, id: idOf(await person.sign()) }),
    );
    const answers = [
      await person.signIn(other.id),
      await person.signIn(`ten_${"0".repeat(26)}`),
      await stranger.signIn(),
      await impostor.signIn(),
      await unverified.signIn(),
      // Signed for one tenant's console, sent to another's.
      await person.send(await person.sign(other.id)),
      await person.send(await person.sign(), other.id),
    ];

    expect(answers.map(reasonOf)).toEqual(answers.map(() => REFUSED));
    expect(new Set(answers.map(({ json }) => json.detail)).size).toBe(1);
  });

  test("is used once for each challenge, also at once, and in five minutes", async () => {
    const { call } = await makeTenant();
    const { person } = await join(call);
    const signed = await person.sign();
    const answers = await Promise.all([person.send(signed), person.send(signed)]);
    const again = await person.send(signed);
    const late = await person.sign();
    advanceClock(PASSKEY_CHALLENGE_MS);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect([again, await person.send(late)].map(reasonOf)).toEqual([REFUSED, REFUSED]);
  });

  test("that counts is refused when its count stands still: it was copied", async () => {
    const { call } = await makeTenant();
    const { person } = await join(call);
    person.device.counter = 5;
    const first = await person.signIn();
    const copied = await person.signIn();
    person.device.counter = 6;

    expect([first.status, copied.status, (await person.signIn()).status]).toEqual([204, 401, 204]);
  });

  test("tells its member alone that the tenant is suspended", async () => {
    const { id, call } = await makeTenant();
    const { person } = await join(call);
    await changeTenant(id, { status: "suspended" });
    const [own, strange] = [await person.signIn(), await new Person(id).signIn()];

    expect([own.status, own.json.code, reasonOf(strange)]).toEqual([
      403,
      "tenant_suspended",
      REFUSED,
    ]);
  });
});

function idOf({ id }: { readonly id: string }): Uint8Array<ArrayBuffer> {
  const text = atob(id.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
