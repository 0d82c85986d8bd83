// Tenants, by their operator.
import type { CreatedTenant } from "../../../protocol/tenants/contract.ts";
import { OPERATOR } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { countRows } from "../../worker/support/read-cell.ts";
import type { ConceptRows } from "../row.ts";
import { OF_A_SESSION } from "../store-changes.ts";

export const ROWS = {
  createTenant: {
    answers: 201,
    body: ({ word }) => ({ name: word }),
    shows: [],
    stores: ["+api_keys", "+audit_entries", "+tenants"],
  },
  // A suite makes more tenants than a page has.
  listTenants: {
    answers: 200,
    query: ({ word }) => `limit=100&search=${encodeURIComponent(word)}`,
    shows: ["tenant"],
  },
  readTenant: { answers: 200, shows: ["tenant"] },
  updateTenant: {
    answers: 200,
    body: ({ word }) => ({ name: `New ${word}` }),
    shows: ["tenant"],
    stores: ["+audit_entries", "~tenants"],
  },
  deleteTenant: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: [
      ...OF_A_SESSION,
      "-a2a_tasks",
      "-agent_versions",
      "-agents",
      "-api_keys",
      "+audit_entries",
      "-connections",
      "-credentials",
      "-inbound_endpoints",
      "-mcp_catalogues",
      "-mcp_servers",
      "-members",
      "-memory.consolidations",
      "-memory.memories",
      "-memory.records",
      "-memory.store",
      "-memory.versions",
      "-memory_stores",
      "-reply_hours",
      "-room.client_tokens",
      "-room.events",
      "-room.members",
      "-room.messages",
      "-room.room",
      "-room.token_participants",
      "-room_members",
      "-rooms",
      "-session.a2a_push_configs",
      "-session.idempotency_keys",
      "-skill_versions",
      "-skills",
      "-tenant.days",
      "-tenant.replies",
      "-tenant_keys",
      "~tenants",
      "-sign_in_providers",
      "-token_issuers",
      "-trigger.runs",
      "-trigger.trigger_state",
      "-triggers",
      "-usage",
      "-usage_days",
      "-webhook_deliveries",
      "-webhook_endpoints",
    ],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createTenant() {
    const name = `Shop ${crypto.randomUUID()}`;
    return {
      path: "/v1/tenants",
      call: OPERATOR,
      json: { name },
      other: { name: `${name} & sons` },
      secrets: ["api_key"],
      count: () => countRows("SELECT count(*) AS found FROM tenants WHERE name = ?", name),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const json = { name: "Shoe shop" };
  const tenant = await api.ask<CreatedTenant>("createTenant", {}, { ...OPERATOR, json });
  const place = { tenant_id: tenant.json.id };
  await api.ask("listTenants", { query: "?limit=1" }, OPERATOR);
  await api.ask("listTenants", { query: "?search=shoe" }, OPERATOR);
  await api.ask("readTenant", place, OPERATOR);
  await api.ask("updateTenant", place, { ...OPERATOR, json: { metadata: { plan: ["big", 1] } } });
  await api.ask("deleteTenant", place, OPERATOR);
}
