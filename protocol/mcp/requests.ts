// The messages that the platform sends to MCP servers, with the headers that go with each. Pure.
import { encodeHeaderValue } from "./header-values.ts";
import { TASKS_EXTENSION } from "./tasks.ts";
import { UI_EXTENSION, UI_MEDIA_TYPE } from "./ui-resources.ts";
import type { McpDialect } from "./versions.ts";

const CLIENT_INFO = { name: "reprise", version: "1.0.0" };
/**
 * Capabilities that the platform offers to servers: people, who fill in forms and open links, and apps that show their
 * pages. A server that asks for a model or folders in spite of that is refused (`answer-server-request.ts`).
 */
const CLIENT_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  extensions: { [UI_EXTENSION]: { mimeTypes: [UI_MEDIA_TYPE] } },
};
/** In the modern era the server may answer a call with a task; in the older one the client asks for one. */
const MODERN_CAPABILITIES = {
  ...CLIENT_CAPABILITIES,
  extensions: { ...CLIENT_CAPABILITIES.extensions, [TASKS_EXTENSION]: {} },
};

/** The version that a request is in, when its era says so in each request. */
const META_VERSION = "io.modelcontextprotocol/protocolVersion";
const META_CLIENT = "io.modelcontextprotocol/clientInfo";
const META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

type Fields = Readonly<Record<string, unknown>>;

/** One request or notification, as it is posted. */
export interface McpMessageOut {
  readonly body: Fields;
  /** The id that the response has to have; null for a notification. */
  readonly id: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Under which the server may report the progress of the request. */
  readonly progressToken?: string;
}

export interface McpRequestOut {
  readonly method: string;
  readonly params?: Fields;
  /** Asks for notifications of progress under this token. */
  readonly progressToken?: string;
  /** The subject of the request, for servers of the modern era, which route by it. */
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param dialect Null for `initialize`, which comes before any version was agreed. */
export function mcpRequest(
  id: string,
  { method, params = {}, progressToken, name, headers = {} }: McpRequestOut,
  dialect: McpDialect | null,
): McpMessageOut {
  const isModern = dialect?.era === "modern";
  const meta = {
    ...(isModern && {
      [META_VERSION]: dialect.version,
      [META_CLIENT]: CLIENT_INFO,
      [META_CAPABILITIES]: MODERN_CAPABILITIES,
    }),
    ...(progressToken !== undefined && { progressToken }),
  };
  const isBare = Object.keys(meta).length === 0;
  const sent = isBare ? params : { ...params, _meta: meta };
  return {
    id,
    ...(progressToken !== undefined && { progressToken }),
    body: { jsonrpc: "2.0", id, method, ...(Object.keys(sent).length > 0 && { params: sent }) },
    headers: {
      ...headers,
      ...(dialect && { "mcp-protocol-version": dialect.version }),
      ...(isModern && { "mcp-method": method }),
      ...(isModern && name !== undefined && { "mcp-name": encodeHeaderValue(name) }),
    },
  };
}

export function initializeRequest(id: string, version: string): McpMessageOut {
  const params = {
    protocolVersion: version,
    capabilities: CLIENT_CAPABILITIES,
    clientInfo: CLIENT_INFO,
  };
  return mcpRequest(id, { method: "initialize", params }, null);
}

/** Only servers of the older era are sent notifications. */
export function mcpNotification(
  method: string,
  params: Fields,
  { version }: McpDialect,
): McpMessageOut {
  return {
    id: null,
    body: { jsonrpc: "2.0", method, ...(Object.keys(params).length > 0 && { params }) },
    headers: { "mcp-protocol-version": version },
  };
}

/** The answer to a request that the server has made on the stream of ours. */
export function mcpAnswer(
  id: string | number,
  outcome: { readonly result: Fields } | { readonly error: { code: number; message: string } },
  { version }: McpDialect,
): McpMessageOut {
  return {
    id: null,
    body: { jsonrpc: "2.0", id, ...outcome },
    headers: { "mcp-protocol-version": version },
  };
}
