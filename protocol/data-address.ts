// The content of a `data:` address (RFC 2397).
import { encodeBase64 } from "./base64.ts";
import type { Base64Source } from "./messages/blocks.ts";

const SCHEME = /^data:/i;
/** Characters of the longest head that is searched for the comma: a media type with parameters. */
const MAX_HEAD_CHARACTERS = 1_000;
const ESCAPE = /%([0-9a-f]{2})/gi;

/**
 * The address as base64 data, whichever of the two forms it has. Base64 is not checked here. Null for an address without
 * content, with another scheme, or that is not normalised: with characters outside ASCII.
 */
export function readDataAddress(address: string): Base64Source | null {
  const comma = address.slice(0, MAX_HEAD_CHARACTERS).indexOf(",");
  if (!SCHEME.test(address) || comma === -1) return null;
  const [media_type = "", ...parameters] = address.slice("data:".length, comma).split(";");
  // A fragment is not part of the content.
  const hash = address.indexOf("#", comma);
  const content = address.slice(comma + 1, hash === -1 ? undefined : hash);
  const isBase64 = parameters.at(-1)?.trim().toLowerCase() === "base64";
  const data = isBase64 ? unescape(content) : encodePlain(content);
  return data === null ? null : { type: "base64", media_type: media_type.trim(), data };
}

function unescape(text: string): string {
  return text.includes("%")
    ? text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

function encodePlain(content: string): string | null {
  const text = unescape(content);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 255) return null;
    bytes[index] = unit;
  }
  return encodeBase64(bytes);
}
