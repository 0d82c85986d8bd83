// Replays of a session on another version of its agent.
import type { Agent } from "../../../protocol/agents/contract.ts";
import { ask } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { openParked, REFUND } from "../../worker/support/parked-session.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  createReplay: {
    answers: 200,
    body: ({ ids }) => ({ session_id: ids.session_id }),
    isSilent: true,
    places: [
      {
        where: "body session_id",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({ session_id }),
        refused: 404,
      },
    ],
    besides: ["sessions:read"],
    shows: [],
    stores: [
      "+audit_entries",
      "~tenant.days",
      "+tenant.replies",
      "+usage",
      "~usage_days",
      "+usage_end_users",
    ],
    refusedBy: ["running_replies", "database_bytes"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  // Its first reply has ended; the second one waits.
  const { call, path, agent, session } = await openParked();
  await ask("POST", `${path}/interrupt`, call);
  const again = { ...call, json: { input: REFUND } };
  const waiting = await ask<{ id: string }>("POST", `${path}/replies`, again);
  const place = { agent_id: agent.id };
  const json = { session_id: session.id };
  await api.ask("createReplay", place, { ...call, json });
  await api.ask("createReplay", place, { ...call, json: { ...json, stream: true } });
  const open = { ...json, from_reply_id: waiting.json.id };
  await api.ask("createReplay", place, { ...call, json: open });
  await api.ask("createReplay", place, { ...call, json: { ...json, version: 99 } });
  const other = await ask<Agent>("POST", "/v1/agents", { ...call, json: { name: "Other" } });
  await api.ask("createReplay", { agent_id: other.json.id }, { ...call, json });
}
