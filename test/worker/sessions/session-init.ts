// Sessions of the tests in workerd, opened straight at the object.
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";

let made = 0;
/** Half of each id: other files have run, and will run, in the same runtime. */
let file = "";

/** An init of its own for each call. */
export function sessionInit(agent: object = {}): SessionInit {
  made += 1;
  file ||= crypto.randomUUID().replaceAll("-", "").slice(0, 13);
  const id = `${file}${String(made).padStart(13, "0")}`;
  return {
    session_id: `ses_${id}`,
    tenant_id: `ten_${id}`,
    agent_id: `agt_${id}`,
    agent_version: 1,
    agent: AgentCreateSchema.parse({ name: "Refund desk", ...agent }),
    end_user_id: null,
    metadata: {},
    created_at: "2026-01-01T00:00:00.000Z",
  };
}
