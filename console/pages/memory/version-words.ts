import type { MemoryVersion } from "../../../sdk/index.ts";

/** Acts that make a version, as they are told. */
const WORDS: Readonly<Record<string, string>> = {
  recorded: "recorded",
  corrected: "corrected",
  superseded: "says otherwise",
  consolidated: "written by a consolidation",
};

/** The act that made a version, with what it took the place of. */
export function wordsOfVersion({ operation, version, supersedes }: MemoryVersion): string {
  const words = WORDS[operation] ?? operation.replaceAll("_", " ");
  return supersedes === null ? words : `${words} in place of v${version - 1}`;
}
