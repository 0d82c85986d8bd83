// The groups of tools of a session, and its single tools: shown to clients, and switched by them.
import { checkCall, type CallPermission } from "../../agent/permission/check-call.ts";
import { toolGroupsEvent } from "../../agent/tool-groups/change-tool-groups.ts";
import { metaTool } from "../../agent/tool-groups/meta-tool.ts";
import { TOOL_GROUPS_FOLD } from "../../agent/tool-groups/tool-groups-fold.ts";
import {
  groupsByTool,
  isGroupActive,
  switchOf,
  type ToolGroupsState,
} from "../../agent/tool-groups/tool-groups-state.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { mayBeOfServer, mayHaveTool, namesOfTools } from "../../protocol/tools/contract.ts";
import type {
  SessionToolGroups,
  ToolGroup,
  ToolGroupsWrite,
} from "../../protocol/tool-groups/contract.ts";
import type { ToolSwitches } from "../../protocol/tool-groups/events.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { didYouMean } from "../../protocol/words/suggest-name.ts";
import { mcpTools } from "../../tools/providers/mcp-tools.ts";
import { decidedBy } from "./confirmations.ts";
import type { Actor, SessionInit } from "../api/session-api.ts";
import { admitBytes } from "../sessions/admit-bytes.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { hookedPermission } from "../settings/hooked-permission.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { act, actorAct } from "./act.ts";

export interface ToolGroupsPut extends Pick<ToolGroupsWrite, "groups" | "tools"> {
  /** The version that they are written over; any when left out. */
  readonly if_version?: readonly number[] | undefined;
  /** Whether the credential may switch what the agent itself cannot. */
  readonly may_switch_all: boolean;
  /** Whether the credential may allow what the agent would have to ask a person about. */
  readonly may_confirm: boolean;
}

const GONE = refuse("not_found", "there is no such session");

/** Of the agent of the open reply, or of the next one. Resolves when what is returned is on disk. */
async function readToolGroups(session: OpenSession): Promise<Result<SessionToolGroups>> {
  const { log, tables } = session;
  const state = tables.abilities.read(TOOL_GROUPS_FOLD);
  const shown = { ...showSwitches(initOf(session), state, tables), cursor: log.lastSeq };
  await log.settled();
  return log.isClosed ? GONE : accept(shown);
}

/**
 * Writes all switches, also while a reply runs. There is no await between the look at them and the commit of the change,
 * so that of concurrent changes by a person and the model one is first and the other sees it.
 */
async function writeToolGroups(
  session: OpenSession,
  { groups, tools, if_version, may_switch_all, may_confirm }: ToolGroupsPut,
  actor: Actor,
): Promise<Result<SessionToolGroups>> {
  if (session.log.isClosed) return GONE;
  const admitted = await admitBytes(session, { groups, tools });
  if (!admitted.ok) return admitted;
  const { log, tables } = session;
  if (log.isClosed) return GONE;
  const before = tables.abilities.read(TOOL_GROUPS_FOLD);
  const { version } = before;
  if (if_version && !if_version.includes(version)) {
    const detail = `the tool groups are at version ${version}`;
    return refuse("version_mismatch", detail, { extensions: { version } });
  }
  const init = initOf(session);
  const agent = equippedAgent(init);
  const { tool_groups = [] } = agent;
  const errors = [
    ...unknownNames(
      groups,
      tool_groups.map(({ name }) => name),
      { place: "groups", kind: "group" },
    ),
    ...unknownNames(tools, namesOfTools(agent.tools), {
      place: "tools",
      kind: "tool",
      isKnown: (name) => mayBeOfServer(agent.tools, name),
    }),
  ];
  if (errors.length > 0) {
    const detail = "what is not there cannot be switched; `errors` says what";
    return refuse("validation_failed", detail, { errors });
  }
  // Switches of tools that the session does not have now cannot be named here: only who may change them drops them.
  const left = may_switch_all ? {} : leftSwitches(agent, before);
  const after = { groups: switchesOf(groups), tools: { ...left, ...switchesOf(tools) } };
  const decision = isSameJson(before.groups, after.groups)
    ? "allow"
    : decisionOf(session, init, tool_groups, after);
  if (!may_switch_all && (!isForAgent(agent, before, after) || decision === "deny")) {
    const detail =
      "this switches what the agent cannot switch itself; that needs the scope sessions:write";
    return refuse("insufficient_scope", detail, {
      extensions: { required_scope: "sessions:write" },
    });
  }
  if (!may_switch_all && !may_confirm && decision !== "allow") {
    const detail =
      "the agent would have to ask a person for these groups; that needs the right to confirm";
    return refuse("insufficient_scope", detail, {
      extensions: { required_scope: "confirmations:write" },
    });
  }
  const event = toolGroupsEvent(before, after, tool_groups, { switched_by: decidedBy(actor) });
  if (event) log.append([event], { isLast: !session.isActing });
  return readToolGroups(session);
}

function initOf({ openReply, settings }: OpenSession): SessionInit {
  return openReply ? settings.replyInit : settings.init;
}

function showSwitches(
  init: SessionInit,
  state: ToolGroupsState,
  { mcp }: Pick<SessionTables, "mcp">,
): Omit<SessionToolGroups, "cursor"> {
  const { tools: own = [] } = init;
  const { tools, tool_groups = [], meta_tool = false } = equippedAgent(init);
  const groupOf = groupsByTool(tool_groups);
  const servers = init.agent.tools.filter((tool) => tool.type === "mcp");
  const ofAgent = new Set([
    ...namesOfTools(init.agent.tools),
    ...[...groupOf.keys()].filter((name) => mayBeOfServer(servers, name)),
    ...mcpTools(servers, mcp).tools.map(({ name }) => name),
  ]);
  const names = new Set([...ofAgent, ...namesOfTools(tools)]);
  return {
    groups: tool_groups.map(({ name, description, notes, active, tools: names }) => ({
      name,
      description,
      notes,
      tools: names,
      switched: shown(switchOf(state.groups, name)),
      active: isGroupActive({ name, active }, state),
    })),
    tools: [...names].map((name) => {
      const group = groupOf.get(name);
      const switched = switchOf(state.tools, name);
      return {
        name,
        origin: ofAgent.has(name) ? "agent" : "session",
        group: group?.name ?? null,
        switched: shown(switched),
        active: switched ?? (!group || isGroupActive(group, state)),
      };
    }),
    meta_tool: meta_tool && tool_groups.length > 0,
    session_tools: own.filter((tool) => tool.type !== "mcp"),
    version: state.version,
  };
}

function shown(switched: boolean | null): "on" | "off" | null {
  if (switched === null) return null;
  return switched ? "on" : "off";
}

function switchesOf(
  given: readonly { readonly name: string; readonly switched: "on" | "off" | null }[],
): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    given.flatMap(({ name, switched }) => (switched === null ? [] : [[name, switched === "on"]])),
  );
}

/** Whether the agent could make this change itself: of its groups, with its meta tool. */
function isForAgent(
  { meta_tool = false }: AgentDefinition,
  before: ToolSwitches,
  after: ToolSwitches,
): boolean {
  return (
    isSameJson(before.tools, after.tools) && (meta_tool || isSameJson(before.groups, after.groups))
  );
}

/** Decision of the rules about a call with which the agent would choose these groups: one that asks is a person's to allow. */
function decisionOf(
  session: OpenSession,
  init: SessionInit,
  groups: readonly ToolGroup[],
  { groups: chosen }: ToolSwitches,
): CallPermission["behavior"] {
  return checkCall(hookedPermission(init, session), metaTool(groups), chosen).behavior;
}

function leftSwitches(
  { tools }: AgentDefinition,
  before: ToolSwitches,
): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(before.tools).filter(([name]) => !mayHaveTool(tools, name)),
  );
}

function unknownNames(
  given: readonly { readonly name: string }[],
  names: readonly string[],
  {
    place,
    kind,
    isKnown = () => false,
  }: {
    readonly place: string;
    readonly kind: string;
    /** Names beside these that may be there. */
    readonly isKnown?: (name: string) => boolean;
  },
) {
  return given.flatMap(({ name }, index) => {
    if (names.includes(name) || isKnown(name)) return [];
    const detail = `the session has no ${kind} ${name}${didYouMean(name, names)}`;
    return [{ pointer: `#/${place}/${index}/name`, detail }];
  });
}

export const TOOL_GROUP_ACTS = {
  readToolGroups: act<void, SessionToolGroups>({ run: readToolGroups }),

  /** All switches, also while a reply runs. Resolves when they are on disk. */
  writeToolGroups: actorAct<ToolGroupsPut, SessionToolGroups>({
    run: (session, put, { actor }) => writeToolGroups(session, put, actor),
  }),
} as const;
