// The models that the platform knows.
import { makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  listModels: { answers: 200, isSilent: true, places: [pageToken("1")], shows: [] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  await api.ask("listModels", {}, call);
}
