// What takes too long for `npm test`: `npm run test:long`.
import { defineConfig } from "vitest/config";

import { SUITES } from "./test/support/suites.ts";

export default defineConfig({
  test: { name: "long", include: SUITES.long },
});
