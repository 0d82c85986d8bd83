// Decisions about tool calls, made and simulated.
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { confirmation, openParked } from "../../worker/support/parked-session.ts";
import { inQuery } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  simulatePermission: {
    answers: 200,
    isSilent: true,
    body: () => ({ permission: {} }),
    places: [
      {
        where: "body page",
        id: ({ ids }) => ids.session_id,
        body: (id) => ({ permission: {}, page: btoa(JSON.stringify([null, [[id, 99, 0]]])) }),
        refused: 200,
        unlike: [400],
      },
    ],
    besides: ["sessions:read"],
    shows: [],
    stores: [],
  },
  listDecisions: { answers: 200, isSilent: true, shows: [] },
  listTenantDecisions: {
    answers: 200,
    places: [
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("session_id", ({ ids }) => ids.session_id),
      inQuery("end_user_id", ({ ids }) => ids.end_user_id),
      inQuery("tool_name", ({ word }) => word),
    ],
    shows: ["call", "user"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, agent, session, reply, pending } = await openParked();
  const place = { session_id: session.id };
  const json = confirmation(reply, pending, { confirmed: false });
  await api.ask("postEvent", place, { ...call, json });
  await api.ask("listDecisions", { ...place, query: "?limit=1" }, call);
  await api.ask("listTenantDecisions", { query: "?behavior=ask&limit=1" }, call);
  const simulation = api.exampleOf("simulatePermission", "simulation");
  await api.ask("simulatePermission", { agent_id: agent.id }, { ...call, json: simulation });
}
