// Formats of audio by what an answer says of itself, and by its first bytes. Endpoints that do not know `pcm` send what they have, and its bytes as samples
// would be noise in somebody's ear.

const MAGICS: readonly (readonly [at: number, letters: string, name: string])[] = [
  [0, "ID3", "MP3"],
  [0, "RIFF", "WAV"],
  [0, "OggS", "Ogg (Opus)"],
  [0, "fLaC", "FLAC"],
  [4, "ftyp", "MP4 (AAC)"],
  [0, "\u001aE\u00df\u00a3", "WebM"],
];

/** Kilobits a second of MPEG 1 and of MPEG 2, layer III. */
const BIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

const DECLARED =
  /^(?:text\/|application\/(?:[\w.-]+\+)?json)|^audio\/(?:x-|vnd\.)?(mpeg|mp3|wave?|ogg|opus|flac|aac|mp4|m4a|webm|pcma|pcmu|basic)\b/i;

/** The name of the format that an answer's head says, `text` for one that is none of audio; null for one that may be PCM. */
export function declaredFormat({ headers }: Response): string | null {
  const [found, format] = DECLARED.exec(headers.get("content-type") ?? "") ?? [];
  return found === undefined ? null : (format?.toUpperCase() ?? "text");
}

/**
 * The name of a format that is not PCM; null for bytes that may be samples.
 * @param start Of the answer: of a longer one {@link FORMAT_BYTES}.
 */
export function recogniseFormat(start: Uint8Array): string | null {
  const named = MAGICS.find(([at, letters]) => hasLetters(start, at, letters));
  if (named) return named[2];
  if (isText(start)) return "text";
  return isMp3(start) ? "MP3" : isAdts(start) ? "AAC" : null;
}

function hasLetters(bytes: Uint8Array, at: number, letters: string): boolean {
  return letters.split("").every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
}

/** JSON or HTML, such as an error with the status of a success. */
function isText(start: Uint8Array): boolean {
  const first = start.subarray(0, 64);
  const isPrintable = first.every(
    (byte) => byte === 10 || byte === 13 || (byte >= 32 && byte < 127),
  );
  return isPrintable && /^\s*[{<[]/.test(String.fromCharCode(...first));
}

/** A frame and the header of the next one: a sample may look like one header, and does not like both. */
function isMp3(bytes: Uint8Array): boolean {
  const length = mp3FrameBytes(bytes, 0);
  return length !== null && mp3FrameBytes(bytes, length) !== null;
}

function mp3FrameBytes(bytes: Uint8Array, at: number): number | null {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  const version = (second >> 3) & 3;
  const isLayer3 = ((second >> 1) & 3) === 1;
  if (first !== 0xff || second < 0xe0 || version === 1 || !isLayer3) return null;
  const isFirstVersion = version === 3;
  const kilobits = (isFirstVersion ? BIT_RATES_1 : BIT_RATES_2)[third >> 4];
  const fullRate = SAMPLE_RATES[(third >> 2) & 3];
  if (!kilobits || fullRate === undefined) return null;
  const rate = fullRate / (isFirstVersion ? 1 : version === 2 ? 2 : 4);
  const bytesPerFrame = ((isFirstVersion ? 144 : 72) * kilobits * 1_000) / rate;
  return Math.floor(bytesPerFrame) + ((third >> 1) & 1);
}

function isAdts(bytes: Uint8Array): boolean {
  const length = adtsFrameBytes(bytes, 0);
  return length !== null && length > 7 && adtsFrameBytes(bytes, length) !== null;
}

function adtsFrameBytes(bytes: Uint8Array, at: number): number | null {
  const [first = 0, second = 0, , fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at, at + 6);
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return null;
  return ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
}
