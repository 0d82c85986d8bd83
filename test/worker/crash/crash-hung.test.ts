/** @module-tag broad */
// The machine lives, and what it sends after each durable write of a reply takes its effect and hangs. What hangs is not
// sampled: that something did is part of the claim.
import { describe, test } from "vitest";

import { MATRIX_CASES } from "./crash-cases.ts";
import { checkDeaths, installCrashes } from "./survive.ts";

installCrashes();

describe.each(MATRIX_CASES)("$scenario.name", (tested) => {
  test("survives hung fetch at its writes", () => checkDeaths(tested, "hung fetch", "every"));
});
