// Bytes that @reprise/sdk/ag-ui adds to an app that has the protocol's own client.
import { gzipSync } from "node:zlib";

import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** The protocol's client by itself is 190,000 after gzip. */
const MAX_BYTES = 6_500;

describe.each(["browser", "workerd", "react-native"])("the agent's bundle for %s", (condition) => {
  it("imports the protocol's client, and nothing else of a package or of Node", async () => {
    const { metafile, outputFiles } = await build({
      stdin: {
        contents: `export * from "@reprise/sdk/ag-ui";`,
        resolveDir: ".",
        loader: "ts",
        sourcefile: "app.ts",
      },
      bundle: true,
      write: false,
      outdir: "bundle",
      minify: true,
      metafile: true,
      format: "esm",
      platform: "neutral",
      target: "es2022",
      conditions: [condition],
      external: ["@ag-ui/client"],
    });

    const inputs = Object.keys(metafile.inputs).filter((path) => path !== "app.ts");
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    expect(inputs.filter((path) => !/^(sdk|protocol)\/[\w/-]+\.ts$/.test(path))).toEqual([]);
    expect(imported).toEqual(["@ag-ui/client"]);
    const [app] = outputFiles;
    expect(app?.text).not.toMatch(/["']node:|\brequire\(|\bzod\b|\bprocess\./i);
    expect(gzipSync(app?.contents ?? "", { level: 9 }).length).toBeLessThan(MAX_BYTES);
  });
});
