import { sniffType } from "../../storage/files/sniff-type.ts";

/** Types that clients send when they know none. */
const UNDECLARED = ["", "application/octet-stream", "application/x-www-form-urlencoded"];
/** Other names of the types that are recognised. */
const ALIASES: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-png": "image/png",
  "image/x-ms-bmp": "image/bmp",
  "audio/mp3": "audio/mpeg",
  "audio/x-mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/x-m4a": "audio/mp4",
  "audio/m4a": "audio/mp4",
  "audio/x-flac": "audio/flac",
  "application/ogg": "audio/ogg",
  "application/x-pdf": "application/pdf",
  "application/x-zip-compressed": "application/zip",
  "text/xml": "application/xml",
};
/** Types that the bytes alone cannot tell apart: a type that is recognised, and the declared ones that it may be. */
const REFINED: Readonly<Record<string, RegExp>> = {
  "video/mp4": /^(?:audio\/mp4|video\/(?:mp4|x-m4v|quicktime))$/,
  "video/webm": /^(?:(?:audio|video)\/webm|video\/x-matroska|audio\/x-matroska)$/,
  "audio/ogg": /^(?:(?:audio|video)\/ogg|audio\/opus)$/,
  "image/heif": /^image\/(?:heic|heif|avif)$/,
  "image/heic": /^image\/(?:heic|heif)$/,
  "application/zip":
    /^application\/(?:zip|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\.[a-z.]+)$/,
  "text/plain": /^(?:text\/(?!html|xml)[a-z0-9.+-]+|application\/(?:json|x-ndjson|yaml|toml))$/,
  "application/xml": /^(?:application\/(?:xml|[a-z0-9.-]+\+xml)|image\/svg\+xml)$/,
};
/** Types with a signature, or that only text can have: bytes that show none of it are not of them. */
const RECOGNISED =
  /^(?:image\/(?:png|jpeg|gif|webp|heic|heif|avif|bmp|tiff|svg\+xml)|audio\/(?:mpeg|wav|ogg|mp4|flac)|video\/(?:mp4|webm|quicktime|ogg)|text\/[a-z0-9.+-]+|application\/(?:pdf|zip|gzip|json|xml))$/;
/** Text that a browser may run: it is this, whatever else it is declared as. */
const ACTIVE = ["text/html", "image/svg+xml", "application/xml"];

export type SettledType =
  | { readonly ok: true; readonly media_type: string }
  /** The declared type and what the bytes are; null when they are nothing that is known. */
  | { readonly ok: false; readonly declared: string; readonly found: string | null };

/**
 * The type of a file: what its bytes say. The declared one only chooses among types that look the same, and is refused
 * when it is one that bytes show, and these do not.
 */
export function settleType(
  head: Uint8Array,
  { isWhole, declared }: { readonly isWhole: boolean; readonly declared: string | undefined },
): SettledType {
  const found = sniffType(head, isWhole);
  const plain = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (UNDECLARED.includes(plain)) {
    return { ok: true, media_type: found ?? "application/octet-stream" };
  }
  const wanted = ALIASES[plain] ?? plain;
  if (found === null) {
    if (RECOGNISED.test(wanted)) return { ok: false, declared: plain, found };
    return { ok: true, media_type: "application/octet-stream" };
  }
  if (found === wanted || REFINED[found]?.test(wanted)) return { ok: true, media_type: wanted };
  // Markdown and templates may begin like a page; they are kept as one, which is never shown inline.
  if (ACTIVE.includes(found) && REFINED["text/plain"]?.test(wanted)) {
    return { ok: true, media_type: found };
  }
  // Systems name types by a file's ending: a table in text is a spreadsheet's, a program in TypeScript a film.
  if (!RECOGNISED.test(wanted)) return { ok: true, media_type: found };
  return { ok: false, declared: plain, found };
}
