// Groups of tools: an agent's definition of them, what a session has switched, and how people switch.
import * as z from "zod";

import { BASIC_GROUP, RESET_EQUIPPED_TOOLS } from "./events.ts";
import {
  MAX_SESSION_TOOLS,
  MAX_TOOL_GROUP_DESCRIPTION_CHARACTERS,
  MAX_TOOL_GROUP_NOTES_CHARACTERS,
  MAX_TOOL_GROUPS,
  MAX_TOOL_SWITCHES,
} from "./limits.ts";
import { MAX_TOOLS } from "../tools/limits.ts";
import { MEMORY_TOOLS } from "../memory/events.ts";
import { planToolNames } from "../plans/events.ts";
import { READ_SKILL_TOOL } from "../skills/skill.ts";
import { didYouMean } from "../words/suggest-name.ts";
import type { PlanSettings } from "../plans/contract.ts";
import {
  areNamesUnique,
  mayBeOfServer,
  mayHaveTool,
  namesOfTools,
  NamedToolSchema,
  ToolsSchema,
  type ToolDefinition,
} from "../tools/contract.ts";
import { ToolNameSchema } from "../tools/named-tool.ts";

/** A member of the meta tool's input, so it has the alphabet of a tool's name. */
const GroupNameSchema = z
  .string()
  .regex(/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/, {
    message: "a group's name is 1 to 64 letters, digits, _ and -, and not __proto__",
  })
  .refine((name) => name !== BASIC_GROUP, {
    message: `${BASIC_GROUP} is the group of the tools that are in no other`,
  });

/** @public */
export const ToolGroupSchema = z
  .strictObject({
    name: GroupNameSchema,
    /** The purpose of the group: the model reads it when it equips itself. */
    description: z.string().min(1).max(MAX_TOOL_GROUP_DESCRIPTION_CHARACTERS),
    /** The text for the model while the group is active. */
    notes: z.string().min(1).max(MAX_TOOL_GROUP_NOTES_CHARACTERS).nullable().default(null),
    /** Whether a session begins with it. */
    active: z.boolean().default(false),
    /** Names of tools of the agent, also those that its MCP servers may have; each in one group at most. */
    tools: z.array(ToolNameSchema).max(MAX_TOOLS).default([]),
  })
  .meta({ id: "ToolGroup", description: "Tools of an agent that are switched as a whole." });
export type ToolGroup = z.infer<typeof ToolGroupSchema>;

/** An agent's `tool_groups`. */
export const ToolGroupsSchema = z
  .array(ToolGroupSchema)
  .max(MAX_TOOL_GROUPS)
  .refine(areNamesUnique, { message: "two groups have the same name" });

interface ToolProblem {
  /** JSON pointer in the definition. */
  readonly pointer: string;
  readonly detail: string;
}

/**
 * Problems of an agent's groups beside its tools, which a change of either can bring about. The names of an MCP
 * server's tools are known when a reply begins, so they are not checked.
 */
export function toolGroupProblems({
  tools,
  tool_groups = [],
  meta_tool = false,
}: {
  readonly tools: readonly ToolDefinition[];
  readonly tool_groups?: readonly ToolGroup[] | undefined;
  readonly meta_tool?: boolean | undefined;
}): readonly ToolProblem[] {
  const names = namesOfTools(tools);
  const seen = new Map<string, string>();
  const problems: ToolProblem[] = [];
  for (const [index, group] of tool_groups.entries()) {
    for (const [place, name] of group.tools.entries()) {
      const pointer = `#/tool_groups/${index}/tools/${place}`;
      const other = seen.get(name);
      if (!mayHaveTool(tools, name)) {
        const detail = `the agent has no tool ${name}${didYouMean(name, names)}`;
        problems.push({ pointer, detail });
      } else if (other !== undefined) {
        problems.push({ pointer, detail: `${name} is in the group ${other} already` });
      }
      seen.set(name, group.name);
    }
  }
  if (seen.size > MAX_TOOLS) {
    const detail = `the groups of an agent have ${MAX_TOOLS} tools at most`;
    problems.push({ pointer: "#/tool_groups", detail });
  }
  const taken = tools.findIndex((tool) => "name" in tool && tool.name === RESET_EQUIPPED_TOOLS);
  if (meta_tool && taken !== -1) {
    const detail = `${RESET_EQUIPPED_TOOLS} is the agent's meta tool`;
    problems.push({ pointer: `#/tools/${taken}/name`, detail });
  }
  return problems;
}

/** A session's own tools, beside its agent's. An agent alone names MCP servers. */
export const SessionToolsSchema = ToolsSchema.max(MAX_SESSION_TOOLS).superRefine(
  (tools, context) => {
    const index = tools.findIndex(({ type }) => type === "mcp");
    if (index === -1) return;
    const message = "a session has no MCP servers of its own; name this one in the agent";
    context.addIssue({ code: "custom", path: [index, "type"], message });
  },
);

const OF_SERVERS = "names of this beginning are those of the agent's MCP servers";

/** The members of an agent that the names of a session's own tools are held to. */
export interface AgentOfSession {
  readonly tools: readonly ToolDefinition[];
  readonly plan?: PlanSettings | null | undefined;
  readonly meta_tool?: boolean | undefined;
  readonly skills?: readonly unknown[] | undefined;
  readonly memory?: object | null | undefined;
}

/** The names that a session's own tools cannot have beside its agent, with the reasons; names of MCP servers' tools apart. */
export function namesTakenBy(agent: AgentOfSession): ReadonlyMap<string, string> {
  return new Map([
    ...namesOfTools(agent.tools).map(
      (name) => [name, "the agent has a tool of this name"] as const,
    ),
    ...(agent.plan ? planToolNames(agent.plan) : []).map(
      (name) => [name, `${name} is a tool of the agent's plan`] as const,
    ),
    ...(agent.meta_tool
      ? [[RESET_EQUIPPED_TOOLS, `${RESET_EQUIPPED_TOOLS} is the agent's meta tool`] as const]
      : []),
    ...(agent.skills?.length
      ? [[READ_SKILL_TOOL, `${READ_SKILL_TOOL} is the tool that reads skills`] as const]
      : []),
    ...(agent.memory ? MEMORY_TOOLS : []).map(
      (name) => [name, `${name} is a tool of the agent's memory`] as const,
    ),
  ]);
}

/** Problems of a session's own tools beside its agent; MCP servers are none of them. */
export function sessionToolProblems(
  own: readonly ToolDefinition[],
  agent: AgentOfSession,
): readonly ToolProblem[] {
  if (own.length > 0 && own.length + agent.tools.length > MAX_TOOLS) {
    const detail = `together with its agent's a session has ${MAX_TOOLS} tools at most`;
    return [{ pointer: "#/tools", detail }];
  }
  const taken = namesTakenBy(agent);
  return namesOfTools(own).flatMap((name, index) => {
    const detail = mayBeOfServer(agent.tools, name) ? OF_SERVERS : taken.get(name);
    return detail === undefined ? [] : [{ pointer: `#/tools/${index}/name`, detail }];
  });
}

/** `on` or `off` as it was switched; null: as the definition has it. */
const SwitchSchema = z.enum(["on", "off"]).nullable();

/** Members that the platform sets: they may be sent back as they were read. */
const ignored = z.unknown().optional();

/** @public */
export const GroupSwitchSchema = z
  .strictObject({
    name: z.string().max(64),
    switched: SwitchSchema,
    description: ignored,
    notes: ignored,
    tools: ignored,
    active: ignored,
  })
  .meta({ id: "GroupSwitch", description: "What a group is switched to." });

/** @public */
export const ToolSwitchSchema = z
  .strictObject({
    name: z.string().max(64),
    switched: SwitchSchema,
    origin: ignored,
    group: ignored,
    active: ignored,
  })
  .meta({
    id: "ToolSwitch",
    description: "What a single tool is switched to, whatever its group is.",
  });

/** All switches: what is left out is as the definition has it. */
export const ToolGroupsWriteSchema = z
  .strictObject({
    groups: z
      .array(GroupSwitchSchema)
      .max(MAX_TOOL_GROUPS)
      .refine(areNamesUnique, { message: "two groups have the same name" })
      .default([]),
    tools: z
      .array(ToolSwitchSchema)
      .max(MAX_TOOL_SWITCHES)
      .refine(areNamesUnique, { message: "two tools have the same name" })
      .default([]),
    meta_tool: ignored,
    session_tools: ignored,
    version: ignored,
    cursor: ignored,
  })
  .meta({ id: "ToolGroupsWrite", description: "All switches of a session." });
export type ToolGroupsWrite = z.infer<typeof ToolGroupsWriteSchema>;

/** @public */
export const SessionToolGroupSchema = z
  .object({
    name: GroupNameSchema,
    description: z.string(),
    notes: z.string().nullable(),
    /** The group's tools. */
    tools: z.array(z.string()),
    switched: SwitchSchema,
    /** Whether the model has its tools now, but for those that are switched off by themselves. */
    active: z.boolean(),
  })
  .meta({ id: "SessionToolGroup", description: "A group of the session's agent." });

/** @public */
export const SessionToolSchema = z
  .object({
    name: z.string(),
    /** The definition that has the tool. */
    origin: z.enum(["agent", "session"]),
    /** Null for a basic tool. */
    group: z.string().nullable(),
    switched: SwitchSchema,
    /** Whether the model has it now. */
    active: z.boolean(),
  })
  .meta({ id: "SessionTool", description: "A tool of the agent's, or of the session's own." });

export const SessionToolGroupsSchema = z
  .object({
    groups: z.array(SessionToolGroupSchema),
    /**
     * The agent's own tools and the session's, also those of inactive groups. Of its MCP servers: those in groups, and those
     * that the open reply has, or the last one had.
     */
    tools: z.array(SessionToolSchema),
    /** Whether the agent can switch the groups itself. */
    meta_tool: z.boolean(),
    /** The definitions of the session's own tools; client tokens do not see them. */
    session_tools: z.array(NamedToolSchema).optional(),
    /** The number of changes of the switches so far. */
    version: z.number().int().nonnegative(),
    /** The stream position of this state; later events may change it. */
    cursor: z.number().int().nonnegative(),
  })
  .meta({ id: "SessionToolGroups", description: "The groups and tools of a session." });
export type SessionToolGroups = z.infer<typeof SessionToolGroupsSchema>;

/** The state of the switches in an exported session, as far as it is looked at. */
export const ExportedToolGroupsSchema = z.object({
  version: z.number().int().nonnegative(),
  groups: z.record(z.string().max(64), z.boolean()),
  tools: z.record(z.string().max(64), z.boolean()),
});
