// Speed of the fold in an app.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";

import { build } from "esbuild";

import type { Cell, Figure } from "../cell.ts";
import { runInBrowser } from "../fold/run-in-browser.ts";

const ENTRY = fileURLToPath(new URL("../fold/fold-speed.ts", import.meta.url));
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const fold: Cell = {
  name: "fold",
  title: "the SDK's fold over a reply of 20,000 events, as an app bundles it",
  isQuick: true,
  async run({ rounds }) {
    const expression = await bundleFold();
    const inNode = Array.from({ length: rounds }, () => Number(runInThisContext(expression)));
    const figures: Figure[] = [describe("Node", inNode)];
    if (existsSync(CHROMIUM)) {
      figures.push(describe("Chromium", await runInBrowser(CHROMIUM, expression, rounds)));
    } else {
      console.error("the fold in a browser is left out; CHROMIUM names one");
    }
    return figures;
  },
};

function describe(where: string, eventsPerSecond: readonly number[]): Figure {
  return {
    name: `events folded in a second, in ${where}`,
    unit: "per second",
    samples: { reprise: eventsPerSecond },
  };
}

/** The fold as one JavaScript expression, so that Node and a browser run the same code. */
async function bundleFold(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    globalName: "fold",
    target: "es2022",
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error("esbuild wrote nothing for the fold");
  return `(() => { ${bundle.text}; return fold.measureFold(); })()`;
}
