// A reply's knowledge of an MCP server: pinned when the reply begins, so that no change of the server's catalogue
// reaches a reply that runs or waits.
import type { McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import type { McpEra } from "../../protocol/mcp/versions.ts";

export interface McpPin {
  readonly server_id: string;
  /** The server's name; its id when nothing is known of it. */
  readonly server: string;
  readonly era: McpEra;
  /** Tools that the agent enables and that can be used. */
  readonly tools: readonly McpCatalogueTool[];
  /** The reason that the reply has none of the server's tools, as a sentence; null for a server that has answered. */
  readonly problem: string | null;
  /** The server's tools come with a sign-in; until then a tool of the platform's own begins one. */
  readonly needs_sign_in?: boolean;
  /** Tools that were left out because there are too many: for a model, or for a catalogue. */
  readonly left_out: number;
  /** There are more than those: the server lists tools beyond what is read. */
  readonly has_more?: true;
  /** Tools that were left out because of their schemas. */
  readonly unusable?: number;
}
