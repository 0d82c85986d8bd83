// Media that tools and models make: which are too large for the log, and the words where some is left out.
import { MAX_INLINE_MEDIA_CHARACTERS } from "../../protocol/files/limits.ts";

/** The reason that media is not in a reply. `link`: its address may not be stored, such as a link, which expires. */
export type MediaLoss = "malformed" | "quota" | "unavailable" | "output_limit" | "link";

const REASONS: Record<MediaLoss, string> = {
  malformed: "its data is not base64",
  quota: "there is no room for files left",
  unavailable: "it could not be stored",
  output_limit: "the reply has no room for more",
  link: "its address names no file of the platform; that of a file is …/v1/files/{file_id}/content, and a link expires",
};

/** @param characters Of base64 data. */
export function isLargeMedia(characters: number): boolean {
  return characters > MAX_INLINE_MEDIA_CHARACTERS;
}

/** The note in place of media: for the model, and for everyone who reads the reply. */
export function lostMediaNote(media_type: string, loss: MediaLoss): string {
  return `[data of type ${media_type} was left out: ${REASONS[loss]}]`;
}
