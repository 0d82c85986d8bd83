/** @module-tag broad */
// All machines at once die before and after each durable write of a reply.
import { describeDeaths } from "./survive.ts";

describeDeaths("abortAllDurableObjects");
