/** The component name of a name with separators: `X-Request-Id` is `XRequestId`, `agent_id` is `AgentId`. */
export function componentName(name: string): string {
  return name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
