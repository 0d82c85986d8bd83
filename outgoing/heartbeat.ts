// Events that only show that a connection is alive.

/** As servers of models, tools and MCP call them in the line `event:`. */
const NAMES = /^(?:ping|pong|keep[-_]?alive|heart[-_]?beat)$/i;

export function isHeartbeat(name: string): boolean {
  return NAMES.test(name);
}
