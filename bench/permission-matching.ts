// `npx node bench/permission-matching.ts [--check]`: cost of one rule on hostile text, by size. With --check it fails
// beyond a target.
import { checkCall, type PermissionSettings } from "../agent/permission/check-call.ts";
import { MAX_PATH_CHARACTERS as MAX_PATH } from "../agent/permission/paths/normalize-path.ts";
import type { PermissionRule, RuleSyntax } from "../protocol/messages/permission.ts";
import { ruleTool } from "./permission-decisions.ts";

const SIZES = [12_500, 25_000, 50_000, 100_000];
const WARM_UPS = 20;
/** Many rounds, because processor time is counted in steps. */
const ROUNDS = 100;
const MAX_MS = 5;
/** Allowed growth for the last doubling of the size: 2, plus noise. */
const MAX_RATIO = 2.6;
/** Smaller times are noise. */
const MIN_RATIO_MS = 0.2;

interface Family {
  readonly syntax: RuleSyntax;
  readonly name: string;
  /** Makes a rule's content and a call's argument of about `size` characters each. */
  readonly make: (size: number) => readonly [content: string, argument: string];
}

const FAMILIES: readonly Family[] = [
  { syntax: "exact", name: "equal but for the end", make: (size) => [a(size), `${a(size - 1)}b`] },
  {
    syntax: "glob",
    name: "*a*a*a… on aaa…",
    make: (size) => [`${"*a".repeat(size / 2)}b`, a(size)],
  },
  {
    syntax: "glob",
    name: "*aaa…b on aaa…",
    make: (size) => [`*${a(size / 2)}b*`, a(size)],
  },
  {
    syntax: "glob",
    name: "*a?a?a?…b on aaa…",
    make: (size) => [`*${"a?".repeat(size / 4)}b*`, a(size)],
  },
  {
    syntax: "glob",
    name: "*[a-z][a-z]…! on aaa…",
    make: (size) => [`*${"[a-z]".repeat(size / 5)}!*`, a(size)],
  },
  { syntax: "glob", name: "[[[[… on [[[…", make: (size) => ["[".repeat(size), "[".repeat(size)] },
  {
    syntax: "path",
    name: "**/a/**/a/… on a/a/a/…",
    make: (size) => ["**/a/".repeat(size / 5), cut("a/".repeat(size / 2))],
  },
  {
    syntax: "path",
    name: "/x/../x/../… on itself",
    make: (size) => ["/x/..".repeat(size / 5), cut("/x/..".repeat(size / 5))],
  },
  {
    syntax: "path",
    name: "*a*… on %61%61…",
    make: (size) => ["*a".repeat(size / 2), cut("%61".repeat(size / 3))],
  },
  {
    syntax: "path",
    name: "*é* on marks",
    make: (size) => ["*e\u0301".repeat(size / 3), cut("e\u0301\u0316".repeat(size / 3))],
  },
  {
    syntax: "command",
    name: "substring aaa…b in aaa…",
    make: (size) => [`${a(size / 2)}b`, a(size)],
  },
  {
    syntax: "command",
    name: "* a* a*… on a a a…",
    make: (size) => ["* a".repeat(size / 3), "a ".repeat(size / 2)],
  },
  {
    syntax: "command",
    name: "*a*… on a;a;a;…",
    make: (size) => ["*a".repeat(size / 2), "a;".repeat(size / 2)],
  },
  {
    syntax: "command",
    name: "*a*… on $($($(…",
    make: (size) => ["*a".repeat(size / 2), "$(".repeat(size / 2)],
  },
  {
    syntax: "command",
    name: "*a*… on ((((…",
    make: (size) => ["*a".repeat(size / 2), "(".repeat(size)],
  },
  {
    syntax: "command",
    name: "*a*… on ''''…",
    make: (size) => ["*a".repeat(size / 2), "'".repeat(size + 1)],
  },
  {
    syntax: "command",
    name: '*a*… on "$x"…',
    make: (size) => ["*a".repeat(size / 2), '"$x"'.repeat(size / 4)],
  },
  {
    syntax: "command",
    name: "*c*… on sudo -a b -a b …",
    make: (size) => ["*c".repeat(size / 2), `sudo ${"-a b ".repeat(size / 5)}`],
  },
  {
    syntax: "command",
    name: "*c*… on eval 'eval …'",
    make: (size) => ["*c".repeat(size / 2), `eval eval eval eval ${a(size)}`],
  },
];

/** Longer paths are refused without matching. */
function cut(path: string): string {
  return path.slice(0, MAX_PATH);
}

function a(count: number): string {
  return "a".repeat(count);
}

/** Milliseconds of processor time of one decision, under a deny or an allow rule, whichever takes longer. */
function measure({ syntax, make }: Family, size: number): number {
  const [rule_content, argument] = make(size);
  const tool = ruleTool(syntax);
  const behaviors = ["deny", "allow"] as const;
  const worst = behaviors.map((behavior) => {
    const rule: PermissionRule = { tool_name: "t", rule_content, behavior, source: "bench" };
    const context: PermissionSettings = {
      mode: "default",
      rules: [rule],
      working_directories: ["/work"],
    };
    const decide = (): unknown => checkCall(context, tool, { argument });
    for (let round = 0; round < WARM_UPS; round += 1) decide();
    const before = process.threadCpuUsage();
    for (let round = 0; round < ROUNDS; round += 1) decide();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000 / ROUNDS;
  });
  return Math.max(...worst);
}

/** @returns Whether the family met every target. */
function report(family: Family): boolean {
  const timesMs = SIZES.map((size) => measure(family, size));
  const [before = 0, last = 0] = timesMs.slice(-2);
  const ratio = last / before;
  const isMet = last < MAX_MS && (ratio < MAX_RATIO || last < MIN_RATIO_MS);
  const cells = timesMs.map((timeMs) => timeMs.toFixed(2).padStart(8));
  console.log(
    `${family.syntax.padEnd(8)} ${family.name.padEnd(26)} ${cells.join(" ")} ${(last < MIN_RATIO_MS ? "–" : ratio.toFixed(1)).padStart(6)}${isMet ? "" : "  missed"}`,
  );
  return isMet;
}

console.log(
  `${"syntax".padEnd(8)} ${"pattern on input".padEnd(26)} ${SIZES.map((size) => `${size / 1_000} kB`.padStart(8)).join(" ")}  ratio`,
);
const areMet = FAMILIES.map(report);
if (process.argv.includes("--check") && areMet.includes(false)) process.exitCode = 1;
