// The page of a result (MCP Apps) as an activity of AG-UI, as its middleware for MCP Apps writes it. The page itself is read
// by the client.
import type { ContentBlock, TextOrDataBlock, ToolResultBlock } from "../../../messages/blocks.ts";

/** The type that released clients have a renderer for. */
const APP_ACTIVITY = "mcp-apps";

type Fields = Readonly<Record<string, unknown>>;

interface AppActivity {
  readonly id: string;
  readonly activityType: string;
  readonly content: Fields;
}

/** Null for a result without a page. @param content The reply's blocks, among which is the result's call. */
export function appActivity(
  replyId: string,
  { id, output, state, metadata }: ToolResultBlock,
  content: readonly ContentBlock[],
): AppActivity | null {
  const mcp = fieldsOf(metadata["mcp"]);
  const { server_id, structured_content, meta } = mcp;
  const { resource_uri: resourceUri } = fieldsOf(mcp["ui"]);
  if (typeof resourceUri !== "string" || typeof server_id !== "string") return null;
  if (state === "running") return null;
  const blocks =
    typeof output === "string" ? [{ type: "text", text: output }] : output.map(toContent);
  const call = content.find((block) => block.type === "tool_call" && block.id === id);
  return {
    id: `${replyId}:${id}:app`,
    activityType: APP_ACTIVITY,
    content: {
      resourceUri,
      // Clients know a server by a hash of its address or by an id, and send both back: neither says where it is.
      serverHash: server_id,
      serverId: server_id,
      toolInput: call?.type === "tool_call" ? parseInput(call.input) : {},
      result: {
        content: blocks,
        ...(structured_content !== undefined && { structuredContent: structured_content }),
        ...(meta !== undefined && { _meta: meta }),
        isError: state !== "success",
      },
    },
  };
}

/** As MCP has it. What became a file is a link to it. */
function toContent(block: TextOrDataBlock): Fields {
  if (block.type === "text") return { type: "text", text: block.text };
  const { source, name } = block;
  const mimeType = source.media_type;
  if (source.type === "url") {
    return { type: "resource_link", uri: source.url, name: name ?? source.url, mimeType };
  }
  const [kind] = mimeType.split("/");
  if (kind === "image" || kind === "audio") return { type: kind, data: source.data, mimeType };
  return { type: "resource", resource: { uri: `block:${block.id}`, mimeType, blob: source.data } };
}

function parseInput(input: string): Fields {
  try {
    return fieldsOf(JSON.parse(input));
  } catch {
    return {};
  }
}

function fieldsOf(value: unknown): Fields {
  const isFields = typeof value === "object" && value !== null && !Array.isArray(value);
  return isFields ? (value as Fields) : {};
}
