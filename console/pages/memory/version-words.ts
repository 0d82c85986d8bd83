import type { MemoryVersion } from "../../../sdk/index.ts";

/** The act that made a version, with what it took the place of. */
export function wordsOfVersion({ operation, version, supersedes }: MemoryVersion): string {
  const place = supersedes === null ? "" : ` in place of v${version - 1}`;
  switch (operation) {
    case "recorded":
      return version === 1 ? "recorded" : `recorded${place}`;
    case "corrected":
      return `corrected${place}`;
    case "superseded":
      return `says otherwise${place}`;
    default:
      // Of a newer platform.
      return String(operation satisfies never).replaceAll("_", " ") + place;
  }
}
