// The state that a session shares with its clients.
import { openSession } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readSharedState: { answers: 200, shows: ["state"] },
  patchSharedState: {
    answers: 200,
    body: ({ word }) => [{ op: "add", path: "/word", value: word }],
    besides: ["sessions:read"],
    shows: ["state"],
    stores: ["~session.ability_states", "+session.events"],
    refusedBy: ["stored_bytes"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, session } = await openSession();
  const place = { session_id: session.id };
  const add = (value: unknown) => [{ op: "add", path: "/order_id", value }];
  await api.ask("patchSharedState", place, { ...call, json: add("A-1001") });
  await api.ask("readSharedState", place, call);
  const test = [{ op: "test", path: "/order_id", value: "A-1002" }];
  await api.ask("patchSharedState", place, { ...call, json: test });
  const whole = [{ op: "replace", path: "", value: "A-1001" }];
  await api.ask("patchSharedState", place, { ...call, json: whole });
  const headers = { "If-Match": '"9"' };
  await api.ask("patchSharedState", place, { ...call, headers, json: add("A-1002") });
}
