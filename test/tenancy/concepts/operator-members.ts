// The operator's own people, and the providers at which they sign in. A tenant's member and a tenant's provider are none of them.
import { env } from "cloudflare:workers";
import { inject } from "vitest";

import { MAX_OPERATOR_MEMBERS } from "../../../protocol/members/limits.ts";
import type { InvitedOperatorMember } from "../../../protocol/members/operator-contract.ts";
import { MAX_SIGN_IN_PROVIDERS } from "../../../protocol/sign-in-providers/limits.ts";
import type { OperatorSignInProvider } from "../../../protocol/sign-in-providers/operator-contract.ts";
import { ask, OPERATOR } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { cell, countRows } from "../../worker/support/read-cell.ts";
import type { ConceptRows } from "../row.ts";

const provider = (name: string) => ({
  name,
  issuer: `${inject("oidcServerUrl")}/tenancy`,
  client_id: "reprise-operator",
});
const NOBODYS = { answers: 404, isSilent: true, shows: [], stores: [] } as const;

export const ROWS = {
  inviteOperatorMember: {
    answers: 201,
    body: ({ word }) => ({ name: word, role: "support" }),
    shows: [],
    stores: ["+audit_entries", "+members"],
    bounds: { members: MAX_OPERATOR_MEMBERS },
  },
  listOperatorMembers: { answers: 200, isSilent: true, shows: [] },
  readOperatorMember: { answers: 404, isSilent: true, shows: [] },
  updateOperatorMember: { ...NOBODYS, body: ({ word }) => ({ name: word }) },
  renewOperatorMemberLink: { ...NOBODYS, body: () => ({}) },
  removeOperatorMember: NOBODYS,
  createOperatorSignInProvider: {
    answers: 201,
    body: ({ word }) => ({ ...provider(word), client_secret: "secret-of-the-client" }),
    shows: [],
    stores: ["+audit_entries", "+credentials", "+sign_in_providers", "+tenant_keys"],
    bounds: { sign_in_providers: MAX_SIGN_IN_PROVIDERS },
  },
  listOperatorSignInProviders: { answers: 200, isSilent: true, shows: [] },
  readOperatorSignInProvider: { answers: 404, isSilent: true, shows: [] },
  deleteOperatorSignInProvider: NOBODYS,
} satisfies ConceptRows;

export const KEYED = {
  async inviteOperatorMember() {
    const name = `Noor ${crypto.randomUUID()}`;
    return {
      path: "/v1/operator/members",
      call: OPERATOR,
      json: { name, role: "support" },
      other: { name, role: "administrator" },
      secrets: ["url"],
      count: () => countRows("SELECT count(*) AS found FROM members WHERE name = ?", name),
    };
  },

  async renewOperatorMemberLink() {
    const { id } = await invite();
    const hash = () => cell("SELECT link_hash AS value FROM members WHERE id = ?", id);
    const seen = new Set([await hash()]);
    return {
      path: `/v1/operator/members/${id}/link`,
      call: OPERATOR,
      json: {},
      secrets: ["url"],
      // The number of links since the first.
      count: async () => seen.add(await hash()).size - 1,
    };
  },

  async createOperatorSignInProvider() {
    const name = `Staff ${crypto.randomUUID()}`;
    return {
      path: "/v1/operator/sign-in-providers",
      call: OPERATOR,
      json: provider(name),
      other: { ...provider(name), client_secret: "another" },
      count: () =>
        countRows("SELECT count(*) AS found FROM sign_in_providers WHERE name = ?", name),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  await clear();
  await askMembers(api);
  await askProviders(api);
  await clear();
}

/** The operator is one for all tests. */
async function clear(): Promise<void> {
  await env.DB.batch(
    ["members", "sign_in_providers"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table} WHERE tenant_id = 'operator'`),
    ),
  );
}

async function askMembers(api: DocumentedApi): Promise<void> {
  const json = { name: "Noor", email: "noor@platform.example", role: "owner" };
  const invited = { ...OPERATOR, json };
  const noor = await api.ask<InvitedOperatorMember>("inviteOperatorMember", {}, invited);
  await api.ask("inviteOperatorMember", {}, invited);
  await api.ask("inviteOperatorMember", {}, { ...OPERATOR, json: { ...json, mood: "good" } });
  const place = { member_id: noor.json.id };
  await api.ask("listOperatorMembers", { query: "?limit=1" }, OPERATOR);
  await api.ask("listOperatorMembers", { query: "?limit=x" }, OPERATOR);
  await api.ask("readOperatorMember", place, OPERATOR);
  await api.ask("updateOperatorMember", place, { ...OPERATOR, json: { role: "support" } });
  await api.ask("removeOperatorMember", place, OPERATOR);
  const other = { member_id: (await invite()).id };
  const administrator = { ...OPERATOR, json: { role: "administrator" } };
  await api.ask("updateOperatorMember", other, administrator);
  await api.ask("updateOperatorMember", other, { ...OPERATOR, json: { role: "developer" } });
  await api.ask("renewOperatorMemberLink", other, { ...OPERATOR, json: {} });
  await api.ask("renewOperatorMemberLink", other, { ...OPERATOR, json: { role: "owner" } });
  await api.ask("removeOperatorMember", other, OPERATOR);
  await api.ask("renewOperatorMemberLink", other, { ...OPERATOR, json: {} });
  const row = env.DB.prepare(
    `INSERT INTO members (id, tenant_id, name, role, created_at, created_by)
      VALUES (?, 'operator', 'Ada', 'support', '2026-01-01T00:00:00.000Z', 'operator')`,
  );
  const many = Array.from({ length: MAX_OPERATOR_MEMBERS - 1 }, (_, at) => row.bind(`mem_${at}`));
  await env.DB.batch(many);
  await api.ask("inviteOperatorMember", {}, { ...OPERATOR, json: { name: "Ed", role: "support" } });
}

async function askProviders(api: DocumentedApi): Promise<void> {
  const json = provider("staff");
  const call = { ...OPERATOR, json };
  const created = await api.ask<OperatorSignInProvider>("createOperatorSignInProvider", {}, call);
  const place = { sign_in_provider_id: created.json.id };
  const mood = { ...OPERATOR, json: { ...json, mood: "good" } };
  await api.ask("createOperatorSignInProvider", {}, mood);
  for (let count = 1; count <= MAX_SIGN_IN_PROVIDERS; count += 1) {
    await api.ask("createOperatorSignInProvider", {}, call);
  }
  await api.ask("listOperatorSignInProviders", {}, OPERATOR);
  await api.ask("listOperatorSignInProviders", { query: "?limit=x" }, OPERATOR);
  await api.ask("readOperatorSignInProvider", place, OPERATOR);
  await api.ask("deleteOperatorSignInProvider", place, OPERATOR);
  await api.ask("deleteOperatorSignInProvider", place, OPERATOR);
  await api.ask("readOperatorSignInProvider", place, OPERATOR);
}

async function invite(): Promise<InvitedOperatorMember> {
  const json = { name: "Ben", role: "support" };
  const path = "/v1/operator/members";
  return (await ask<InvitedOperatorMember>("POST", path, { ...OPERATOR, json })).json;
}
