// Parts of an agent's definition that say nothing: rules that decide about no call, names that a server does not list.
// Pure, over the definition and the catalogues that are kept; no server is asked. A tool that a session or a page brings
// is not known here.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { HookDefinition } from "../../protocol/hooks/contract.ts";
import { READ_SKILL_TOOL } from "../../protocol/skills/skill.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import type { Warning } from "../../protocol/warning.ts";
import { didYouMean } from "../../protocol/words/suggest-name.ts";
import { SIGN_IN_TOOL } from "../mcp/select-tools.ts";
import { missingArgument } from "../permission/silent-content.ts";
import { KnownTools, type KeptServers } from "./known-tools.ts";
import { ruleWarnings } from "./rule-warnings.ts";

export type WarnedDefinition = Pick<
  AgentDefinition,
  "tools" | "permission" | "tool_groups" | "skills" | "hooks"
>;

export function definitionWarnings(
  definition: WarnedDefinition,
  servers: KeptServers,
): readonly Warning[] {
  const { tools, hooks = [] } = definition;
  const { rules } = definition.permission;
  const known = new KnownTools(tools, servers);
  const order = { rules, nameOf: (index: number) => `rule ${index}` };
  return [
    ...tools.flatMap((tool, index) => toolWarnings(tool, `#/tools/${index}`, servers)),
    ...groupWarnings(definition, known),
    ...rules.flatMap((_, index) =>
      ruleWarnings(order, index, known, `#/permission/rules/${index}`),
    ),
    ...skillWarnings(definition),
    ...hookWarnings(hooks),
  ];
}

/** @param servers Of the agent's; a session has none of its own. */
export function toolWarnings(
  tool: ToolDefinition,
  pointer: string,
  servers: KeptServers,
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
        : [{ pointer: `${pointer}/tools/${place}`, detail: known.lacks(name) }],
    );
    if (tools.length > 0 || notes !== null) return lacking;
    return [{ pointer, detail: "has no tools and no notes, so that switching it changes nothing" }];
  });
}

function skillWarnings({ skills = [], permission }: WarnedDefinition): readonly Warning[] {
  const isDenied = permission.rules.some(
    ({ tool_name, behavior, rule_content }) =>
      tool_name === READ_SKILL_TOOL && behavior === "deny" && !rule_content,
  );
  if (skills.length === 0 || !isDenied) return [];
  const detail = `a rule denies every call of ${READ_SKILL_TOOL}, so that no skill can be read`;
  return [{ pointer: "#/skills", detail }];
}

/** @param agentHooks Asked behind them. */
export function hookWarnings(
  hooks: readonly HookDefinition[],
  agentHooks: readonly HookDefinition[] = [],
): readonly Warning[] {
  return hooks.flatMap((hook, index) => {
    const first = hooks.findIndex((other) => isSameQuestion(other, hook));
    const ofAgent = agentHooks.findIndex((other) => isSameQuestion(other, hook));
    const isEarlier = first !== -1 && first < index;
    if (!isEarlier && ofAgent === -1) return [];
    const other = isEarlier ? `hook ${first}` : `hook ${ofAgent} of the agent`;
    const detail = `${other} asks this address at ${hook.point} too: it is asked twice about everything`;
    return [{ pointer: `#/hooks/${index}/url`, detail }];
  });
}

function isSameQuestion(one: HookDefinition, other: HookDefinition): boolean {
  return (
    one.type === "http" &&
    other.type === "http" &&
    one.point === other.point &&
    one.url === other.url
  );
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
