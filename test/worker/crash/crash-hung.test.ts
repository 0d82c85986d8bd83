/** @module-tag broad */
// The machine lives, and what it sends after each durable write of a reply takes its effect and hangs.
import { describeDeaths } from "./survive.ts";

describeDeaths("hung fetch");
