// Answers with a file's bytes: whole, a range of them, or none when the client has them.
import { fileKey } from "../../storage/files/file-key.ts";
import type { FileRecord } from "../../storage/files/file-storage.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError, notFound } from "../http-error.ts";
import { inBucket } from "./bucket.ts";
import { parseRange, type ByteRange } from "./parse-range.ts";

/** Types that browsers show without running anything in them; everything else is saved. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|heic|heif|avif|bmp|tiff)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|application\/pdf|text\/plain)$/;

/** Types that pages of other sites show as a part of themselves. */
const EMBEDDED = /^(?:image|audio|video)\//;

/** The bytes of a file, as an object of R2 or a part of one. */
export interface ServedContent extends Pick<FileRecord, "name" | "media_type" | "bytes" | "etag"> {
  /** Null for the whole content. Null when the object is gone. */
  readonly open: (range: ByteRange | null) => Promise<R2ObjectBody | null>;
}

/**
 * @param tenantId The file's tenant: the caller has found that it may be read.
 * @throws HttpError 404 when the object is gone, 416 for a range beyond the end.
 */
export function serveFile(
  context: AppContext,
  tenantId: string,
  file: FileRecord,
): Promise<Response> {
  const key = fileKey(tenantId, file.id);
  const open = (range: ByteRange | null) => context.env.FILES.get(key, range ? { range } : {});
  return serveContent(context, { ...file, open });
}

/** @throws HttpError as {@link serveFile}. */
export async function serveContent(context: AppContext, file: ServedContent): Promise<Response> {
  const etag = `"${file.etag}"`;
  const headers = new Headers({
    "Content-Type": file.media_type.startsWith("text/")
      ? `${file.media_type}; charset=utf-8`
      : file.media_type,
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Content-Disposition": dispositionOf(file),
    // Also what is saved and opened runs nothing with the rights of this host.
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    // No other site's page runs it as its script, or takes it for its style.
    "Cross-Origin-Resource-Policy": EMBEDDED.test(file.media_type) ? "cross-origin" : "same-origin",
  });
  if (hasCurrent(context.req.header("If-None-Match"), etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag } });
  }
  const ifRange = context.req.header("If-Range");
  const header =
    ifRange === undefined || ifRange === etag ? context.req.header("Range") : undefined;
  const range = parseRange(header, file.bytes);
  if (range === "unsatisfiable") {
    throw new HttpError("range_invalid", `the file has ${file.bytes} bytes`, {
      headers: { "Content-Range": `bytes */${file.bytes}` },
    });
  }
  const length = range?.length ?? file.bytes;
  headers.set("Content-Length", String(length));
  if (range) {
    const last = range.offset + range.length - 1;
    headers.set("Content-Range", `bytes ${range.offset}-${last}/${file.bytes}`);
  }
  const status = range ? 206 : 200;
  if (context.req.method === "HEAD" || length === 0) return new Response(null, { status, headers });
  const object = await inBucket(() => file.open(range));
  if (!object) throw notFound("file");
  return new Response(object.body, { status, headers });
}

function hasCurrent(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => ["*", etag, `W/${etag}`].includes(one.trim()));
}

function dispositionOf({ name, media_type }: ServedContent): string {
  const kind = SHOWN.test(media_type) ? "inline" : "attachment";
  if (name === null) return kind;
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  // RFC 8187: what encodeURIComponent leaves as it is and a header may not hold.
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
