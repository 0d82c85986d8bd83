// Results of MCP tools without the secrets that their server was sent.
import type { McpResult } from "../../agent/mcp/read-result.ts";
import { SecretFilter } from "../../outgoing/secret-filter.ts";

/** The bytes of media stay as they are: they are no text, and would not be media any more. */
export function withoutSecrets(result: McpResult, secrets: readonly string[]): McpResult {
  const filter = new SecretFilter(secrets);
  const { content, structured, misfit, meta } = result;
  return {
    ...result,
    content: content.map((block) =>
      block.type === "text" ? { ...block, text: filter.whole(block.text) } : block,
    ),
    ...(structured !== undefined && { structured: filter.value(structured) }),
    ...(misfit !== undefined && { misfit: filter.whole(misfit) }),
    ...(meta && { meta: filter.value(meta) }),
  };
}
