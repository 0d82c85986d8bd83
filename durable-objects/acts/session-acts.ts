// The table of session acts: every operation that a request performs on an open session, or reads from it. An entry has
// the types of payload and answer, what is kept under an `Idempotency-Key`, whether it needs the actor, and the
// handler. The object's RPC method, the Worker's call and idempotency follow from it.
import { CALLED_SESSION_ACTS } from "./called-sessions.ts";
import { SESSION_STATE_ACTS } from "./sessions.ts";
import { REPLY_ACTS } from "./replies.ts";
import { DIAGNOSTICS_ACTS } from "./diagnostics.ts";
import { AG_UI_ACTS } from "./ag-ui.ts";
import { EVENT_ACTS } from "./events.ts";
import { BACKGROUND_ACTS } from "./background.ts";
import { MCP_ACTS } from "./mcp.ts";
import { MEMORY_ACTS } from "./memory.ts";
import { CONTEXT_ACTS } from "./context.ts";
import { HOOK_ACTS } from "./hooks.ts";
import { SHARED_STATE_ACTS } from "./shared-state.ts";
import { PLAN_ACTS } from "./plans.ts";
import { TOOL_ACTS } from "./tools.ts";
import { TOOL_GROUP_ACTS } from "./tool-groups.ts";
import { PERMISSION_ACTS } from "./permission.ts";
import { DECISION_ACTS } from "./decisions.ts";
import { CLIENT_TOKEN_ACTS } from "./client-tokens.ts";
import { FILE_ACTS } from "./files.ts";
import { TRIGGER_ACTS } from "./triggers.ts";
import { ROOM_ACTS } from "./rooms.ts";
import { A2A_ACTS } from "./a2a.ts";
import { A2A_PUSH_ACTS } from "./a2a-pushes.ts";

export const SESSION_ACTS = {
  ...SESSION_STATE_ACTS,
  ...REPLY_ACTS,
  ...CALLED_SESSION_ACTS,
  ...DIAGNOSTICS_ACTS,
  ...AG_UI_ACTS,
  ...EVENT_ACTS,
  ...BACKGROUND_ACTS,
  ...MCP_ACTS,
  ...MEMORY_ACTS,
  ...CONTEXT_ACTS,
  ...HOOK_ACTS,
  ...SHARED_STATE_ACTS,
  ...PLAN_ACTS,
  ...TOOL_ACTS,
  ...TOOL_GROUP_ACTS,
  ...PERMISSION_ACTS,
  ...DECISION_ACTS,
  ...CLIENT_TOKEN_ACTS,
  ...FILE_ACTS,
  ...TRIGGER_ACTS,
  ...ROOM_ACTS,
  ...A2A_ACTS,
  ...A2A_PUSH_ACTS,
} as const;
