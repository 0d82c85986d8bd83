// Promises of the document about replays, asked of the platform.
import type { Agent } from "../../../protocol/agents/contract.ts";
import { ask } from "./api.ts";
import type { DocumentedApi } from "./documented-api.ts";
import { openParked, REFUND } from "./parked-session.ts";

export async function askReplays(api: DocumentedApi): Promise<void> {
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
