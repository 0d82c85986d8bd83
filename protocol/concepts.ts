// The concepts of the platform. Each has at most one room on a floor, with its name there: scripts/layers.ts takes the order of
// the rooms from this list. Routes, names of parameters, and the API's document follow from the contracts in it.
import { A2A_CONTRACT } from "./a2a/routes.ts";
import { AG_UI_CONTRACT } from "./ag-ui/routes.ts";
import { AGENT_MCP_CONTRACT } from "./agent-mcp/routes.ts";
import { AGENT_CONTRACT } from "./agents/routes.ts";
import { AUDIT_CONTRACT } from "./audit/routes.ts";
import { BACKGROUND_CONTRACT } from "./background/routes.ts";
import { CLIENT_TOKEN_CONTRACT } from "./client-tokens/routes.ts";
import { CONFIRMATION_CONTRACT } from "./confirmations/routes.ts";
import { CONSOLE_CONTRACT } from "./console/routes.ts";
import { CONTEXT_CONTRACT } from "./context/routes.ts";
import { CREDENTIAL_CONTRACT } from "./credentials/routes.ts";
import { DECISION_CONTRACT } from "./decisions/routes.ts";
import { DIAGNOSTICS_CONTRACT } from "./diagnostics/routes.ts";
import { END_USER_CONTRACT } from "./end-users/routes.ts";
import { EVENT_CONTRACT } from "./events/routes.ts";
import { FILE_CONTRACT } from "./files/routes.ts";
import { HOOK_CONTRACT } from "./hooks/routes.ts";
import { INBOUND_CONTRACT } from "./inbound/routes.ts";
import { KEY_CONTRACT } from "./keys/routes.ts";
import { MCP_CONTRACT } from "./mcp/routes.ts";
import { MEMBER_CONTRACT } from "./members/routes.ts";
import { MEMORY_CONTRACT } from "./memory/routes.ts";
import { MODEL_CONTRACT } from "./models/routes.ts";
import { OPERATOR_CONTRACT } from "./operator/routes.ts";
import { PERMISSION_CONTRACT } from "./permission/routes.ts";
import { PLAN_CONTRACT } from "./plans/routes.ts";
import { QUOTA_CONTRACT } from "./quotas/routes.ts";
import { REPLAY_CONTRACT } from "./replay/routes.ts";
import { REPLY_CONTRACT } from "./replies/routes.ts";
import { REQUEST_CONTRACT } from "./requests/routes.ts";
import { ROOM_CONTRACT } from "./rooms/routes.ts";
import { SEARCH_CONTRACT } from "./search/routes.ts";
import { SESSION_CONTRACT } from "./sessions/routes.ts";
import { SHARED_STATE_CONTRACT } from "./shared-state/routes.ts";
import { SIGN_IN_PROVIDER_CONTRACT } from "./sign-in-providers/routes.ts";
import { SKILL_CONTRACT } from "./skills/routes.ts";
import { TENANT_CONTRACT } from "./tenants/routes.ts";
import { TOKEN_ISSUER_CONTRACT } from "./token-issuers/routes.ts";
import { TOOL_GROUP_CONTRACT } from "./tool-groups/routes.ts";
import { TOOL_CONTRACT } from "./tools/routes.ts";
import { TRIGGER_CONTRACT } from "./triggers/routes.ts";
import { USAGE_CONTRACT } from "./usage/routes.ts";
import { VOICE_CONTRACT } from "./voice/routes.ts";
import { WEBHOOK_CONTRACT } from "./webhooks/routes.ts";
import type { Contract } from "./requests/contract.ts";

/** From the ground up: a room imports rooms of concepts before its own. */
export const CONTRACTS = {
  a2a: A2A_CONTRACT,
  models: MODEL_CONTRACT,
  voice: VOICE_CONTRACT,
  permission: PERMISSION_CONTRACT,
  diagnostics: DIAGNOSTICS_CONTRACT,
  quotas: QUOTA_CONTRACT,
  "shared-state": SHARED_STATE_CONTRACT,
  context: CONTEXT_CONTRACT,
  background: BACKGROUND_CONTRACT,
  tools: TOOL_CONTRACT,
  plans: PLAN_CONTRACT,
  usage: USAGE_CONTRACT,
  audit: AUDIT_CONTRACT,
  keys: KEY_CONTRACT,
  members: MEMBER_CONTRACT,
  "sign-in-providers": SIGN_IN_PROVIDER_CONTRACT,
  "client-tokens": CLIENT_TOKEN_CONTRACT,
  requests: REQUEST_CONTRACT,
  files: FILE_CONTRACT,
  skills: SKILL_CONTRACT,
  memory: MEMORY_CONTRACT,
  "tool-groups": TOOL_GROUP_CONTRACT,
  hooks: HOOK_CONTRACT,
  "token-issuers": TOKEN_ISSUER_CONTRACT,
  webhooks: WEBHOOK_CONTRACT,
  credentials: CREDENTIAL_CONTRACT,
  mcp: MCP_CONTRACT,
  replies: REPLY_CONTRACT,
  agents: AGENT_CONTRACT,
  sessions: SESSION_CONTRACT,
  search: SEARCH_CONTRACT,
  "ag-ui": AG_UI_CONTRACT,
  events: EVENT_CONTRACT,
  decisions: DECISION_CONTRACT,
  confirmations: CONFIRMATION_CONTRACT,
  replay: REPLAY_CONTRACT,
  rooms: ROOM_CONTRACT,
  "agent-mcp": AGENT_MCP_CONTRACT,
  inbound: INBOUND_CONTRACT,
  triggers: TRIGGER_CONTRACT,
  "end-users": END_USER_CONTRACT,
  tenants: TENANT_CONTRACT,
  console: CONSOLE_CONTRACT,
  operator: OPERATOR_CONTRACT,
} as const satisfies Readonly<Record<string, Contract>>;

export type Concept = keyof typeof CONTRACTS;

export const CONCEPTS = Object.keys(CONTRACTS) as readonly Concept[];
