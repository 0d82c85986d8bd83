/** As a session would hardly reach it: a version is 15 digits at most in `If-Match`, and a safe integer in a state. */
const MAX_IMPORTED_VERSION = 1_000_000_000;

/** The version with which an imported state begins: changes are counted on from it. */
export function importedVersion(version: number): number {
  return Math.min(Math.max(1, version), MAX_IMPORTED_VERSION);
}
