/** @module-tag broad */
// A machine dies by an exception of the platform before and after each durable write of a feature.
import { describe, test } from "vitest";

import { FEATURE_CASES } from "./crash-cases.ts";
import { checkDeaths, installCrashes, mortalBy, titleOf } from "./survive.ts";

const WAY = "ctx.abort";

installCrashes();

describe.each(mortalBy(WAY, FEATURE_CASES))("$scenario.name", (tested) => {
  test(titleOf(tested, WAY), () => checkDeaths(tested, WAY, "every"));
});
