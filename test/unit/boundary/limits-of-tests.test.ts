// Limits of time in tests are for hangs, and stand in test/support/hang-limits.ts alone: a shorter one measures the machine.
import { readdirSync, readFileSync } from "node:fs";

import { expect, it } from "vitest";

/** Files that are measured in hours, and those that say how long a test and a look go on. */
const OWN_LIMITS: readonly string[] = [
  "long/closing.test.ts",
  "long/kill.test.ts",
  "support/hang-limits.ts",
  "support/wait-for.ts",
];

const LIMITS: readonly RegExp[] = [
  /\bvi\.waitFor\(/,
  /^\s*\}, [\d_]+_000\);/m,
  /\btimeout: [\d_]+/,
];

it("no test has a limit of its own", () => {
  const folder = new URL("../../", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const limited = files
    .filter(
      (file) =>
        file.endsWith(".ts") && !file.includes("node_modules/") && !OWN_LIMITS.includes(file),
    )
    .filter((file) => {
      const text = readFileSync(new URL(file, folder), "utf8");
      return LIMITS.some((limit) => limit.test(text));
    });

  expect(limited).toEqual([]);
});
