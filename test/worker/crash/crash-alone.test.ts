/** @module-tag broad */
// A machine dies by an exception of the platform before and after each durable write of a reply.
import { MATRIX_CASES } from "./crash-cases.ts";
import { describeDeaths } from "./survive.ts";

describeDeaths(MATRIX_CASES, "ctx.abort", "walk");
