import { MAX_MCP_CATALOGUE_TTL_MS, MCP_CATALOGUE_TTL_MS } from "../../protocol/mcp/limits.ts";

/** Until when a catalogue is used, in Unix milliseconds. @param ttlMs As the server says; null when it does not. */
export function catalogueExpiry(readAtMs: number, ttlMs: number | null): number {
  const ownMs = ttlMs !== null && Number.isFinite(ttlMs) ? Math.max(ttlMs, 0) : null;
  return readAtMs + Math.min(ownMs ?? MCP_CATALOGUE_TTL_MS, MAX_MCP_CATALOGUE_TTL_MS);
}
