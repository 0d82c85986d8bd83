// End users as a whole. What their removal erases is done by a job, so the request stores its own row alone.
import { MAX_END_USER_ID_CHARACTERS } from "../../../protocol/end-users/limits.ts";
import { makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  deleteEndUser: {
    answers: 202,
    shows: ["user"],
    stores: ["+audit_entries", "+end_user_removals"],
    bounds: { end_user_removals: "gone some minutes after the request" },
  },
  exportEndUser: {
    answers: 200,
    besides: ["files:read", "memories:read"],
    shows: ["agent", "file", "memory", "room", "said", "session", "usage", "user"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const person = { end_user_id: "customer-17" };
  await api.ask("exportEndUser", person, call);
  await api.ask("exportEndUser", { ...person, query: "?page=x" }, call);
  await api.ask("deleteEndUser", person, call);
  const nobody = { end_user_id: "x".repeat(MAX_END_USER_ID_CHARACTERS + 1) };
  await api.ask("exportEndUser", nobody, call);
  await api.ask("deleteEndUser", nobody, call);
}
