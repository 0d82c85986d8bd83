// The names of tools that calls may have, as far as definitions and kept catalogues tell. No server is asked.
import { MEMORY_TOOLS } from "../../protocol/memory/events.ts";
import { NOTEBOOK_TOOLS, TASK_TOOLS } from "../../protocol/plans/events.ts";
import { READ_SKILL_TOOL } from "../../protocol/skills/skill.ts";
import { RESET_EQUIPPED_TOOLS } from "../../protocol/tool-groups/events.ts";
import {
  MCP_NAME_PREFIX,
  RESERVED_TOOL_NAMES,
  type ToolDefinition,
} from "../../protocol/tools/contract.ts";
import { didYouMean } from "../../protocol/words/suggest-name.ts";
import { mcpToolName } from "../mcp/mcp-tool-name.ts";
import { SIGN_IN_TOOL } from "../mcp/select-tools.ts";
import type { RuledTool } from "../permission/silent-content.ts";

/** The kept catalogue of an MCP server. */
export interface KeptServer {
  readonly name: string;
  /** The server's own names of all its tools; null when not all of them are known. */
  readonly tools: readonly string[] | null;
}

/** Kept catalogues by the ids of their servers. */
export type KeptServers = ReadonlyMap<string, KeptServer>;

/** Tools of the platform, which an agent may have for other reasons than its `tools`. */
export const PLATFORM_TOOLS: readonly string[] = [
  ...RESERVED_TOOL_NAMES,
  ...NOTEBOOK_TOOLS,
  ...TASK_TOOLS,
  READ_SKILL_TOOL,
  ...MEMORY_TOOLS,
  RESET_EQUIPPED_TOOLS,
];

/** The owner of the tools, and those who may bring others. */
interface Owner {
  readonly kind: "agent" | "session";
  /** Tools of the page that has talked to the session last; null for none, where no page has talked to it. */
  readonly page: readonly RuledTool[] | null;
}

const AN_AGENT: Owner = { kind: "agent", page: null };

export class KnownTools {
  /** Tools with a name of their own: those of the definition, then the page's. */
  readonly named: ReadonlyMap<string, RuledTool | Exclude<ToolDefinition, { type: "mcp" }>>;
  readonly #owner: Owner;
  /** Of servers whose tools are all known. */
  readonly #listed: readonly string[];
  /** Beginnings of names of which not all are known. */
  readonly #open: readonly string[];
  readonly #hasUnknown: boolean;
  readonly #suggestions = new Map<string, string>();

  constructor(tools: readonly ToolDefinition[], servers: KeptServers, owner: Owner = AN_AGENT) {
    const own = tools.flatMap((tool) => (tool.type === "mcp" ? [] : [tool]));
    this.named = new Map([...(owner.page ?? []), ...own].map((tool) => [tool.name, tool] as const));
    const ids = tools.flatMap((tool) => (tool.type === "mcp" ? [tool.server_id] : []));
    const kept = ids.flatMap((id) => servers.get(id) ?? []);
    this.#hasUnknown = kept.length < ids.length;
    this.#open = kept.flatMap(({ name, tools }) => (tools ? [] : [`${MCP_NAME_PREFIX}${name}__`]));
    this.#listed = kept.flatMap(({ name, tools }) =>
      tools ? [...tools, SIGN_IN_TOOL].map((tool) => mcpToolName(name, tool)) : [],
    );
    this.#owner = owner;
  }

  /**
   * Whether a call may have this name. Where a page has brought tools, it or another one may bring more: only a name that
   * is close to a known one counts as misspelled there.
   */
  mayHave(name: string): boolean {
    if (this.named.has(name) || PLATFORM_TOOLS.includes(name)) return true;
    if (!name.startsWith(MCP_NAME_PREFIX)) {
      return this.#owner.page !== null && this.#suggestion(name) === "";
    }
    const isOpen = this.#hasUnknown || this.#open.some((start) => name.startsWith(start));
    return isOpen || this.#listed.includes(name);
  }

  /** The words about a name that no call has. */
  lacks(name: string): string {
    return `the ${this.#owner.kind} has no tool ${name}${this.#suggestion(name)}`;
  }

  /** As {@link lacks}, with those who could bring the tool yet. */
  lacksAsYet(name: string): string {
    const missing = this.lacks(name);
    if (name.startsWith(MCP_NAME_PREFIX)) return missing;
    const others = this.#owner.kind === "agent" ? "a session or a page" : "a page";
    const end = missing.endsWith("?") ? "" : ".";
    return `${missing}${end} Only one that ${others} brings could have this name`;
  }

  #suggestion(name: string): string {
    const found =
      this.#suggestions.get(name) ?? didYouMean(name, [...this.named.keys(), ...this.#listed]);
    this.#suggestions.set(name, found);
    return found;
  }
}
