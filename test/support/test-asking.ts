// The port for questions, with hashes that tests can foretell and a clock that stands still.
import { createHash } from "node:crypto";

import type { Asking } from "../../agent/ports.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00.000Z");

export const testAsking: Asking = {
  confirmation_ttl_ms: 86_400_000,
  hashInput: async (name, input) => inputHash(name, input),
  expiresAt: (ttlMs) => new Date(NOW_MS + ttlMs).toISOString(),
};

/** The hash that `REQUIRE_USER_CONFIRM` announces. */
export function inputHash(name: string, input: string): string {
  return `sha256:${createHash("sha256").update(`${name}\n${input}`).digest("hex")}`;
}
