// The error with which servers of 2025-11-25 ask for pages to be opened before a call: nothing of it was taken.
import type { McpError } from "../../protocol/mcp/read-messages.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

/** JSON-RPC code of the error. */
const URL_ELICITATION_REQUIRED = -32_042;

/** In the place of a result type: what is asked for stands in `inputRequests`, and the call is made again as it was. */
export const URL_REQUIRED = "url_elicitation_required";

/** As a result that asks for input; null for another error, and for one that asks for more than pages. */
export function readUrlRequired({ code, data }: McpError): Fields | null {
  if (code !== URL_ELICITATION_REQUIRED || !isJsonObject(data)) return null;
  const { elicitations } = data;
  if (!Array.isArray(elicitations) || elicitations.length === 0) return null;
  const asked = elicitations as readonly unknown[];
  if (!asked.every((params) => isJsonObject(params) && params["mode"] === "url")) return null;
  const requests = asked.map((params, index) => [
    `page_${index + 1}`,
    { method: "elicitation/create", params },
  ]);
  return { resultType: URL_REQUIRED, inputRequests: Object.fromEntries(requests) as Fields };
}
