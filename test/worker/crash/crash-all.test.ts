/** @module-tag broad */
// All machines at once die before and after each durable write of a reply.
import { describe, test } from "vitest";

import { MATRIX_CASES } from "./crash-cases.ts";
import { checkDeaths, installCrashes } from "./survive.ts";

installCrashes();

describe.each(MATRIX_CASES)("$scenario.name", (tested) => {
  test("survives abortAllDurableObjects at its writes", () =>
    checkDeaths(tested, "abortAllDurableObjects", "walk"));
});
