/** @module-tag broad */
// The machine lives, and what it sends after each durable write of a reply takes its effect and hangs.
import { MATRIX_CASES } from "./crash-cases.ts";
import { describeDeaths } from "./survive.ts";

// What hangs is not sampled: that something did is part of the claim.
describeDeaths(MATRIX_CASES, "hung fetch", "every");
