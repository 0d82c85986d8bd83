// The bounds that a called agent has from those who have called it: it may never do more than they. Pure.
import type { AgentTool } from "../../protocol/tools/agent-tool.ts";
import { DEFAULT_AGENT_DEPTH, MAX_AGENT_DEPTH } from "../../protocol/tools/limits.ts";
import type { PermissionMode, PermissionRule } from "../../protocol/messages/permission.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { PermissionSettings } from "../permission/check-call.ts";

export interface InheritedBounds {
  /** The session that a request has opened, at the top. */
  readonly root_session_id: string;
  /** The agents that are at work further up, the first one first. */
  readonly path: readonly string[];
  readonly max_depth: number;
  /** Tokens of one reply. */
  readonly max_tokens: number;
  /** A call is decided in each of these modes too, and the strictest decision holds. */
  readonly modes: readonly PermissionMode[];
  /** Deny and ask rules. */
  readonly rules: readonly PermissionRule[];
  /** Untrusted content that the calling model had been sent, from which the input may be. */
  readonly untrusted: readonly UntrustedSource[];
  readonly bypass_untrusted: boolean;
  /** Agents that have called each other over A2A above the caller; left out for none. */
  readonly a2a_depth?: number;
}

/** A session from which an agent is called. */
export interface CallingSession {
  readonly session_id: string;
  readonly agent_id: string;
  readonly bounds?: InheritedBounds;
}

/** The agents at work once this one is called. */
export function pathBelow({ agent_id, bounds }: CallingSession): readonly string[] {
  return [...(bounds?.path ?? []), agent_id];
}

/** The levels that there may be below the first agent, if this tool is called. */
export function depthOf(
  { bounds }: CallingSession,
  { max_depth = DEFAULT_AGENT_DEPTH }: Pick<AgentTool, "max_depth">,
): number {
  return Math.min(max_depth, bounds?.max_depth ?? MAX_AGENT_DEPTH);
}

/** @param permission Of the caller, as it is at the call: what bounds the caller bounds the called one too. */
export function boundsBelow(
  caller: CallingSession,
  permission: PermissionSettings,
  given: Pick<InheritedBounds, "max_depth" | "max_tokens" | "a2a_depth">,
): InheritedBounds {
  const modes = [...(permission.bounds ?? []), permission.mode];
  const strict = permission.rules.filter(({ behavior }) => behavior !== "allow");
  const byText = new Map(strict.map((rule) => [JSON.stringify(rule), rule]));
  return {
    root_session_id: caller.bounds?.root_session_id ?? caller.session_id,
    path: pathBelow(caller),
    max_depth: given.max_depth,
    max_tokens: given.max_tokens,
    ...(given.a2a_depth && { a2a_depth: given.a2a_depth }),
    // Mode bypass is no bound, and nothing that an agent below has from its caller.
    modes: [...new Set(modes)].filter((mode) => mode !== "bypass"),
    rules: [...byText.values()],
    untrusted: permission.untrusted ?? [],
    bypass_untrusted: permission.bypass_untrusted ?? false,
  };
}
