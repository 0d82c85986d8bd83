// Every durable write at which a machine of the crash tests dies, in each way, as it was when they were listed: none is lost.
import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { FEATURE_SCENARIOS } from "../../worker/crash/feature-scenarios.ts";
import { OTHER_WALKS } from "../../worker/crash/other-walks.ts";
import { SCENARIOS, WAYS } from "../../worker/crash/scenarios.ts";

interface Walk {
  readonly ways: readonly string[];
  readonly writes: readonly string[];
}

const GOLDEN = new URL("../../fixtures/golden/crash-writes.json", import.meta.url);
const golden = JSON.parse(readFileSync(GOLDEN, "utf8")) as Readonly<Record<string, Walk>>;

const walks: Readonly<Record<string, Walk>> = {
  ...Object.fromEntries(
    [...SCENARIOS, ...FEATURE_SCENARIOS].map(({ name, ways = WAYS, writes }) => [
      name,
      { ways, writes },
    ]),
  ),
  ...OTHER_WALKS,
};

/** The writes that a walk counts: how often D1 is told is left out of the data of some. */
function eventWrites({ writes }: Walk): readonly string[] {
  return writes.filter((write) => !write.startsWith("delete "));
}

describe("the crash tests", () => {
  it("have no scenario twice", () => {
    expect(Object.keys(walks)).toHaveLength(
      SCENARIOS.length + FEATURE_SCENARIOS.length + Object.keys(OTHER_WALKS).length,
    );
  });

  it.each(Object.entries(golden))("walk every write of %s, in each of its ways", (name, walk) => {
    expect(walks[name]?.ways).toEqual(walk.ways);
    expect(eventWrites(walks[name] ?? walk)).toEqual(eventWrites(walk));
  });
});
