// Quotas of a tenant and what it has used of them.
import { makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { tenantInQuery } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readLimits: { answers: 200, isSilent: true, places: [tenantInQuery], shows: [] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  await api.ask("readLimits", {}, call);
}
