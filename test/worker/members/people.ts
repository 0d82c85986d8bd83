// People of a tenant, or of the operator, with a browser and a device each.
import type { InvitedMember } from "../../../protocol/members/contract.ts";
import type { InvitedOperatorMember } from "../../../protocol/members/operator-contract.ts";
import type { OperatorRole } from "../../../protocol/members/operator-roles.ts";
import type { MemberInvitation, PasskeyChallenge } from "../../../protocol/members/passkey.ts";
import type { MemberRole } from "../../../protocol/members/roles.ts";
import { Authenticator } from "./authenticator.ts";
import { Browser } from "../console/browser.ts";
import { ask, type Answer, type Call, OPERATOR } from "../support/api.ts";
import type { Problem } from "../../../protocol/problem.ts";

type Options = { readonly challenge: string };

export class Person {
  /** Null for the operator's, whose pages name no tenant. */
  readonly tenantId: string | null;
  readonly browser: Browser;
  device: Authenticator;

  constructor(tenantId: string | null, device = new Authenticator()) {
    this.tenantId = tenantId;
    this.device = device;
    this.browser = new Browser(tenantId === null ? "/operator" : "/console");
  }

  async look(link: Pick<InvitedMember, "url">, bindings?: Env) {
    const json = { ...naming(this.tenantId), secret: memberSecretOf(link) };
    return this.browser.post<MemberInvitation>("member-link", json, {}, bindings);
  }

  /** Uses a link. @param passkey Another one than the device makes now. */
  async accept(link: Pick<InvitedMember, "url">, passkey?: object): Promise<Answer<Problem>> {
    const { json } = await this.look(link);
    const made = passkey ?? (json.passkey && (await this.device.register(json.passkey as Options)));
    return this.browser.post("member-session", {
      ...naming(this.tenantId),
      secret: memberSecretOf(link),
      ...(made && { passkey: made }),
    });
  }

  /** The device's answer to a new challenge. @param tenantId Whose console asks. */
  async sign(tenantId = this.tenantId) {
    const asked = naming(tenantId);
    const { json } = await this.browser.post<PasskeyChallenge>("passkey-challenge", asked);
    return this.device.sign(json.passkey as Options);
  }

  async signIn(tenantId = this.tenantId): Promise<Answer<Problem>> {
    return this.send(await this.sign(tenantId), tenantId);
  }

  send(passkey: object, tenantId = this.tenantId): Promise<Answer<Problem>> {
    return this.browser.post("passkey-session", { ...naming(tenantId), passkey });
  }

  /** A call with the rights of the person's console session. */
  async call(): Promise<Call> {
    return { key: (await this.browser.exchange()).token };
  }
}

function naming(tenantId: string | null): { readonly tenant_id?: string } {
  return tenantId === null ? {} : { tenant_id: tenantId };
}

function memberSecretOf({ url }: Pick<InvitedMember, "url">): string {
  return new URL(url).hash.slice(1);
}

export async function invite(
  call: Call,
  role: MemberRole = "owner",
  name = "Ada",
): Promise<InvitedMember> {
  return (await ask<InvitedMember>("POST", "/v1/members", { ...call, json: { name, role } })).json;
}

/** A member who has used the invitation and is signed in. */
export async function join(call: Call, role: MemberRole = "owner", name = "Ada") {
  const member = await invite(call, role, name);
  const person = new Person(member.tenant_id);
  const { status } = await person.accept(member);
  if (status !== 204) throw new Error(`could not join: ${status}`);
  return { member, person, call: await person.call() };
}

export async function inviteOperator(
  role: OperatorRole = "owner",
  name = "Noor",
  call: Call = OPERATOR,
): Promise<InvitedOperatorMember> {
  const json = { name, role };
  const path = "/v1/operator/members";
  return (await ask<InvitedOperatorMember>("POST", path, { ...call, json })).json;
}

/** One of the operator's people, signed in to the operator's console. */
export async function joinOperator(role: OperatorRole = "owner", name = "Noor") {
  const member = await inviteOperator(role, name);
  const person = new Person(null);
  const { status } = await person.accept(member);
  if (status !== 204) throw new Error(`could not join: ${status}`);
  return { member, person, call: await person.call() };
}
