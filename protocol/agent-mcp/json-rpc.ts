// JSON-RPC 2.0 as MCP uses it: params are objects, ids are strings or whole numbers.
import { MAX_MCP_ID_CHARACTERS } from "./limits.ts";

export type RpcId = string | number;
export type RpcParams = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: RpcParams;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: RpcParams;
}

export type RpcMessage =
  | RpcRequest
  | RpcNotification
  /** An answer of the client to a request of the server, which never sends one. */
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RpcId | null; readonly problem: string };

/** Codes of JSON-RPC, then those of MCP. */
export const RpcCode = {
  parse_error: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal_error: -32_603,
  /** Of the transport: the request was not executed. */
  refused: -32_000,
  header_mismatch: -32_020,
  unsupported_version: -32_022,
} as const;

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcAnswer =
  | { readonly jsonrpc: "2.0"; readonly id: RpcId; readonly result: object }
  | { readonly jsonrpc: "2.0"; readonly id: RpcId | null; readonly error: RpcError };

/** Contract: never throws. */
export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value)) return invalid(null, "a message is a JSON object");
  const id = isId(value["id"]) ? value["id"] : null;
  if (value["jsonrpc"] !== "2.0") return invalid(id, 'a message has "jsonrpc": "2.0"');
  const { method, params = {} } = value;
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "response" };
  if (typeof method !== "string") return invalid(id, "a message has a method");
  if (!isObject(params)) return invalid(id, "params are an object");
  if (!("id" in value)) return { kind: "notification", method, params };
  if (id === null) return invalid(null, "an id is a short text or a whole number");
  return { kind: "request", id, method, params };
}

export function rpcResult(id: RpcId, result: object): RpcAnswer {
  return { jsonrpc: "2.0", id, result };
}

export function rpcError(
  id: RpcId | null,
  code: keyof typeof RpcCode,
  message: string,
  data?: unknown,
): RpcAnswer {
  const error = { code: RpcCode[code], message, ...(data !== undefined && { data }) };
  return { jsonrpc: "2.0", id, error };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Also for progress tokens, which have the same form. */
export function isId(value: unknown): value is RpcId {
  if (typeof value === "string") return value.length <= MAX_MCP_ID_CHARACTERS;
  return Number.isSafeInteger(value);
}

function invalid(id: RpcId | null, problem: string): RpcMessage {
  return { kind: "invalid", id, problem };
}
