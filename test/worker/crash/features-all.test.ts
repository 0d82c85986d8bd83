/** @module-tag broad */
// All machines at once die before and after each durable write of a feature.
import { FEATURE_CASES } from "./crash-cases.ts";
import { describeDeaths } from "./survive.ts";

describeDeaths(FEATURE_CASES, "abortAllDurableObjects", "every");
