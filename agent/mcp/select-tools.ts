// Tools of a server that an agent offers, and their names in the loop.
import type { CatalogueCut, McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import type { McpTool } from "../../protocol/tools/mcp-tool.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { McpPin } from "./mcp-pin.ts";
import { mcpToolName } from "./mcp-tool-name.ts";

/** The name of the only tool that the model is offered of a server while a sign-in there is missing. */
export const SIGN_IN_TOOL = "sign_in";

/**
 * Without those that their server means for its pages alone.
 * @param listed The server's whole catalogue.
 */
export function selectTools(
  { enable, disable = [] }: Pick<McpTool, "enable" | "disable">,
  listed: readonly McpCatalogueTool[],
): readonly McpCatalogueTool[] {
  return listed.filter(
    ({ name, disabled_reason, ui }) =>
      disabled_reason === null &&
      (!ui || ui.visibility.includes("model")) &&
      (!enable || enable.includes(name)) &&
      !disable.includes(name),
  );
}

/** Tools that a server lists and its catalogue lacks. */
export interface CatalogueRest {
  /** Tools that were read and not kept. */
  readonly beyond: number;
  /** Whether the server lists more than was read. */
  readonly has_more: boolean;
  /** The reason that the catalogue is not whole; left out for a whole one. */
  readonly cut?: CatalogueCut;
}

/** Counts the tools that the agent wants and does not get, by the reason: too many of them, or unusable ones. */
export function countMissing(
  entry: Pick<McpTool, "enable" | "disable">,
  listed: readonly McpCatalogueTool[],
  { beyond, has_more }: CatalogueRest,
): { readonly tooMany: number; readonly hasMore: boolean; readonly unusable: number } {
  const { enable, disable = [] } = entry;
  const made = listed.map((tool) => ({ ...tool, disabled_reason: null }));
  const unusable = selectTools(entry, made).length - selectTools(entry, listed).length;
  if (!enable) return { tooMany: beyond, hasMore: has_more, unusable };
  // Tools that the server does not have at all are not counted.
  const isCut = beyond > 0 || has_more;
  const known = new Set([...listed.map(({ name }) => name), ...disable]);
  const unseen = isCut ? enable.filter((name) => !known.has(name)).length : 0;
  return { tooMany: unseen, hasMore: false, unusable };
}

/**
 * The declarations of a pinned catalogue. What the server says of a tool makes nothing looser: no tool is read-only by
 * its word, and a call is repeated after a crash only where the agent trusts it.
 */
export function declareMcpTools(entry: McpTool, pin: McpPin): readonly ToolDeclaration[] {
  if (pin.needs_sign_in) return [signInTool(pin)];
  const { permissions = {}, sinks = [], returns_untrusted, trust_annotations = false } = entry;
  return pin.tools.map(({ name, description, input_schema, annotations }) => {
    const { idempotent = false, read_only = false } = annotations;
    const permission_default = Object.hasOwn(permissions, name)
      ? permissions[name]
      : permissions["*"];
    return {
      name: mcpToolName(pin.server, name),
      description,
      input_schema,
      read_only: false,
      concurrency_safe: false,
      idempotent: trust_annotations && (idempotent || read_only),
      ...(returns_untrusted !== undefined && { returns_untrusted }),
      ...(sinks.includes(name) && { sink: true }),
      ...(permission_default && { permission_default }),
    };
  });
}

/** A tool that begins a sign-in. Its call waits for a person to sign in, so it needs no confirmation before. */
function signInTool({ server }: McpPin): ToolDeclaration {
  return {
    name: mcpToolName(server, SIGN_IN_TOOL),
    description: `Asks the user to sign in to ${server}. Call it when you need what ${server} offers: its tools come with the sign-in.`,
    input_schema: { type: "object", properties: {}, additionalProperties: false },
    read_only: true,
    concurrency_safe: false,
    idempotent: true,
    returns_untrusted: false,
    permission_default: "allow",
  };
}
