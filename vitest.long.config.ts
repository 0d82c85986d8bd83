// What takes too long for `npm test`: `npm run test:long`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "long", include: ["test/long/**/*.test.ts"] },
});
