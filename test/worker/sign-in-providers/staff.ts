// People of a tenant at its sign-in provider, each with a browser.
import { inject } from "vitest";

import type { Credential } from "../../../protocol/credentials/contract.ts";
import type { InvitedMember } from "../../../protocol/members/contract.ts";
import type { MemberRole } from "../../../protocol/members/roles.ts";
import type { Problem } from "../../../protocol/problem.ts";
import type { SignInProvider } from "../../../protocol/sign-in-providers/contract.ts";
import type { SignInAddress } from "../../../protocol/sign-in-providers/messages.ts";
import type { OidcSettings } from "../../support/oidc-provider.ts";
import { Browser } from "../console/browser.ts";
import { invite } from "../members/people.ts";
import { ask, type Answer, type Call } from "../support/api.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly oidcServerUrl: string;
  }
}

const CLIENT_SECRET = "secret-of-the-client";

/** The part of a link that browsers do not send. */
export function linkSecret({ url }: Pick<InvitedMember, "url">): string {
  return new URL(url).hash.slice(1);
}

/** Credential with the secret of the tests' client. @param hosts By default the server of the tests. */
export async function makeClientSecret(
  call: Call,
  hosts: readonly string[] = [new URL(inject("oidcServerUrl")).host],
): Promise<Credential> {
  const json = { name: "Client", type: "tool", secret: CLIENT_SECRET, allowed_hosts: hosts };
  return (await ask<Credential>("POST", "/v1/credentials", { ...call, json })).json;
}

/** A provider of the test's own, with what it says of its person. */
export class Provider {
  readonly issuer: string;
  readonly row: SignInProvider;

  constructor(row: SignInProvider) {
    this.row = row;
    this.issuer = row.issuer;
  }

  /** Another person who is signed in there, and lies, from now on. */
  async set(settings: Partial<OidcSettings>): Promise<void> {
    const body = JSON.stringify(settings);
    const headers = { "Content-Type": "application/json" };
    await (await fetch(`${this.issuer}/settings`, { method: "POST", headers, body })).text();
  }
}

export async function makeProvider(call: Call, issuer = newIssuer()): Promise<Provider> {
  const credential = await makeClientSecret(call);
  const json = {
    name: "Shop login",
    issuer,
    client_id: "reprise-console",
    credential_id: credential.id,
  };
  const made = await ask<SignInProvider>("POST", "/v1/sign-in-providers", { ...call, json });
  if (made.status !== 201) throw new Error(`no provider: ${made.text}`);
  return new Provider(made.json);
}

export function newIssuer(): string {
  return `${inject("oidcServerUrl")}/${crypto.randomUUID()}`;
}

/** A person's browser at the provider of a tenant. */
export class Colleague {
  readonly browser = new Browser();
  readonly tenantId: string;
  readonly provider: Provider;

  constructor(tenantId: string, provider: Provider) {
    this.tenantId = tenantId;
    this.provider = provider;
  }

  begin(link?: Pick<InvitedMember, "url">): Promise<Answer<SignInAddress & Problem>> {
    return this.browser.post("provider-sign-in/begin", {
      tenant_id: this.tenantId,
      provider_id: this.provider.row.id,
      ...(link && { secret: linkSecret(link) }),
    });
  }

  /** Begins, and is sent back by the provider: the query of the way back. */
  async visit(link?: Pick<InvitedMember, "url">): Promise<URLSearchParams> {
    const { json, text } = await this.begin(link);
    if (!json.url) throw new Error(`the sign-in did not begin: ${text}`);
    return visit(json.url);
  }

  complete(returned: URLSearchParams, providerId = this.provider.row.id): Promise<Answer<Problem>> {
    return this.browser.post("provider-sign-in/complete", {
      provider_id: providerId,
      returned: returned.toString(),
    });
  }

  async signIn(link?: Pick<InvitedMember, "url">): Promise<Answer<Problem>> {
    return this.complete(await this.visit(link));
  }

  /** A call with the rights of the person's console session. */
  async call(): Promise<Call> {
    return { key: (await this.browser.exchange()).token };
  }
}

/** At the provider: its person has signed in, and is sent back at once. */
export async function visit(url: string): Promise<URLSearchParams> {
  const answer = await fetch(url, { redirect: "manual" });
  await answer.text();
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

/** A member who has joined by the provider. */
export async function joinBy(
  tenant: { readonly id: string; readonly call: Call },
  provider: Provider,
  { role = "owner", sub = "person-1" }: { readonly role?: MemberRole; readonly sub?: string } = {},
) {
  const member = await invite(tenant.call, role, "Ada");
  const colleague = new Colleague(tenant.id, provider);
  await provider.set({ person: { sub } });
  const joined = await colleague.signIn(member);
  if (joined.status !== 204) throw new Error(`could not join: ${joined.text}`);
  return { member, colleague, call: await colleague.call() };
}
