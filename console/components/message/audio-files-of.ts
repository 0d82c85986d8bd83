import type { Msg } from "../../../sdk/index.ts";

/** Audio of a message that is a file of the platform. */
export interface AudioFile {
  readonly fileId: string;
  readonly seconds: number;
}

/** Files of a message that are listed, at most: of more than these nobody plays one. */
const MAX_LISTED = 256;
const FILE = /^https?:\/\/[^/]+\/v1\/files\/(fil_[0-9a-z]{26})\/content$/;

/**
 * Files that `metadata.kept_audio` names, each once, in its order. Their ids alone are taken: nothing is loaded from an address
 * that a message has.
 */
export function audioFilesOf({ metadata }: Pick<Msg, "metadata">): readonly AudioFile[] {
  const list: unknown = metadata["kept_audio"];
  if (!Array.isArray(list)) return [];
  const files = new Map<string, AudioFile>();
  for (const each of list.slice(0, MAX_LISTED) as readonly unknown[]) {
    const { url, ms } = (each ?? {}) as Readonly<Record<string, unknown>>;
    const [, fileId] = typeof url === "string" ? (FILE.exec(url) ?? []) : [];
    if (fileId === undefined) continue;
    const isLength = typeof ms === "number" && Number.isFinite(ms) && ms >= 0;
    files.set(fileId, { fileId, seconds: isLength ? ms / 1_000 : 0 });
  }
  return [...files.values()];
}
