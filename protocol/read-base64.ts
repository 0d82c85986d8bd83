// Base64 as it comes from outside: common slips are put right, and anything else is none. The fold's own reading
// (`base64.ts`) stays as lenient as the reference, since logs hold what it has read.
import { canonicalBase64, decodeBase64 } from "./base64.ts";
import { readDataAddress } from "./data-address.ts";

const FOREIGN = /[^A-Za-z0-9+/]/;
const WHITE_SPACE = /[\t\n\f\r ]+/g;
const PADDING = /={1,2}[\t\n\f\r ]*$/;
/** Characters that are searched for the scheme: white space may stand before it. */
const HEAD_CHARACTERS = 100;
/** Characters from which the runtime's own coder is worth a copy: 7 MB would hold the thread for 60 ms. */
const LARGE_CHARACTERS = 65_536;

type Bytes = Uint8Array & { toBase64(): string };
/** The coder of newer runtimes. */
const { fromBase64 } = Uint8Array as {
  readonly fromBase64?: (text: string, options: { readonly lastChunkHandling: "loose" }) => Bytes;
};

/**
 * The text in canonical form: white space is dropped, url-safe letters and missing padding are put right, and of a
 * `data:` address of any type the content is taken. Null for any other text, of which a lenient decoder would make other
 * bytes; an empty text stays one.
 */
export function readBase64(text: string): string | null {
  if (fromBase64 && text.length > LARGE_CHARACTERS) return decodeNatively(text)?.toBase64() ?? null;
  const content = lettersOf(text);
  if (content === null) return null;
  const letters = FOREIGN.test(content) ? inOneAlphabet(content.replace(WHITE_SPACE, "")) : content;
  const rest = letters.length % 4;
  if (rest === 1 || FOREIGN.test(letters)) return null;
  if (rest === 0) return letters;
  // The bits that fill the last character may be any.
  const last = canonicalBase64(letters.slice(-rest).padEnd(4, "="));
  return last && letters.slice(0, -rest) + last;
}

/** The bytes of what {@link readBase64} takes. */
export function readBase64Bytes(text: string): Uint8Array | null {
  if (fromBase64 && text.length > LARGE_CHARACTERS) return decodeNatively(text);
  const canonical = readBase64(text);
  return canonical === null ? null : decodeBase64(canonical);
}

/** The content of a `data:` address, or the text itself, without padding. */
function lettersOf(text: string): string | null {
  const isAddress = /^\s*data:/i.test(text.slice(0, HEAD_CHARACTERS));
  const content = isAddress ? readDataAddress(text.trimStart())?.data : text;
  return content?.replace(PADDING, "") ?? null;
}

function inOneAlphabet(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

function decodeNatively(text: string): Bytes | null {
  const letters = lettersOf(text);
  if (letters === null) return null;
  return tryToDecode(letters) ?? tryToDecode(inOneAlphabet(letters));
}

function tryToDecode(letters: string): Bytes | null {
  try {
    return fromBase64?.(letters, { lastChunkHandling: "loose" }) ?? null;
  } catch {
    return null;
  }
}
