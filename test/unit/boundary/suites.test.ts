// Commands and the tests that they run, and the things that `npm test` does without: a browser, and others' clients of
// the platform.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path";

import { describe, expect, it } from "vitest";

import {
  breadthOf,
  chosenTests,
  importsTags,
  listTestFiles,
  SUITES,
} from "../../support/suites.ts";

interface Source {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
  /** Files by their paths from the root, packages by their names. */
  readonly imports: readonly string[];
}

const SOURCES: readonly Source[] = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter(
    (path) =>
      path.endsWith(".ts") &&
      !path.includes("node_modules/") &&
      !path.endsWith("boundary/suites.test.ts"),
  )
  .toSorted()
  .map((name) => {
    const path = join("test", name);
    const text = readFileSync(path, "utf8");
    const imports = [...text.matchAll(/^(?:import|export|\}).*\bfrom "([^"]+)";$/gm)].map(
      ([, from = ""]) => (from.startsWith(".") ? join(dirname(path), from) : from),
    );
    return { path, text, imports };
  });

/** Of `npm test` and `npm run test:broad`, which share them, and of `npm run test:all`, which runs both. */
const OWN = [...SUITES.unit, ...SUITES.worker, ...SUITES.conformance];

const COMMANDS = {
  "npm run test:all": OWN,
  "npm run test:matrix": SUITES.matrix,
  "npm run test:long": SUITES.long,
};

function isOf(command: keyof typeof COMMANDS): (path: string) => boolean {
  return (path) => COMMANDS[command].some((glob) => matchesGlob(path, glob));
}

/** The suites of `npm test`, and what they share with the others. */
const SHARED = SOURCES.filter(({ path }) => !/^test\/(?:matrix|long)\//.test(path));

describe("suites", () => {
  it("are each run by one command, and every test file is in one of them", () => {
    const globs = Object.values(COMMANDS).flat();
    const tests = SOURCES.map(({ path }) => path).filter((path) => path.endsWith(".test.ts"));

    const runs = tests.map((path) => ({
      path,
      suites: globs.filter((glob) => matchesGlob(path, glob)).length,
    }));

    expect(runs.filter(({ suites }) => suites !== 1)).toEqual([]);
    const matrix = tests.filter(isOf("npm run test:matrix"));
    expect(matrix).toContain("test/matrix/browser/ag-ui-page.test.ts");
    expect(tests.filter(isOf("npm run test:all")).length).toBeGreaterThan(matrix.length);
  });

  it("of `npm run test:all` are those of `npm test` and what it leaves out, by file and by tag", () => {
    const [narrow, broad, all] = ["narrow", "broad", "all"].map(chosenTests);
    const files = listTestFiles().filter(isOf("npm run test:all"));
    const runBy = (path: string) =>
      Object.entries({ narrow, broad, all }).flatMap(([name, chosen]) =>
        chosen?.exclude.includes(path) ? [] : [name],
      );

    const ran = Map.groupBy(files, (path) => runBy(path).join());

    expect([narrow, broad, all].map((chosen) => chosen?.tagsFilter)).toEqual([
      ["!broad"],
      ["broad"],
      undefined,
    ]);
    expect([...ran.keys()].toSorted()).toEqual(["broad,all", "narrow,all", "narrow,broad,all"]);
    expect(ran.get("broad,all")).toContain("test/conformance/kill.test.ts");
    expect(ran.get("narrow,broad,all")).toContain("test/tenancy/stored.test.ts");
    expect(ran.get("narrow,all")).toContain("test/unit/boundary/suites.test.ts");
  });

  it("have their tags from test/support/breadth.ts, in the file that is tagged", () => {
    const strays = SOURCES.filter(({ path, text }) => {
      const isWhole = path.endsWith(".test.ts") && breadthOf(path) === "broad";
      const isOther = /@module-tag|\btags: \["broad"/.test(text) && !isWhole;
      return isOther || (importsTags(text) && (isWhole || !path.endsWith(".test.ts")));
    });

    expect(strays.map(({ path }) => path)).toEqual([
      "test/support/breadth.ts",
      "test/support/suites.ts",
    ]);
  });

  it("of `npm test` bring no browser's driver along, and nothing of the other commands", () => {
    const strays = SHARED.flatMap(({ path, imports }) =>
      imports
        .filter((from) => /^playwright|^test\/(?:matrix|long)\//.test(from))
        .map((from) => `${path} imports ${from}`),
    );

    expect(strays).toEqual([]);
    const desk = SOURCES.find(({ path }) => path.endsWith("clients/thread-desk.ts"));
    expect(desk?.imports).toContain("test/matrix/clients/watched-agent.ts");
  });

  it("of `npm test` let a released client read texts, never the running platform", () => {
    const users = SHARED.filter(({ text }) => /\bHttpAgent\(|examples\/ag-ui/.test(text));

    const asked = users.map(({ path, text }) => ({
      path,
      addresses: [...text.matchAll(/\bHttpAgent\(\{\s*url: (.*),$/gm)].map(([, url]) => url),
      clients: text.split("HttpAgent(").length - 1,
    }));

    // An address without a server; the client gets a text for every request.
    const judge = { addresses: ['"http://client.invalid/"'], clients: 1 };
    expect(asked).toEqual([
      { path: "test/support/ag-ui-client.ts", ...judge },
      { path: "test/support/verify-ag-ui.ts", ...judge },
      { path: "test/unit/ag-ui/ag-ui-profiles.test.ts", ...judge },
      { path: "test/unit/rooms/room-ag-ui-verify.test.ts", ...judge },
    ]);
  });
});
