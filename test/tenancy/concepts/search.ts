// The search over a tenant's sessions. What it finds is a list of sessions: its rows are theirs.
import { makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readSessionSearch: { answers: 200, isSilent: true, shows: [] },
  updateSessionSearch: {
    answers: 200,
    isSilent: true,
    body: () => ({ enabled: false }),
    shows: [],
    stores: ["+audit_entries", "+search_indexes"],
    refusedBy: ["database_bytes"],
    bounds: { search_indexes: "one for each tenant" },
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  await api.ask("listSessions", { query: "?search=order" }, call);
  await api.ask("readSessionSearch", {}, call);
  await api.ask("updateSessionSearch", {}, { ...call, json: api.exampleOf("updateSessionSearch") });
  await api.ask("updateSessionSearch", {}, { ...call, json: { enabled: "no" } });
  await api.ask("listSessions", { query: "?search=order" }, call);
}
