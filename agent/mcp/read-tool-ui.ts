// Reads what a server says of a tool's page (MCP Apps): which one shows its results, and who may call the tool.
import type { McpToolUi } from "../../protocol/mcp/mcp-ui.ts";
import { MAX_MCP_UI_ADDRESS_CHARACTERS } from "../../protocol/mcp/limits.ts";
import { isUiAddress } from "../../protocol/mcp/ui-resources.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

/**
 * Undefined for a tool that says nothing of it. An address that is none is left out. Who may call the tool is read
 * strictly: one that is no list means none, so that no model is shown what was meant to be hidden.
 * @param meta The tool's `_meta`.
 */
export function readToolUi(meta: unknown): McpToolUi | undefined {
  if (!isJsonObject(meta)) return undefined;
  const ui = isJsonObject(meta["ui"]) ? meta["ui"] : {};
  // The flat name is that of drafts of the extension, which servers still send.
  const address = ui["resourceUri"] ?? meta["ui/resourceUri"];
  const visibility = ui["visibility"];
  const listed: readonly unknown[] = Array.isArray(visibility) ? visibility : [];
  const resource_uri = isUiAddress(address, MAX_MCP_UI_ADDRESS_CHARACTERS) ? address : undefined;
  if (resource_uri === undefined && visibility === undefined) return undefined;
  return {
    ...(resource_uri !== undefined && { resource_uri }),
    visibility:
      visibility === undefined
        ? ["model", "app"]
        : (["model", "app"] as const).filter((one) => listed.includes(one)),
  };
}
