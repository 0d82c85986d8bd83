// The plan of a session.
import type { SessionPlan } from "../../../protocol/plans/contract.ts";
import { openSession } from "../../worker/support/api.ts";
import { keyWith } from "../../worker/support/credentials.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readPlan: { answers: 200, shows: ["plan"] },
  writePlan: {
    answers: 200,
    body: ({ word }) => ({ plan: { name: word, subtasks: [{ name: word }] } }),
    besides: ["sessions:read"],
    shows: ["plan"],
    stores: ["~session.ability_states", "+session.events"],
    refusedBy: ["stored_bytes"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const plan = { name: "Research", subtasks: [{ name: "Find surveys" }] };
  const planless = await openSession();
  const nowhere = { session_id: planless.session.id };
  await api.ask("writePlan", nowhere, { ...planless.call, json: { plan } });
  const { session, call } = await openSession({ name: "Planner", plan: {} });
  const place = { session_id: session.id };
  const guarded = { name: "Write", acceptance: { kind: "person", criteria: "It is true." } };
  const json = { plan: { ...plan, subtasks: [guarded] } };
  await api.ask("writePlan", place, { ...call, json });
  const { json: read } = await api.ask<SessionPlan>("readPlan", place, call);
  await api.ask("writePlan", place, { ...call, json: { plan: { ...plan, id: "plan_9" } } });
  const headers = { "If-Match": '"9"' };
  await api.ask("writePlan", place, { ...call, headers, json: { plan: null } });
  const done = read.plan?.subtasks.map((subtask) => ({ ...subtask, state: "done" }));
  const accepted = { plan: { ...read.plan, subtasks: done } };
  const narrow = await keyWith(call, ["sessions:read", "replies:write"]);
  await api.ask("writePlan", place, { ...narrow, json: accepted });
}
