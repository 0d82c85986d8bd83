// Parts of an agent's definition that say nothing: rules that decide about no call, names that a server does not list.
// Pure, over the definition and the catalogues that are kept; no server is asked. A tool that a session or a page brings
// is not known here.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { NOTEBOOK_TOOLS, TASK_TOOLS } from "../../protocol/plans/events.ts";
import { READ_SKILL_TOOL } from "../../protocol/skills/skill.ts";
import { RESET_EQUIPPED_TOOLS } from "../../protocol/tool-groups/events.ts";
import { RESERVED_TOOL_NAMES, type ToolDefinition } from "../../protocol/tools/contract.ts";
import type { Warning } from "../../protocol/warning.ts";
import { didYouMean } from "../../protocol/words/suggest-name.ts";
import { mcpToolName } from "../mcp/mcp-tool-name.ts";
import { SIGN_IN_TOOL } from "../mcp/select-tools.ts";
import { missingArgument, silentContent } from "../permission/silent-content.ts";

export type WarnedDefinition = Pick<
  AgentDefinition,
  "tools" | "permission" | "tool_groups" | "skills" | "hooks"
>;

/** The kept catalogue of an MCP server. */
export interface KeptServer {
  readonly name: string;
  /** The server's own names of all its tools; null when not all of them are known. */
  readonly tools: readonly string[] | null;
}

/** Tools of the platform, which an agent may have for other reasons than its `tools`. */
const PLATFORM_TOOLS: readonly string[] = [
  ...RESERVED_TOOL_NAMES,
  ...NOTEBOOK_TOOLS,
  ...TASK_TOOLS,
  READ_SKILL_TOOL,
  RESET_EQUIPPED_TOOLS,
];
const MCP_PREFIX = "mcp__";
const ELSEWHERE = "Only one that a session or a page brings could have this name";

/** @param servers By id. */
export function definitionWarnings(
  definition: WarnedDefinition,
  servers: ReadonlyMap<string, KeptServer>,
): readonly Warning[] {
  const known = new KnownTools(definition, servers);
  return [
    ...definition.tools.flatMap((tool, index) => toolWarnings(tool, `#/tools/${index}`, servers)),
    ...groupWarnings(definition, known),
    ...definition.permission.rules.flatMap((_, index) => ruleWarnings(definition, index, known)),
    ...skillWarnings(definition),
    ...hookWarnings(definition),
  ];
}

/** The names of tools that calls may have. */
class KnownTools {
  readonly own: ReadonlyMap<string, Exclude<ToolDefinition, { type: "mcp" }>>;
  /** Of servers whose tools are all known. */
  readonly listed: readonly string[];
  /** Beginnings of names of which not all are known. */
  readonly #open: readonly string[];
  readonly #hasUnknown: boolean;

  constructor({ tools }: WarnedDefinition, servers: ReadonlyMap<string, KeptServer>) {
    this.own = new Map(tools.flatMap((tool) => (tool.type === "mcp" ? [] : [[tool.name, tool]])));
    const ids = tools.flatMap((tool) => (tool.type === "mcp" ? [tool.server_id] : []));
    const kept = ids.flatMap((id) => servers.get(id) ?? []);
    this.#hasUnknown = kept.length < ids.length;
    this.#open = kept.flatMap(({ name, tools }) => (tools ? [] : [`${MCP_PREFIX}${name}__`]));
    this.listed = kept.flatMap(({ name, tools }) =>
      tools ? [...tools, SIGN_IN_TOOL].map((tool) => mcpToolName(name, tool)) : [],
    );
  }

  /** Whether a call may have this name, as far as the definition says. */
  mayHave(name: string): boolean {
    if (this.own.has(name) || PLATFORM_TOOLS.includes(name)) return true;
    if (!name.startsWith(MCP_PREFIX)) return false;
    const isOpen = this.#hasUnknown || this.#open.some((start) => name.startsWith(start));
    return isOpen || this.listed.includes(name);
  }

  suggestion(name: string): string {
    return didYouMean(name, [...this.own.keys(), ...this.listed]);
  }
}

function toolWarnings(
  tool: ToolDefinition,
  pointer: string,
  servers: ReadonlyMap<string, KeptServer>,
): readonly Warning[] {
  if (tool.type !== "mcp") {
    const detail = "input_schema" in tool ? missingArgument(tool) : null;
    return detail === null ? [] : [{ pointer: `${pointer}/rule_argument`, detail }];
  }
  const { name = "", tools = null } = servers.get(tool.server_id) ?? {};
  if (tools === null) return [];
  const named = [
    ...listed(tool.enable, "enable"),
    ...listed(tool.disable, "disable"),
    ...listed(tool.sinks, "sinks"),
    ...Object.keys(tool.permissions ?? {}).map((one) => ({
      one,
      at: `permissions/${escaped(one)}`,
    })),
  ];
  return named.flatMap(({ one, at }) =>
    one === "*" || one === SIGN_IN_TOOL || tools.includes(one)
      ? []
      : [{ pointer: `${pointer}/${at}`, detail: notListed(name, one) + didYouMean(one, tools) }],
  );
}

function groupWarnings({ tool_groups = [] }: WarnedDefinition, known: KnownTools) {
  return tool_groups.flatMap(({ tools, notes }, index): Warning[] => {
    const pointer = `#/tool_groups/${index}`;
    const lacking = tools.flatMap((name, place) =>
      known.mayHave(name)
        ? []
        : [{ pointer: `${pointer}/tools/${place}`, detail: lacks(name, known) }],
    );
    if (tools.length > 0 || notes !== null) return lacking;
    return [{ pointer, detail: "has no tools and no notes, so that switching it changes nothing" }];
  });
}

function ruleWarnings(
  { permission: { rules } }: WarnedDefinition,
  index: number,
  known: KnownTools,
): readonly Warning[] {
  const rule = rules[index];
  if (!rule) return [];
  const pointer = `#/permission/rules/${index}`;
  const { tool_name } = rule;
  if (!known.mayHave(tool_name)) {
    const missing = lacks(tool_name, known);
    const detail = `${missing}${missing.endsWith("?") ? "" : "."} ${ELSEWHERE}`;
    return [{ pointer: `${pointer}/tool_name`, detail }];
  }
  const stronger = strongerRule(rules, index);
  if (stronger !== null) {
    const detail = `rule ${stronger} decides every call of ${tool_name} that this one could`;
    return [{ pointer, detail }];
  }
  const detail = contentProblem(rule, known);
  return detail === null ? [] : [{ pointer: `${pointer}/rule_content`, detail }];
}

function contentProblem(rule: PermissionRule, known: KnownTools): string | null {
  const tool = known.own.get(rule.tool_name);
  if (tool) return "input_schema" in tool ? silentContent(rule, tool) : null;
  // The platform's own tools say themselves what a content is matched with.
  if (!rule.rule_content || PLATFORM_TOOLS.includes(rule.tool_name)) return null;
  return "tools of MCP servers have no rule_argument, so that a rule with content fits none of their calls";
}

/** The place of a rule that comes first for every call which this one fits; null when there is none. */
function strongerRule(rules: readonly PermissionRule[], index: number): number | null {
  const rule = rules[index];
  const found = rules.findIndex((other, place) => {
    if (place === index || other.tool_name !== rule?.tool_name) return false;
    const isWhole = !other.rule_content;
    const isEqual = other.rule_content === rule.rule_content || (isWhole && !rule.rule_content);
    const isFirst = place < index;
    if (other.behavior === rule.behavior) {
      // Of allow rules, one for the whole tool comes before those with content.
      if (isWhole && rule.behavior === "allow") return isFirst || Boolean(rule.rule_content);
      return isFirst && (isWhole || isEqual);
    }
    return isWhole && RANKS[other.behavior] < RANKS[rule.behavior];
  });
  return found === -1 ? null : found;
}

const RANKS: Readonly<Record<PermissionRule["behavior"], number>> = {
  deny: 0,
  ask: 1,
  allow: 2,
  passthrough: 2,
};

function skillWarnings({ skills = [], permission }: WarnedDefinition): readonly Warning[] {
  const isDenied = permission.rules.some(
    ({ tool_name, behavior, rule_content }) =>
      tool_name === READ_SKILL_TOOL && behavior === "deny" && !rule_content,
  );
  if (skills.length === 0 || !isDenied) return [];
  const detail = `a rule denies every call of ${READ_SKILL_TOOL}, so that no skill can be read`;
  return [{ pointer: "#/skills", detail }];
}

function hookWarnings({ hooks = [] }: WarnedDefinition): readonly Warning[] {
  return hooks.flatMap((hook, index) => {
    if (hook.type !== "http") return [];
    const first = hooks.findIndex(
      (other) => other.type === "http" && other.point === hook.point && other.url === hook.url,
    );
    if (first >= index) return [];
    const detail = `hook ${first} asks this address at ${hook.point} too: it is asked twice about everything`;
    return [{ pointer: `#/hooks/${index}/url`, detail }];
  });
}

function lacks(name: string, known: KnownTools): string {
  return `the agent has no tool ${name}${known.suggestion(name)}`;
}

function notListed(server: string, tool: string): string {
  return `${server} lists no tool ${tool}, as far as its catalogue is known`;
}

function listed(names: readonly string[] = [], member: string) {
  return names.map((one, place) => ({ one, at: `${member}/${place}` }));
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
