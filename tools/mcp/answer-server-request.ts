// The answers to requests that a server makes on the stream of a call (older era). What the platform has not offered,
// such as a model (sampling) or folders (roots), is refused; so is input of a person outside of calls.
import { mcpAnswer, type McpMessageOut } from "../../protocol/mcp/requests.ts";
import { METHOD_NOT_FOUND, type McpDialect } from "../../protocol/mcp/versions.ts";
import type { McpNotice } from "./mcp-outcome.ts";

export function answerServerRequest(
  { id, method }: Extract<McpNotice, { kind: "request" }>,
  dialect: McpDialect,
): McpMessageOut {
  if (method === "ping") return mcpAnswer(id, { result: {} }, dialect);
  const message = "this client does not offer it";
  return mcpAnswer(id, { error: { code: METHOD_NOT_FOUND, message } }, dialect);
}
