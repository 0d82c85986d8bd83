// Pages of MCP servers (MCP Apps), as the API has them.
import * as z from "zod";

import { MAX_MCP_UI_ADDRESS_CHARACTERS } from "./limits.ts";
import { isUiAddress } from "./ui-resources.ts";

/** The page of a tool, as its server describes it. */
export const McpToolUiSchema = z.object({
  /** The page that shows its results. */
  resource_uri: z.string().optional(),
  /** Callers that the tool has: the model, the page. */
  visibility: z.array(z.enum(["model", "app"])),
});
export type McpToolUi = z.infer<typeof McpToolUiSchema>;

export const McpResourceQuerySchema = z.strictObject({
  /** An MCP server that the session's agent names. */
  server_id: z.string().min(1).max(64),
  /** The page. */
  uri: z.string().refine((uri) => isUiAddress(uri, MAX_MCP_UI_ADDRESS_CHARACTERS), {
    message: `it must begin with ui:// and have ${MAX_MCP_UI_ADDRESS_CHARACTERS} characters at most`,
  }),
});
export type McpResourceQuery = z.input<typeof McpResourceQuerySchema>;
