// Draws of property tests are the same in each run of `npm test`, so that a commit is judged by itself and not by luck.
// `npm run test:properties` draws anew.
import fc from "fast-check";

import { runs } from "./breadth.ts";

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: runs(100),
  seed: process.env["PROPERTY_SEED"] === "new" ? Date.now() | 0 : 20_261_124,
});
