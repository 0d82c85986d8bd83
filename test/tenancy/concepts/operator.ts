// Health of the platform, for everybody and for its operator, and its documentation.
import { env } from "cloudflare:workers";

import { makeTenant, OPERATOR } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readHealth: { answers: 200, isSilent: true, shows: [] },
  readReadiness: { answers: 200, isSilent: true, shows: [] },
  readOpenApi: { answers: 200, isSilent: true, shows: [] },
  readLlmsText: { answers: 200, isSilent: true, shows: [] },
  readDocs: { answers: 200, isSilent: true, shows: [] },
  readOperatorHealth: { answers: 200, isSilent: true, shows: [] },
  readTenantActivity: {
    answers: 200,
    isSilent: true,
    query: ({ ids }) => `tenant_ids=${ids.tenant_id}`,
    shows: [],
  },
} satisfies ConceptRows;

/** Promises about the platform itself. */
export async function askAll(api: DocumentedApi): Promise<void> {
  await api.ask("readHealth", {});
  await api.ask("readReadiness", {});
  await api.ask("readReadiness", {}, { bindings: { ...env, KEY_PEPPER: "" } });
  for (const name of ["readOpenApi", "readLlmsText", "readDocs"] as const) {
    const { headers } = await api.ask(name, {});
    await api.ask(name, {}, { headers: { "If-None-Match": headers.get("ETag")! } });
  }
  await api.ask("readOperatorHealth", {}, OPERATOR);
  const { id } = await makeTenant();
  await api.ask("readTenantActivity", { query: `?tenant_ids=${id}` }, OPERATOR);
}
