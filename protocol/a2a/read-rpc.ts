// JSON-RPC 2.0 as A2A uses it: params are an object, and every request has an id, since A2A has no notifications.
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { MAX_A2A_ID_CHARACTERS } from "./limits.ts";

export type A2aRpcId = string | number;

export type A2aRpcRequest =
  | {
      readonly kind: "request";
      readonly id: A2aRpcId;
      readonly method: string;
      readonly params: JsonObject;
    }
  | { readonly kind: "invalid"; readonly id: A2aRpcId | null; readonly problem: string };

/** Contract: never throws. */
export function readRpc(value: unknown): A2aRpcRequest {
  if (Array.isArray(value)) return invalid(null, "A2A has no batches: send one request");
  if (!isJsonObject(value)) return invalid(null, "a request is a JSON object");
  const { jsonrpc, id, method, params } = value;
  const known = isRpcId(id) ? id : null;
  if (jsonrpc !== "2.0") return invalid(known, 'a request has "jsonrpc": "2.0"');
  if (typeof method !== "string") return invalid(known, "a request has a method");
  if (known === null) return invalid(null, "a request has an id, a short text or a number");
  if (params !== undefined && params !== null && !isJsonObject(params)) {
    return invalid(known, "params are an object");
  }
  return { kind: "request", id: known, method, params: params ?? {} };
}

function isRpcId(value: unknown): value is A2aRpcId {
  if (typeof value === "string") return value.length <= MAX_A2A_ID_CHARACTERS;
  return typeof value === "number" && Number.isFinite(value);
}

function invalid(id: A2aRpcId | null, problem: string): A2aRpcRequest {
  return { kind: "invalid", id, problem };
}
