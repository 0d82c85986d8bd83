/** @module-tag broad */
// All machines at once die before and after each durable write of a reply.
import { MATRIX_CASES } from "./crash-cases.ts";
import { describeDeaths } from "./survive.ts";

describeDeaths(MATRIX_CASES, "abortAllDurableObjects", "walk");
