// Lays the realistic ability of `test/realistic-ability/` over a copy of the tree: its files, and its edits of existing ones.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Folder of the ability: `files/`, which mirrors the tree, and `edits.json`. */
const ABILITY = "test/realistic-ability";
/** Suffix of the ability's files: where they lie, their imports lead nowhere. */
const SUFFIX = ".txt";

/** An insertion in an existing file, behind a text that the file has once. */
interface Edit {
  readonly file: string;
  readonly after: string;
  readonly insert: string;
}

export interface OverlaidCopy {
  /** Existing files that are edited, each once. */
  readonly edited: readonly string[];
  /** Edits and files that do not fit the tree, a line for each. */
  readonly problems: readonly string[];
}

/** @param root Of the repository. @param target An empty folder. */
export function layOverCopy(root: string, target: string): OverlaidCopy {
  copyTree(root, target);
  const problems: string[] = [];
  const files = join(root, ABILITY, "files");
  for (const name of readdirSync(files, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(SUFFIX)) continue;
    const path = join(target, name.slice(0, -SUFFIX.length));
    if (existsSync(path)) problems.push(`${name}: the tree has this file already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, readFileSync(join(files, name)));
  }
  const edits = JSON.parse(readFileSync(join(root, ABILITY, "edits.json"), "utf8")) as Edit[];
  for (const { file, after, insert } of edits) {
    const path = join(target, file);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const [before, behind, ...more] = text.split(after);
    if (before === undefined || behind === undefined || more.length > 0) {
      problems.push(`${file}: this is not found once: ${after.trim()}`);
      continue;
    }
    writeFileSync(path, before + after + insert + behind);
  }
  return { edited: [...new Set(edits.map(({ file }) => file))], problems };
}

/** The tree as it is, with files that are not committed yet and those that are generated; packages by a link. */
function copyTree(root: string, target: string): void {
  const own = listFiles(root, ["--cached", "--others", "--exclude-standard"]);
  const generated = listFiles(root, [
    "--others",
    "--ignored",
    "--exclude-standard",
    "--",
    "*.generated.ts",
    ":!node_modules",
  ]);
  for (const name of [...own, ...generated]) {
    const path = join(target, name);
    // A file that was deleted is listed until that is committed.
    if (!existsSync(join(root, name))) continue;
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(root, name), path);
  }
  symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
}

function listFiles(root: string, parameters: readonly string[]): readonly string[] {
  const { stdout, status } = spawnSync("git", ["ls-files", "-z", ...parameters], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  if (status !== 0) throw new Error("git cannot list the files of the tree");
  return stdout.split("\0").filter((name) => name !== "");
}
