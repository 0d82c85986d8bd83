/** @module-tag broad */
// A machine dies by an exception of the platform before and after each durable write of a reply.
import { describe, test } from "vitest";

import { MATRIX_CASES } from "./crash-cases.ts";
import { checkDeaths, installCrashes } from "./survive.ts";

installCrashes();

describe.each(MATRIX_CASES)("$scenario.name", (tested) => {
  test("survives ctx.abort at its writes", () => checkDeaths(tested, "ctx.abort", "walk"));
});
