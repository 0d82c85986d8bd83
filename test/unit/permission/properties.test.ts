import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compileGlob, matchGlob, toCodePoints } from "../../../agent/permission/patterns/glob.ts";
import { normalizePath, readPath } from "../../../agent/permission/paths/normalize-path.ts";
import { readCommand } from "../../../agent/permission/commands/read-command.ts";
import { runs } from "../../support/breadth.ts";
import { BASH, check, WRITE } from "./permission-tools.ts";

const RUNS = { numRuns: runs(500), seed: 20_261_121 };

/** The pattern as the standard table of answers for every prefix: slow, and plainly right. */
function fitsByTable(pattern: string, text: string): boolean {
  let row = [true, ...Array.from(text, () => false)];
  for (const token of pattern) {
    const next = [token === "*" && row[0] === true];
    for (let at = 1; at < row.length; at += 1) {
      const isOne = token === "?" || token === text[at - 1];
      next.push(
        token === "*" ? row[at] === true || next[at - 1] === true : isOne && row[at - 1] === true,
      );
    }
    row = next;
  }
  return row.at(-1) === true;
}

const program = fc.constantFrom("rm x", "rm", "rm -i 'a b'", "/bin/rm x", "X=1 rm x", "sudo rm x");
const harmless = fc.constantFrom(
  "ls",
  "echo 'a;b'",
  'echo "a && b"',
  "cat a\\;b",
  "true",
  "git log",
);
const joint = fc.constantFrom(";", " ; ", "&&", " && ", "||", "|", " & ", "\n", "\r\n", "|&");
const wrap = fc.constantFrom<(command: string) => string>(
  (command) => command,
  (command) => `(${command})`,
  (command) => `echo $(${command})`,
  (command) => `echo "$(${command})"`,
  (command) => `echo \`${command}\``,
  (command) => `{ ${command}; }`,
  (command) => `cat <(${command})`,
  (command) => `echo \${x:-$(${command})}`,
);

describe("a compound command", () => {
  it("is denied when any part is, however it is joined and wrapped", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(harmless, joint), { maxLength: 4 }),
        program,
        wrap,
        fc.array(fc.tuple(joint, harmless), { maxLength: 4 }),
        (before, denied, wrapped, after) => {
          const command = [...before.flat(), wrapped(denied), ...after.flat()].join("");
          const permission = check(BASH, command, {
            mode: "bypass",
            rules: ["deny Bash rm:*", "allow Bash"],
          });

          expect(permission.behavior).toBe("deny");
        },
      ),
      RUNS,
    );
  });

  it("is allowed only when every part is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("npm test", "make all", "ls -l"), { minLength: 1, maxLength: 5 }),
        joint,
        fc.boolean(),
        (parts, operator, hasForeign) => {
          const command = [...parts, ...(hasForeign ? ["curl x"] : [])].join(operator);
          const permission = check(BASH, command, {
            rules: ["allow Bash npm:*", "allow Bash make:*"],
          });

          expect(permission.behavior).toBe(hasForeign ? "ask" : "allow");
        },
      ),
      RUNS,
    );
  });

  it("is read whatever it is made of", () => {
    const piece = fc.constantFrom(
      ..."ab \t\n;&|<>()'\"\\$`{}#*?[]=-~!0".split(""),
      "$(",
      "${",
      "<<",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const read = readCommand(text);
        const characters = read.parts.flatMap((part) => part.words).map((word) => word.text);

        // Each character belongs to one word at most.
        expect(characters.join("").length).toBeLessThanOrEqual(text.length);
      }),
      RUNS,
    );
  });
});

describe("a path", () => {
  const segment = fc.constantFrom("", ".", "..", "a", "b.c", ".d", "~", "...");
  const path = fc.array(segment, { maxLength: 8 }).map((segments) => segments.join("/"));

  it("is the same after being normalised twice", () => {
    fc.assert(
      fc.property(path, fc.constantFrom("/work", "/", undefined), (text, base) => {
        const once = normalizePath(text, base);

        expect(normalizePath(once, base)).toBe(once);
      }),
      RUNS,
    );
  });

  it("never leaves the root", () => {
    fc.assert(
      fc.property(path, (text) => {
        expect(normalizePath(`/${text}`, undefined).split("/")).not.toContain("..");
      }),
      RUNS,
    );
  });

  it("is denied in every spelling of one that is denied", () => {
    const spelling = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.replaceAll("/", "\\"),
      (text) => text.replaceAll("/", "%2F"),
      (text) => text.toUpperCase(),
      (text) => `/x/..${text}`,
      (text) => text.replaceAll("/", "/./"),
      (text) => `${text}\0`,
    );
    fc.assert(
      fc.property(fc.constantFrom("/a/secret", "/a/b/secret"), spelling, (text, spell) => {
        const permission = check(WRITE, spell(text), { rules: ["deny Write /a/**"] });

        expect(permission.behavior).toBe("deny");
      }),
      RUNS,
    );
  });

  it("has its plain meaning among its meanings", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const { paths, isReadable } = readPath(text, "/work");

        expect(paths.includes(normalizePath(text, "/work")) || !isReadable).toBe(true);
      }),
      RUNS,
    );
  });
});

describe("a wildcard pattern", () => {
  it("fits what the table says", () => {
    const character = fc.constantFrom("a", "b", "*", "?");
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(character, { maxLength: 10 }), text, (pattern, value) => {
        const verdict = matchGlob(compileGlob(pattern.join("")), toCodePoints(value));

        // Unsure is an answer only where a piece is long.
        if (verdict !== "unsure")
          expect(verdict === "yes").toBe(fitsByTable(pattern.join(""), value));
        else expect(pattern.length).toBeGreaterThan(6);
      }),
      { ...RUNS, numRuns: runs(3_000) },
    );
  });
});
