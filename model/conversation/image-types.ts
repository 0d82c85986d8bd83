// The types of pictures that models are shown. Any other is a note: providers refuse the whole request for one picture that
// they cannot read.

/** Images that every provider reads, by the names that they are given; the value is the registered name. */
export const COMMON_IMAGES: Readonly<Record<string, CommonImage>> = {
  "image/jpeg": "image/jpeg",
  "image/jpg": "image/jpeg",
  "image/png": "image/png",
  "image/gif": "image/gif",
  "image/webp": "image/webp",
};

export type CommonImage = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** Images that some compatible endpoints read besides: vLLM, Gemini. */
const OTHER_IMAGES: ReadonlySet<string> = new Set([
  "image/avif",
  "image/bmp",
  "image/heic",
  "image/heif",
  "image/tiff",
]);

/**
 * The registered name of a picture's type, where some endpoint of the wire reads it; null for what none does, such as
 * `image/svg+xml`. @param media_type In lower case.
 */
export function imageTypeOf(media_type: string): string | null {
  if (Object.hasOwn(COMMON_IMAGES, media_type)) return COMMON_IMAGES[media_type] ?? null;
  return OTHER_IMAGES.has(media_type) ? media_type : null;
}
