// The runtimes that the installed package is run in, each with the version that tells the story.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { chromium } from "playwright-core";

import { findChromium, HOW_TO_INSTALL } from "../../../examples/ag-ui/find-chromium.ts";
import { ROOT, run, runtimePath, versionOf } from "./installed-package.ts";
import type { Report, StoryOptions } from "./story.ts";

export interface Runtime {
  readonly name: string;
  /** As the table of docs/sdk.md has it. */
  readonly version: string;
  /** No WebCrypto: webhooks are received elsewhere. */
  readonly hasNoCrypto?: true;
  /** Words in a second, so few that the first of them come before the end on a machine of any speed. */
  readonly rate?: number;
  /** Connections that the network loses there: of streams, pages, or both. */
  readonly loses: readonly ("stream" | "page")[];
  /** Tells the story of the app in `folder`. */
  tell(folder: string, options: StoryOptions): Promise<Report>;
}

const BOTH_STREAMS = ["stream", "stream"] as const;

export const RUNTIMES: readonly Runtime[] = [
  nodeOf("Node 20", "node-20"),
  nodeOf("Node 22", "node-22"),
  {
    name: "Node 24",
    version: process.versions.node,
    loses: BOTH_STREAMS,
    tell: (folder, options) => tellBy(process.execPath, ["main.js"], folder, options),
  },
  {
    name: "Bun",
    version: versionOf(runtimePath("bun/package.json")),
    loses: BOTH_STREAMS,
    tell: (folder, options) => tellBy(runtimePath(".bin/bun"), ["main.js"], folder, options),
  },
  {
    name: "Deno",
    version: versionOf(runtimePath("deno/package.json")),
    loses: BOTH_STREAMS,
    tell(folder, options) {
      const parameters = ["run", "--no-remote", "--cached-only", "--allow-net", "main.js"];
      return tellBy(runtimePath(".bin/deno"), parameters, folder, options);
    },
  },
  {
    name: "workerd",
    version: versionOf(join(ROOT, "node_modules/workerd/package.json")),
    loses: BOTH_STREAMS,
    tell: tellInWorker,
  },
  {
    name: "Chromium, built by Vite",
    version: versionOf(runtimePath("vite/package.json")),
    loses: BOTH_STREAMS,
    tell: tellInPage,
  },
  appOf("React Native's globals, XMLHttpRequest", "progress", BOTH_STREAMS),
  appOf("React Native's globals, bodies collected", "collecting", [
    ...BOTH_STREAMS,
    "page",
    "page",
  ]),
  appOf("React Native's globals, `fetch` alone", "none", ["page", "page"]),
];

function nodeOf(name: string, packageName: string): Runtime {
  return {
    name,
    version: versionOf(runtimePath(`${packageName}/package.json`)),
    loses: BOTH_STREAMS,
    tell: (folder, options) =>
      tellBy(runtimePath(`${packageName}/bin/node`), ["main.js"], folder, options),
  };
}

/** The app bundled as Metro does it, without splitting, and run with the globals that React Native has. */
function appOf(name: string, mode: string, loses: Runtime["loses"]): Runtime {
  return {
    name,
    version: "none of its own",
    rate: 4,
    hasNoCrypto: true,
    loses,
    async tell(folder, options) {
      const globals = join(ROOT, "test/matrix/sdk/react-native-globals.ts");
      const contents = `import ${JSON.stringify(globals)};\nimport "./main.js";`;
      const file = `app-${mode}.js`;
      await bundle(folder, contents, file, "react-native");
      return tellBy(process.execPath, [file], folder, options, { XML_HTTP_REQUEST: mode });
    },
  };
}

async function tellBy(
  program: string,
  parameters: readonly string[],
  folder: string,
  options: StoryOptions,
  environment: Readonly<Record<string, string>> = {},
): Promise<Report> {
  const output = await run(program, [...parameters, JSON.stringify(options)], folder, environment);
  return JSON.parse(output) as Report;
}

async function tellInWorker(folder: string, options: StoryOptions): Promise<Report> {
  const contents = `
    import { tellStory } from "./story.js";
    export default {
      fetch: async (request) => Response.json(await tellStory(await request.json())),
    };`;
  const script = await bundle(folder, contents, "worker.js", "workerd");
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: "2026-10-15",
      telemetry: { enabled: false },
    }),
  );
  try {
    const body = JSON.stringify(options);
    const answer = await worker.dispatchFetch("http://app.test/", { method: "POST", body });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text);
    return JSON.parse(text) as Report;
  } finally {
    await worker.dispose();
  }
}

/** The page comes from the gateway, so that it asks its own origin. */
async function tellInPage(folder: string, options: StoryOptions): Promise<Report> {
  const program = findChromium();
  if (!program) throw new Error(HOW_TO_INSTALL);
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><title>App</title><script type="module" src="./page.js"></script>`,
  );
  writeFileSync(
    join(folder, "page.js"),
    `import { tellStory } from "./story.js";\nglobalThis.tellStory = tellStory;`,
  );
  await run(
    process.execPath,
    [runtimePath("vite/bin/vite.js"), "build", "--base", "/app/"],
    folder,
  );
  if (!existsSync(join(folder, "dist/index.html"))) throw new Error("vite built no page");
  const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  const browser = await chromium.launch({ executablePath: program, args: flags });
  try {
    const page = await browser.newPage();
    await page.goto(`${options.baseUrl}/app/index.html`);
    await page.waitForFunction(() => "tellStory" in globalThis);
    return await page.evaluate((story) => {
      const { tellStory } = globalThis as unknown as {
        readonly tellStory: (options: StoryOptions) => Promise<Report>;
      };
      return tellStory(story);
    }, options);
  } finally {
    await browser.close();
  }
}

/** @returns The bundle's text, which is also written to `name`. */
async function bundle(
  folder: string,
  contents: string,
  name: string,
  condition: string,
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: "entry.js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    conditions: [condition],
    external: ["node:http"],
  });
  const text = outputFiles[0]?.text ?? "";
  writeFileSync(join(folder, name), text);
  return text;
}
