import { readDataAddress } from "./data-address.ts";
import type { Base64Source, UrlSource } from "./messages/blocks.ts";
import { readBase64 } from "./read-base64.ts";

const BASE64_HEAD = /^data:[^,]{0,1000};\s*base64\s*,/i;

/** The reason that data is refused that cannot be put right. */
export const NO_BASE64 =
  "the data is not base64, or has no byte; white space, url-safe letters, missing padding and a data: prefix are put right";

/**
 * The source with canonical base64, the same when it is so already. Null for data that is no base64, or has no byte: a
 * model that is shown such a picture refuses the whole conversation.
 */
export function putRight<Source extends Base64Source | UrlSource>(source: Source): Source | null {
  if (source.type === "base64") {
    const data = readBase64(source.data);
    if (!data) return null;
    return data === source.data ? source : { ...source, data };
  }
  const [head] = BASE64_HEAD.exec(source.url) ?? [];
  // An address elsewhere, or with its content as text.
  if (head === undefined) return source;
  const data = readBase64(readDataAddress(source.url)?.data ?? "");
  const url = data && `${head.replaceAll(/\s/g, "")}${data}`;
  if (!url) return null;
  return url === source.url ? source : { ...source, url };
}
