// The audit of a tenant.
import { makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { NEWEST, pageToken, tenantInQuery } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  listAudit: {
    answers: 200,
    query: () => "limit=100",
    places: [
      tenantInQuery,
      pageToken(`aud_${NEWEST}`),
      {
        where: "query actor_id",
        id: ({ ids }) => ids.key_id,
        query: (id) => `actor_id=${id}`,
        refused: 200,
      },
      {
        where: "query target_id",
        id: ({ ids }) => ids.agent_id,
        query: (id) => `target_id=${id}`,
        refused: 200,
      },
    ],
    shows: [
      "agent",
      "credential",
      "endpoint",
      "hook",
      "issuer",
      "key",
      "member",
      "provider",
      "rule",
      "server",
      "skill",
      "tenant",
      "trigger",
    ],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  await api.ask("listAudit", { query: "?limit=1" }, call);
  await api.ask("listAudit", { query: "?format=jsonl" }, call);
  await api.ask("listAudit", { query: `?tenant_id=ten_${"0".repeat(26)}` }, call);
}
