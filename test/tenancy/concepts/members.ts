// Members of a tenant.
import type { InvitedMember } from "../../../protocol/members/contract.ts";
import { SCOPES } from "../../../protocol/keys/contract.ts";
import { ask, makeTenant, OPERATOR } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { cell, countRows } from "../../worker/support/read-cell.ts";
import { NEWEST, pageToken, tenantInBody, tenantInQuery } from "../places.ts";
import type { ConceptRows } from "../row.ts";

// The role's scopes have to be held by who gives it, and by who decides about somebody who has it.
const besides = SCOPES;

export const ROWS = {
  inviteMember: {
    answers: 201,
    body: ({ word }) => ({ name: word, role: "viewer" }),
    places: [
      { ...tenantInBody, body: (tenant_id) => ({ tenant_id, name: "Ada", role: "viewer" }) },
    ],
    besides,
    shows: [],
    stores: ["+audit_entries", "+members"],
    refusedBy: ["members", "database_bytes"],
  },
  listMembers: {
    answers: 200,
    query: () => "limit=100",
    places: [tenantInQuery, pageToken(`mem_${NEWEST}`)],
    shows: ["member"],
  },
  readMember: { answers: 200, places: [tenantInQuery], shows: ["member"] },
  updateMember: {
    answers: 200,
    body: ({ word }) => ({ name: word }),
    places: [tenantInBody],
    besides,
    shows: [],
    stores: ["+audit_entries", "~members"],
    refusedBy: ["database_bytes"],
  },
  renewMemberLink: {
    answers: 201,
    body: () => ({}),
    places: [tenantInBody],
    besides,
    shows: ["member"],
    stores: ["+audit_entries", "~members"],
    refusedBy: ["database_bytes"],
  },
  removeMember: {
    answers: 200,
    places: [tenantInQuery],
    besides,
    shows: ["member"],
    stores: ["+audit_entries", "~members"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async inviteMember() {
    const { id, call } = await makeTenant();
    return {
      path: "/v1/members",
      call,
      json: { name: "Ada", role: "viewer" },
      other: { name: "Ben", role: "viewer" },
      secrets: ["url"],
      count: () => countRows("SELECT count(*) AS found FROM members WHERE tenant_id = ?", id),
    };
  },

  async renewMemberLink() {
    const { call } = await makeTenant();
    const member = await invite(call);
    const hash = () => cell("SELECT link_hash AS value FROM members WHERE id = ?", member.id);
    const first = await hash();
    const seen = new Set([first]);
    return {
      path: `/v1/members/${member.id}/link`,
      call,
      json: {},
      other: { tenant_id: member.tenant_id },
      secrets: ["url"],
      // The number of links since the first.
      count: async () => seen.add(await hash()).size - 1,
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { id, call } = await makeTenant();
  const json = { name: "Ada", email: "Ada@Shop.example", role: "owner" };
  const ada = await api.ask<InvitedMember>("inviteMember", {}, { ...call, json });
  await api.ask("inviteMember", {}, { ...call, json });
  await api.ask("inviteMember", {}, { ...call, json: { ...json, mood: "good" } });
  const place = { member_id: ada.json.id };
  await api.ask("listMembers", { query: "?limit=1" }, call);
  await api.ask("readMember", place, call);
  await api.ask("updateMember", place, { ...call, json: { role: "viewer" } });
  await api.ask("removeMember", place, call);
  const ben = await api.ask<InvitedMember>(
    "inviteMember",
    {},
    {
      ...call,
      json: { name: "Ben", role: "viewer" },
    },
  );
  const other = { member_id: ben.json.id };
  await api.ask("updateMember", other, { ...call, json: { role: "developer" } });
  await api.ask("renewMemberLink", other, { ...call, json: {} });
  await api.ask("removeMember", other, call);
  await api.ask("renewMemberLink", other, { ...call, json: {} });
  const nobody = `ten_${"0".repeat(26)}`;
  await api.ask("inviteMember", {}, { ...OPERATOR, json: { ...json, tenant_id: nobody } });
  await api.ask("listMembers", { query: `?tenant_id=${nobody}` }, OPERATOR);
  await ask("PATCH", `/v1/tenants/${id}`, { ...OPERATOR, json: { quotas: { members: 0 } } });
  await api.ask("inviteMember", {}, { ...call, json: { name: "Cem", role: "viewer" } });
}

async function invite(call: { readonly key: string }): Promise<InvitedMember> {
  const json = { name: "Ada", role: "viewer" };
  return (await ask<InvitedMember>("POST", "/v1/members", { ...call, json })).json;
}
