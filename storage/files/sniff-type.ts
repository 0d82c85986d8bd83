// Recognises a file's type by its first bytes: a table of signatures, and text.

/** A signature: bytes at an offset. */
type Signature = readonly [media_type: string, offset: number, bytes: string];

const SIGNATURES: readonly Signature[] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF87a"],
  ["image/gif", 0, "GIF89a"],
  ["image/bmp", 0, "BM"],
  ["image/tiff", 0, "II*\0"],
  ["image/tiff", 0, "MM\0*"],
  ["application/pdf", 0, "%PDF-"],
  ["audio/mpeg", 0, "ID3"],
  ["audio/flac", 0, "fLaC"],
  ["audio/ogg", 0, "OggS"],
  ["video/webm", 0, "\x1a\x45\xdf\xa3"],
  ["application/zip", 0, "PK\x03\x04"],
  ["application/zip", 0, "PK\x05\x06"],
  ["application/gzip", 0, "\x1f\x8b"],
];
/** Containers whose second field says what they hold. */
const RIFF = { WEBP: "image/webp", WAVE: "audio/wav", "AVI ": "video/x-msvideo" } as const;
const BRANDS: Readonly<Record<string, string>> = {
  "M4A ": "audio/mp4",
  "M4B ": "audio/mp4",
  "qt  ": "video/quicktime",
  heic: "image/heic",
  heix: "image/heic",
  hevc: "image/heic",
  heim: "image/heic",
  heis: "image/heic",
  mif1: "image/heif",
  msf1: "image/heif",
  avif: "image/avif",
  avis: "image/avif",
};
const OFFICE = "application/vnd.openxmlformats-officedocument.";
/** Names of the first entries of an office document. */
const OFFICE_PARTS: readonly (readonly [string, string])[] = [
  ["word/", `${OFFICE}wordprocessingml.document`],
  ["xl/", `${OFFICE}spreadsheetml.sheet`],
  ["ppt/", `${OFFICE}presentationml.presentation`],
];
/** Text that browsers take for the start of a document with scripts. */
const HTML =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|iframe|style|title|h1|div|table|a|p|br|b|font|img|form|object|embed|meta|link|base|input|button|template|video|audio|frameset|marquee|!--)[\s>/]/i;
const SVG = /<svg[\s>]/i;
const XML = /^\s*<\?xml\s/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/**
 * @param head The first bytes of the file. @param isWhole Whether that is all of it.
 * @returns a media type; null when the bytes are none that is known.
 */
export function sniffType(head: Uint8Array, isWhole: boolean): string | null {
  const text = Array.from(head.subarray(0, 32), (byte) => String.fromCharCode(byte)).join("");
  const riff = text.startsWith("RIFF") ? RIFF[text.slice(8, 12) as keyof typeof RIFF] : undefined;
  if (riff !== undefined) return riff;
  if (text.slice(4, 8) === "ftyp") return BRANDS[text.slice(8, 12)] ?? "video/mp4";
  const found = SIGNATURES.find(([, offset, bytes]) => text.startsWith(bytes, offset))?.[0];
  if (found === "application/zip") return zipType(head);
  if (found === "audio/ogg") return text.length >= 32 && hasVideo(head) ? "video/ogg" : found;
  // Two letters are no proof: a bitmap says its size, too.
  if (found !== undefined && (found !== "image/bmp" || isBitmap(head))) return found;
  if (isMpegAudio(head)) return "audio/mpeg";
  return textType(head, isWhole);
}

function zipType(head: Uint8Array): string {
  const names = new TextDecoder("latin1").decode(head);
  if (!names.includes("[Content_Types].xml") && !names.includes("_rels/")) return "application/zip";
  return OFFICE_PARTS.find(([part]) => names.includes(part))?.[1] ?? "application/zip";
}

function hasVideo(head: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(head.subarray(0, 64)).includes("theora");
}

function isBitmap(head: Uint8Array): boolean {
  const headerBytes = head[14] ?? 0;
  return head.length >= 18 && [12, 40, 52, 56, 64, 108, 124].includes(headerBytes);
}

/** A frame of MPEG audio, layer III, without a tag in front of it. */
function isMpegAudio([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isFrame = first === 0xff && (second & 0xe6) === 0xe2;
  return isFrame && third >> 4 !== 15 && third >> 4 !== 0 && (third & 0x0c) !== 0x0c;
}

function textType(head: Uint8Array, isWhole: boolean): string | null {
  let text;
  try {
    // The head may end within a character.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(head, {
      stream: !isWhole,
    });
  } catch {
    return null;
  }
  if (text === "" || CONTROL.test(text)) return null;
  if (SVG.test(text)) return "image/svg+xml";
  if (HTML.test(text)) return "text/html";
  return XML.test(text) ? "application/xml" : "text/plain";
}
