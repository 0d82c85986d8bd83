// Names of the platform's own events, and names that look like them: no service may tell events of these names.
import { REMOTE_CONVERSATION } from "../a2a/remote-conversation.ts";
import { REMOTE_CONTEXT } from "../a2a/remote-context.ts";
import { USAGE_TOLD } from "../a2a/told-usage.ts";
import { ABILITY_STATE } from "../ability-state.ts";
import * as agents from "../agents/events.ts";
import * as background from "../background/events.ts";
import * as context from "../context/events.ts";
import * as files from "../files/events.ts";
import * as fold from "../fold/append-custom.ts";
import * as hooks from "../hooks/events.ts";
import * as mcp from "../mcp/events.ts";
import * as memory from "../memory/events.ts";
import { AUTHORIZATION_COMPLETED } from "../messages/authorization.ts";
import * as models from "../models/events.ts";
import * as plans from "../plans/events.ts";
import * as rooms from "../rooms/events.ts";
import * as sessions from "../sessions/events.ts";
import * as sharedState from "../shared-state/events.ts";
import * as toolGroups from "../tool-groups/events.ts";
import * as tools from "../tools/events.ts";
import * as voice from "../voice/events.ts";
import * as told from "./events.ts";

/** Modules with the names of events; what else they name is not free either. */
const MODULES: readonly Readonly<Record<string, unknown>>[] = [
  agents,
  background,
  context,
  files,
  fold,
  hooks,
  mcp,
  memory,
  models,
  plans,
  rooms,
  sessions,
  sharedState,
  toolGroups,
  tools,
  voice,
  told,
];

/** Beginnings of names that translators make of other events. */
const BEGINNINGS = ["agentscope", "reprise"];

const NAMES: ReadonlySet<string> = new Set(
  [
    ...MODULES.flatMap((module) => Object.values(module)),
    REMOTE_CONVERSATION,
    REMOTE_CONTEXT,
    USAGE_TOLD,
    ABILITY_STATE,
    AUTHORIZATION_COMPLETED,
    // An activity of the platform.
    "mcp-apps",
  ].flatMap((name) => (typeof name === "string" ? [plain(name)] : [])),
);

/** True if the name is one of the platform's, also in another case or with other signs between its words. */
export function isPlatformName(name: string): boolean {
  const found = plain(name);
  return NAMES.has(found) || BEGINNINGS.some((beginning) => found.startsWith(beginning));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
