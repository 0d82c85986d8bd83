import type { McpFailure } from "../../tools/mcp/mcp-outcome.ts";
import { HttpError } from "../http-error.ts";

/**
 * 502: what an MCP server did in place of answering.
 * @param failure Null when there is nothing to ask it with.
 * @param more Further members of the problem.
 */
export function mcpFailed(failure: McpFailure | null, more: object = {}): HttpError {
  const { kind, http_status, reason, message } = failure ?? UNKNOWN;
  const detail = message === undefined ? reason : `${reason} It says: ${message}`;
  const extensions = { kind, http_status: http_status ?? null, ...more };
  return new HttpError("mcp_failed", detail, { extensions });
}

const UNKNOWN: McpFailure = { kind: "unknown", reason: "The MCP server cannot be asked." };
