// Directions of imports that the linter's rules cannot say.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** The files of the ground floor that run in browsers and apps. */
const CLIENT_FILES = [
  "fold/append-event",
  "sse",
  "messages/constructors",
  "messages/accessors",
  "errors",
  "messages/find-role-violation",
];

const SOURCE_FOLDERS = [
  "protocol",
  "openapi",
  "agent",
  "runtime",
  "outgoing",
  "a2a",
  "webhooks",
  "model",
  "demo",
  "tools",
  "storage",
  "durable-objects",
  "worker",
  "sdk",
];

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

describe("directions", () => {
  it.each(CLIENT_FILES)("protocol/%s.ts brings no package along at run time", async (name) => {
    const { metafile } = await build({
      entryPoints: [`protocol/${name}.ts`],
      bundle: true,
      write: false,
      format: "esm",
      metafile: true,
    });

    const foreign = Object.keys(metafile.inputs).filter((path) => !path.startsWith("protocol/"));
    expect(foreign).toEqual([]);
  });

  it("zod is imported as a namespace, of which a bundle keeps what is used, and not as an object with all its languages", () => {
    const files = SOURCE_FOLDERS.flatMap(listSources);
    const whole = files.filter((path) =>
      /^import (?!type)(?!\* as z )[^;]*from "zod";/m.test(readFileSync(path, "utf8")),
    );

    expect(whole).toEqual([]);
  });

  it("no source file imports by a computed or late import, which no rule would see, but three", () => {
    // A generated file holds text about code.
    const files = SOURCE_FOLDERS.flatMap(listSources).filter(
      (path) => !path.endsWith("generated.ts"),
    );
    const late = files.filter((path) => /\bimport\(|\brequire\(/.test(readFileSync(path, "utf8")));

    expect(late.toSorted()).toEqual([
      "sdk/events/load-parts.ts",
      "sdk/store/load-called-agents.ts",
      "worker/members/passkeys.ts",
    ]);
  });

  it("what an app loads late is of the SDK or the ground floor", () => {
    const source = readFileSync("sdk/events/load-parts.ts", "utf8");

    const imports = [...source.matchAll(/\bimport\(([^)]*)\)/g)].map(([, what]) => what);

    expect(imports).toEqual([
      '"../answers/answering.ts"',
      '"./progress-fetch.ts"',
      '"./read-event-page.ts"',
      '"./socket-stream.ts"',
      '"../voice/open-voice.ts"',
      '"../../protocol/fold/grow-data.ts"',
    ]);
  });
});
