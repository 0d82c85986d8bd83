// Reads what an MCP server sends: JSON-RPC messages, within bounds that are checked before the text is parsed.
import { MAX_MCP_DEPTH, MAX_MCP_VALUES } from "./limits.ts";
import { findShapeViolation } from "../json-shape.ts";
import { isJsonObject } from "../json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export type McpMessageIn =
  | { readonly kind: "result"; readonly id: string; readonly result: Fields }
  | ({ readonly kind: "error"; readonly id: string | null } & McpError)
  | { readonly kind: "notification"; readonly method: string; readonly params: Fields }
  | {
      readonly kind: "request";
      readonly id: string | number;
      readonly method: string;
      readonly params: Fields;
    };

export interface McpError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

const SHAPE = { depth: MAX_MCP_DEPTH, values: MAX_MCP_VALUES };
/** Messages of one batch, which versions of the older era knew. */
const MAX_BATCH = 100;

/**
 * @param parse As `JSON.parse`, which it is when left out.
 * @returns null for a text that is no JSON, or is beyond the bounds. What is no message is left out.
 */
export function readMcpMessages(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
): readonly McpMessageIn[] | null {
  if (findShapeViolation(text, SHAPE) !== null) return null;
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return null;
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_BATCH) : [value];
  return messages.flatMap((message) => readMessage(message) ?? []);
}

function readMessage(message: unknown): McpMessageIn | null {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return null;
  const { id, method, params, result, error } = message;
  if (typeof method === "string") {
    const given = isJsonObject(params) ? params : {};
    if (id === undefined) return { kind: "notification", method, params: given };
    const isId = typeof id === "string" || typeof id === "number";
    return isId ? { kind: "request", id, method, params: given } : null;
  }
  if (isJsonObject(error) && typeof error["code"] === "number") {
    const said = typeof error["message"] === "string" ? error["message"] : "";
    const ours = typeof id === "string" ? id : null;
    return { kind: "error", id: ours, code: error["code"], message: said, data: error["data"] };
  }
  // Ids of ours are strings: any other one is the answer to another request.
  return typeof id === "string" && isJsonObject(result) ? { kind: "result", id, result } : null;
}
