// The names under which models know the tools of MCP servers: `mcp__<server>__<tool>`, within what providers accept.

const MAX_NAME_CHARACTERS = 64;
const HASH_CHARACTERS = 8;

/**
 * A name that is too long, or has characters that providers refuse, gets a hash of the tool's own name at its end: so the
 * same tool has the same name in every reply, whatever else its server has.
 * @param server As in {@link McpServerNameSchema}: it leaves room for the rest.
 */
export function mcpToolName(server: string, tool: string): string {
  const start = `mcp__${server}__`;
  const name = `${start}${tool}`;
  if (name.length <= MAX_NAME_CHARACTERS && /^[A-Za-z0-9_-]+$/.test(tool)) return name;
  const plain = tool.replace(/[^A-Za-z0-9_-]+/g, "_");
  const room = MAX_NAME_CHARACTERS - start.length - HASH_CHARACTERS - 1;
  return `${start}${plain.slice(0, room)}_${hashOf(tool)}`;
}

/** FNV-1a in 32 bits: not for secrets, and nobody gains by a collision, which takes a tool away. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(HASH_CHARACTERS, "0");
}
