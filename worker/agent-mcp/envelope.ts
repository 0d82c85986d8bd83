import { SERVER_INFO } from "../../protocol/agent-mcp/server-info.ts";
import type { MessageEra } from "../../protocol/agent-mcp/classify-message.ts";

const SERVER_INFO_META = "io.modelcontextprotocol/serverInfo";

/** A result with the members that its era wants in each. */
export function envelope({ era }: MessageEra, result: object): object {
  if (era === "handshake") return result;
  return { resultType: "complete", ...result, _meta: { [SERVER_INFO_META]: SERVER_INFO } };
}
