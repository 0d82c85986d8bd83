// The request that a page of an MCP server makes through AG-UI: front ends with a renderer for MCP Apps send it in place of a
// run, as `forwardedProps.__proxiedMCPRequest`.

export interface ProxiedMcpRequest {
  readonly method: string;
  readonly server_id: string;
  /** Of `params`; empty when it has none. */
  readonly uri: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Null for a run. @param forwardedProps Of any shape. */
export function proxiedMcpRequest(forwardedProps: unknown): ProxiedMcpRequest | null {
  const request = fieldsOf(forwardedProps)["__proxiedMCPRequest"];
  if (request === undefined || request === null) return null;
  const { method, params, serverId, serverHash } = fieldsOf(request);
  const { uri } = fieldsOf(params);
  return { method: textOf(method), server_id: textOf(serverId ?? serverHash), uri: textOf(uri) };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
