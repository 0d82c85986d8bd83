// An attack on availability: requests or responses intended to delay other tenants.
import type { Reprise } from "../peers/reprise.ts";
import type { McpWay } from "./hostile-mcp-server.ts";
import type { AttackingTenant } from "./attacking-tenant.ts";

export interface AttackPlace {
  readonly reprise: Reprise;
  /** The attacking tenant, or the tenant of the attacking end user. */
  readonly attacker: AttackingTenant;
  /** The attacker's tool server, which answers with too deeply nested metadata. */
  readonly deepToolUrl: string;
  /** Base address of the attacker's endpoint of audio, which answers without an end. */
  readonly floodingAudioUrl: string;
  /** The attacker's MCP server. */
  readonly mcpUrlOf: (way: McpWay) => string;
}

export interface Attack {
  readonly name: string;
  /**
   * The attack goes on for so long that the 95th percentile of the reads beside it is measured, in place of the
   * longest.
   */
  readonly isLong?: true;
  /** Prepares the attack. @returns a function that runs it and resolves when the platform has handled it. */
  readonly prepare: (place: AttackPlace) => Promise<() => Promise<void>>;
}
