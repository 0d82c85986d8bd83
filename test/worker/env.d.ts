// The bindings that vitest.config.ts adds to those of worker/env.d.ts, for `env` in tests alone.
import type { D1Migration } from "@cloudflare/vitest-plugin";

declare global {
  namespace Cloudflare {
    interface Env {
      /** The files of `migrations/`, which workerd cannot read. */
      readonly TEST_MIGRATIONS: D1Migration[];
      /** Statements that make the tables as those leave them. */
      readonly TEST_SCHEMA: string[];
    }
  }
}
