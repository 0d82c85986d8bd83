/** @module-tag broad */
// A machine dies by an exception of the platform before and after each durable write of a feature.
import { FEATURE_CASES } from "./crash-cases.ts";
import { describeDeaths } from "./survive.ts";

describeDeaths(FEATURE_CASES, "ctx.abort", "every");
