// The address of a file's content: `<origin>/v1/files/{id}/content`. Blocks name files by it.
import { isId } from "./ids.ts";

const FILE_ADDRESS = /^(https?:\/\/[^/?#@\\\s]+)\/v1\/files\/(fil_[0-9a-z]{26})\/content$/i;

export interface FileAddress {
  readonly origin: string;
  readonly file_id: string;
}

export function fileAddress(origin: string, fileId: string): string {
  return `${origin}/v1/files/${fileId}/content`;
}

/** The parts of an address of this form on any host; null for any other URL. Says nothing about the file's existence. */
export function parseFileAddress(url: string): FileAddress | null {
  const [, origin, file_id] = FILE_ADDRESS.exec(url) ?? [];
  if (origin === undefined || file_id === undefined || !isId("fil", file_id)) return null;
  return { origin: origin.toLowerCase(), file_id };
}
