// Puts the voices of the bench into the platform's bundle: its sources know nothing of them.
import { fileURLToPath } from "node:url";

import type { Plugin } from "esbuild";

const REPLACED = /\/model\/voice\/create-voice-model\.ts$/;
const REPLACED_FOR = "/durable-objects/voice/open-provider.ts";

export const BENCH_VOICE: Plugin = {
  name: "bench-voice",
  setup(build) {
    const path = fileURLToPath(new URL("../worker/bench-voice-model.ts", import.meta.url));
    build.onResolve({ filter: REPLACED }, ({ importer }) =>
      importer.endsWith(REPLACED_FOR) ? { path } : null,
    );
  },
};
