// Parts of what is written into one session that say nothing there, beside its agent. Pure, over the session's agent and
// own settings, the tools that a page has brought, and the catalogues that are kept.
import type { HookDefinition } from "../../protocol/hooks/contract.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { AgentOfSession } from "../../protocol/tool-groups/contract.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import type { Warning } from "../../protocol/warning.ts";
import { isSameRule } from "../permission/is-same-rule.ts";
import type { RuledTool } from "../permission/silent-content.ts";
import { equippedAgent } from "../tools/equipped-agent.ts";
import { hookWarnings, toolWarnings, type WarnedDefinition } from "./definition-warnings.ts";
import { KnownTools, type KeptServers } from "./known-tools.ts";
import { ruleWarnings } from "./rule-warnings.ts";

/** The parts of a session that warnings are about. */
export interface WarnedSession {
  readonly agent: WarnedDefinition & AgentOfSession;
  /** The session's own tools. */
  readonly tools: readonly ToolDefinition[];
  /** The session's own rules, oldest first. */
  readonly rules: readonly OwnRule[];
  /** Tools of the page that has talked to it last; null where no page has. */
  readonly page_tools: readonly RuledTool[] | null;
}

/** A rule that the session has. */
interface OwnRule extends PermissionRule {
  /** Null for one that is about to be written. */
  readonly id: string | null;
}

const NONE: KeptServers = new Map();

/**
 * Rules that are about to be added and would decide about no call, by their places in the request. A rule that the
 * session has already is judged in the place that it has.
 */
export function addedRuleWarnings(
  session: WarnedSession,
  added: readonly PermissionRule[],
  { servers, pointer }: { readonly servers: KeptServers; readonly pointer: string },
): readonly Warning[] {
  const known = knownTools(session, servers);
  const { rules: ofAgent } = session.agent.permission;
  const before = [...ofAgent, ...session.rules];
  const order = {
    rules: [...before, ...added],
    nameOf: (index: number) =>
      index < before.length ? nameOf(session, index) : `rule ${index - before.length}`,
  };
  return added.flatMap((rule, index) => {
    const same = session.rules.findIndex((other) => isSameRule(other, rule));
    const place = same === -1 ? before.length + index : ofAgent.length + same;
    return ruleWarnings(order, place, known, `${pointer}/${index}`);
  });
}

/**
 * The session's own rules that decide about no call any more after a change of its agent's version or of its tools, as
 * warnings about that change. Those that decided about none before it are not among them.
 */
export function silencedRuleWarnings(
  before: WarnedSession,
  after: WarnedSession,
  { servers, pointer }: { readonly servers: KeptServers; readonly pointer: string },
): readonly Warning[] {
  const was = silentRules(before, servers);
  return [...silentRules(after, servers)].flatMap(([index, detail]) =>
    was.has(index) ? [] : [{ pointer, detail: `${ownName(after, index)}: ${detail}` }],
  );
}

/** The session's own tools that name an argument which their schema does not have. */
export function ownToolWarnings(tools: readonly ToolDefinition[]): readonly Warning[] {
  return tools.flatMap((tool, index) => toolWarnings(tool, `#/tools/${index}`, NONE));
}

/** The session's own hooks that ask an address a second time. */
export function ownHookWarnings(
  hooks: readonly HookDefinition[],
  { hooks: ofAgent = [] }: Pick<WarnedDefinition, "hooks">,
): readonly Warning[] {
  return hookWarnings(hooks, ofAgent);
}

function silentRules(session: WarnedSession, servers: KeptServers): ReadonlyMap<number, string> {
  const known = knownTools(session, servers);
  const { rules: ofAgent } = session.agent.permission;
  const order = {
    rules: [...ofAgent, ...session.rules],
    nameOf: (index: number) => nameOf(session, index),
  };
  return new Map(
    session.rules.flatMap((_, index) =>
      ruleWarnings(order, ofAgent.length + index, known, "").map(
        ({ detail }) => [index, detail] as const,
      ),
    ),
  );
}

function knownTools(session: WarnedSession, servers: KeptServers): KnownTools {
  const owner = { kind: "session", page: session.page_tools } as const;
  return new KnownTools(equippedAgent(session).tools, servers, owner);
}

/** The words for a rule of the agent or, behind those, of the session. */
function nameOf(session: WarnedSession, index: number): string {
  const { length } = session.agent.permission.rules;
  return index < length ? `rule ${index} of the agent` : ownName(session, index - length);
}

function ownName({ rules }: WarnedSession, index: number): string {
  const { id = null, tool_name } = rules[index] ?? {};
  return `the session's rule ${id ?? `on ${tool_name}`}`;
}
