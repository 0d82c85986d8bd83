// Texts that each route shows to a key that holds the scopes that it needs and no other: one row for each route of the
// table. A route without a row does not compile.
import { INPUT_EVENT_RIGHTS } from "../../protocol/events/contract.ts";
import type { Route, RouteName } from "../../protocol/routes.ts";
import { SCOPES, type Scope } from "../../protocol/keys/contract.ts";
import type { Case } from "./request.ts";
import type { Kind } from "./world.ts";

export interface ShownRow {
  /** Scopes that the request of `rows.ts` needs beside that of the route. */
  readonly besides?: readonly Scope[];
  /** Kinds of texts of the tenant in the answer, but for those that were sent. */
  readonly shows: readonly Kind[];
  /** Kinds that are left out for such a key, and shown to one with every scope. */
  readonly hides?: readonly Kind[];
}

const nothing: ShownRow = { shows: [] };
/** Scopes that may read a session: a key that may only write is not shown its texts. */
const reading = ["sessions:read"] as const satisfies readonly Scope[];

export const SHOWN: Readonly<Record<RouteName, ShownRow>> = {
  readHealth: nothing,
  readReadiness: nothing,
  readOpenApi: nothing,
  readLlmsText: nothing,
  readDocs: nothing,

  createTenant: nothing,
  listTenants: { shows: ["tenant"] },
  readTenant: { shows: ["tenant"] },
  updateTenant: { shows: ["tenant"] },
  deleteTenant: nothing,
  readOperatorHealth: nothing,

  createApiKey: nothing,
  listApiKeys: { shows: ["key"] },
  // That key holds every scope.
  rotateApiKey: { besides: SCOPES, shows: ["key"] },
  revokeApiKeys: nothing,
  revokeApiKey: nothing,
  createConsoleLink: nothing,
  createTokenIssuer: { besides: [...reading, "replies:write"], shows: [] },
  listTokenIssuers: { shows: ["issuer"] },
  readTokenIssuer: { shows: ["issuer"] },
  deleteTokenIssuer: nothing,
  readResourceMetadata: nothing,

  createCredential: nothing,
  listCredentials: { shows: ["credential"] },
  readCredential: { shows: ["credential"] },
  updateCredential: nothing,
  deleteCredential: nothing,

  readLimits: nothing,
  readUsage: { shows: ["usage", "user"] },
  listAudit: {
    shows: [
      "agent",
      "credential",
      "endpoint",
      "hook",
      "issuer",
      "key",
      "rule",
      "server",
      "skill",
      "tenant",
    ],
  },

  createAgent: nothing,
  listAgents: { shows: ["agent"] },
  readAgent: { shows: ["agent"] },
  updateAgent: { shows: ["agent"] },
  deleteAgent: nothing,
  listAgentVersions: { shows: ["agent"] },
  readAgentVersion: { shows: ["agent"] },
  updateAgentVersion: { shows: ["agent"] },
  checkAgent: nothing,
  createReplay: { besides: reading, shows: [] },
  callTool: nothing,
  listModels: nothing,
  testAgentPermission: nothing,
  simulatePermission: { besides: reading, shows: [] },

  createSkill: nothing,
  listSkills: { shows: ["skill"] },
  readSkill: { shows: ["skill"] },
  deleteSkill: nothing,
  createSkillVersion: nothing,
  listSkillVersions: { shows: ["skill"] },
  readSkillVersion: { shows: ["skill"] },
  readSkillContent: { shows: ["skill"] },

  createMcpServer: nothing,
  listMcpServers: { shows: ["server"] },
  readMcpServer: { shows: ["server"] },
  updateMcpServer: nothing,
  deleteMcpServer: nothing,
  listMcpTools: { shows: ["server"] },
  callMcpTool: nothing,
  showSignIn: nothing,
  showIssuerSignIn: nothing,
  listConnections: { shows: ["user"] },
  readConnection: { shows: ["user"] },
  completeConnection: nothing,
  deleteConnection: nothing,

  createSession: nothing,
  listSessions: { shows: ["session", "user"] },
  readSession: { shows: ["session", "user"] },
  updateSession: { shows: ["user"] },
  deleteSession: nothing,
  // The caller who begins a reply is shown it, with the hints that its model was given.
  createReply: { shows: ["agent", "plan", "state"] },
  listReplies: { shows: ["agent"] },
  readReply: { shows: ["agent"] },
  readDiagnostics: nothing,
  interrupt: { shows: [], hides: ["said"] },
  readEvents: { shows: ["agent", "plan", "said", "state"] },
  listMessages: { shows: ["agent", "said"] },
  readMessage: { shows: ["said"] },

  observe: nothing,
  forkSession: { besides: ["permission_rules:write"], shows: ["user"] },
  readState: {
    besides: ["permission_rules:read"],
    shows: ["agent", "plan", "rule", "said", "state"],
  },
  writeState: nothing,
  readContext: { shows: ["agent", "plan", "said", "skill", "state"] },
  // The summary is what was said.
  compress: { shows: [], hides: ["said"] },
  readHooks: { shows: ["hook"] },
  writeHooks: nothing,
  readSharedState: { shows: ["state"] },
  patchSharedState: { besides: reading, shows: ["state"] },
  readPlan: { shows: ["plan"] },
  writePlan: { besides: reading, shows: ["plan"] },
  readToolGroups: { shows: ["agent"] },
  writeToolGroups: { besides: [...reading, "sessions:write"], shows: ["agent"] },
  readSessionMcpResource: nothing,

  runAgUi: { besides: reading, shows: ["plan", "said", "state"] },
  joinAgUi: { shows: ["plan", "said", "state"] },
  readAgUiCapabilities: { shows: ["agent"] },
  callAgentMcp: { shows: ["agent"] },
  resumeAgentMcp: nothing,

  uploadFile: nothing,
  listFiles: { shows: ["file"] },
  readFile: { shows: ["file"] },
  readFileContent: { shows: ["file"] },
  deleteFile: nothing,
  createFileLink: nothing,
  readFileLink: { shows: ["file"] },

  postEvent: { shows: [], hides: ["said"] },
  listPermissionRules: { shows: ["rule"] },
  createPermissionRules: nothing,
  deletePermissionRule: nothing,
  testPermissionRules: nothing,
  listDecisions: nothing,
  listTenantDecisions: { shows: ["call", "user"] },
  listConfirmations: { shows: ["call", "user"] },
  answerConfirmations: { shows: [], hides: ["said"] },

  createClientToken: { besides: [...reading, "replies:write"], shows: [] },
  listClientTokens: nothing,
  revokeClientToken: nothing,
  createStreamTicket: nothing,
  readCallback: nothing,
  answerCallback: nothing,
  createInboundEndpoint: nothing,
  listInboundEndpoints: { shows: ["endpoint"] },
  readInboundEndpoint: { shows: ["endpoint"] },
  deleteInboundEndpoint: nothing,
  rotateInboundSecret: { shows: ["endpoint"] },
  receiveWebhook: nothing,

  createWebhookEndpoint: nothing,
  listWebhookEndpoints: { shows: ["endpoint"] },
  readWebhookEndpoint: { shows: ["endpoint"] },
  updateWebhookEndpoint: nothing,
  deleteWebhookEndpoint: nothing,
  rotateWebhookSecret: { shows: ["endpoint"] },
  testWebhookEndpoint: nothing,
  listWebhookDeliveries: nothing,
  readWebhookDelivery: { shows: ["user"] },
  redeliverWebhook: nothing,
};

/** The scopes that a key needs for the request of the row; null where none opens the route: the operator's. */
export function scopesFor({ route }: Pick<Case, "route">): readonly Scope[] | null {
  const { access, name }: Route = route;
  if (access === "operator") return null;
  if (access === "public") return [];
  // The event that the rows post there is an interrupt.
  const own = access === "input_event" ? INPUT_EVENT_RIGHTS.USER_INTERRUPT.scope : access;
  const { besides = [] } = SHOWN[name as RouteName];
  return [...new Set([own, ...besides])];
}
