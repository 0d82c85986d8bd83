// Reads the result of `resources/read` for the page of an MCP server.
import { readBase64Bytes } from "../../protocol/read-base64.ts";
import { isUiMediaType } from "../../protocol/mcp/ui-resources.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface UiResource {
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** False for content of another type, which no browser may show. */
  readonly isPage: boolean;
  /** The content's `_meta.ui`. */
  readonly ui: Fields;
}

/** Null when the server has answered with something else than the content of this address. */
export function readUiResource(result: Fields, uri: string): UiResource | null {
  const { contents } = result;
  if (!Array.isArray(contents)) return null;
  const found = (contents as readonly unknown[]).find(
    (one) => isJsonObject(one) && one["uri"] === uri,
  );
  if (!isJsonObject(found)) return null;
  const { mimeType, text, blob, _meta: meta } = found;
  const content = typeof text === "string" ? text : typeof blob === "string" ? decode(blob) : null;
  if (content === null) return null;
  const ui = isJsonObject(meta) && isJsonObject(meta["ui"]) ? meta["ui"] : {};
  return { content, isPage: typeof mimeType === "string" && isUiMediaType(mimeType), ui };
}

function decode(blob: string): Uint8Array<ArrayBuffer> | null {
  const bytes = readBase64Bytes(blob);
  return bytes && new Uint8Array(bytes);
}
