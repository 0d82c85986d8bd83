// What reaches an app's bundle, by the conditions that bundlers set for each kind of runtime.
import { gzipSync } from "node:zlib";

import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** Bytes after gzip: what an app takes to start, follow and fold replies. */
const MAX_CORE_BYTES = 8_000;
/** Bytes after gzip of everything that the package exports. */
const MAX_WHOLE_BYTES = 9_600;

const CORE = `export { ApiError, ConnectionError, getTextContent, Reprise } from "@reprise/sdk";`;
const WHOLE = `export * from "@reprise/sdk";`;

async function bundle(contents: string, condition: string) {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: ".", loader: "ts" },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    conditions: [condition],
  });
  const [output] = outputFiles;
  return {
    inputs: Object.keys(metafile.inputs).filter((path) => path !== "<stdin>"),
    text: output?.text ?? "",
    gzipBytes: gzipSync(output?.contents ?? "", { level: 9 }).length,
  };
}

describe.each(["browser", "workerd", "react-native"])("a bundle for %s", (condition) => {
  it("holds the SDK and the ground floor, and nothing of a package or of Node", async () => {
    const { inputs, text } = await bundle(WHOLE, condition);

    expect(inputs.filter((path) => !/^(sdk|protocol)\/[\w/-]+\.ts$/.test(path))).toEqual([]);
    expect(text).not.toMatch(/["']node:|\brequire\(|\bzod\b|\bprocess\./i);
  });

  it("keeps its size", async () => {
    const core = await bundle(CORE, condition);
    const whole = await bundle(WHOLE, condition);

    expect(core.gzipBytes).toBeLessThan(MAX_CORE_BYTES);
    expect(whole.gzipBytes).toBeLessThan(MAX_WHOLE_BYTES);
  });
});
