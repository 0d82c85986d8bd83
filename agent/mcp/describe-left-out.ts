// Parts that a catalogue lacks, in words that say what to do. For those who register servers: no model reads it.
import type { CatalogueCut, McpLeftOut } from "../../protocol/mcp/contract.ts";
import {
  MAX_MCP_LIST_PAGES,
  MAX_MCP_LISTING_BYTES,
  MAX_MCP_TOOLS,
} from "../../protocol/mcp/limits.ts";
import type { CatalogueRest } from "./select-tools.ts";

const WORDS: Readonly<Record<CatalogueCut, string>> = {
  too_many: `The server lists more than ${MAX_MCP_TOOLS} tools, and only the first ${MAX_MCP_TOOLS} can be used. Split it into several servers, or let it list the allowed tools alone, by its address or a header: \`enable\` of an agent chooses among those that are read.`,
  too_large: `The server lists more than ${MAX_MCP_LISTING_BYTES} bytes, and only what came before can be used. Split it into several servers, or let it list fewer tools, or shorter descriptions and schemas.`,
  endless: `The pages of the server's list come back to an earlier one, or are more than ${MAX_MCP_LIST_PAGES}. What they had until then can be used. Let the last page have no \`nextCursor\`, put more tools on a page, or split the server.`,
};

/** Null for a whole catalogue. */
export function describeLeftOut({
  beyond,
  has_more,
  cut = "too_many",
}: CatalogueRest): McpLeftOut | null {
  if (beyond === 0 && !has_more) return null;
  return { reason: cut, tools: beyond, has_more, detail: WORDS[cut] };
}
