// Diagnostics of a reply.
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { openTold } from "../../worker/support/told-session.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readDiagnostics: { answers: 200, isSilent: true, shows: [] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, place, reply } = await openTold();
  await api.ask("readDiagnostics", { ...place, reply_id: reply.id }, call);
}
