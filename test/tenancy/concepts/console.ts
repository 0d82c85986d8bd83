// Links that sign people in to the console.
import { makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { countRows } from "../../worker/support/read-cell.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  createConsoleLink: {
    answers: 201,
    isSilent: true,
    body: () => ({}),
    shows: [],
    stores: ["+audit_entries", "+console_sessions"],
    refusedBy: ["database_bytes"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createConsoleLink() {
    const { id, call } = await makeTenant();
    return {
      path: "/v1/console-links",
      call,
      json: { scopes: ["sessions:read"] },
      other: { scopes: ["agents:read"] },
      secrets: ["url"],
      count: () =>
        countRows("SELECT count(*) AS found FROM console_sessions WHERE tenant_id = ?", id),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  await api.ask("createConsoleLink", {}, { ...call, json: { scopes: ["sessions:read"] } });
}
