// The release before this one, as a folder from which it can be started.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { buildConsole, CONSOLE_FILES } from "../../../scripts/console/build-console.ts";

/** Its tag, and the commit of that tag for clones that were made without tags. Set anew with each release. */
const LAST_RELEASE = { tag: "v0.1.0", commit: "81b41fe7cb492b7ace95784d85a106dc000c2e65" };

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PACKAGES = "node_modules";

/**
 * The last release's files with the page of this one: what a browser has whose page was loaded while a new release is
 * rolled out, or rolled back.
 * @returns its folder, which `remove` deletes.
 */
export async function checkOutLastRelease(): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-last-release-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, "release.tar");
    execFileSync("git", ["archive", "--output", archive, findCommit()], { cwd: ROOT });
    execFileSync("tar", ["-xf", archive], { cwd: folder });
    rmSync(archive);
    installPackages(folder);
    // Its own page is built first: the stamp that this leaves keeps its start from building again.
    execFileSync(process.execPath, ["scripts/console/main.ts"], { cwd: folder });
    await buildConsole();
    const page = join(folder, "dist/assets/console");
    rmSync(page, { recursive: true });
    mkdirSync(page);
    cpSync(CONSOLE_FILES, page, { recursive: true });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function findCommit(): string {
  const { tag, commit } = LAST_RELEASE;
  for (const name of [`refs/tags/${tag}^{commit}`, `${commit}^{commit}`]) {
    try {
      const args = ["rev-parse", "--verify", "--quiet", name];
      return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
    } catch {
      // The next one.
    }
  }
  throw new Error(`${tag} is not in this clone: git fetch --unshallow --tags`);
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

/** Packages of this release when it has each of the last one's in the same version, and otherwise the last one's own. */
function installPackages(folder: string): void {
  const { packages } = readLockfile(ROOT);
  const isWithin = Object.entries(readLockfile(folder).packages).every(
    ([place, { version }]) => place === "" || packages[place]?.version === version,
  );
  if (isWithin) symlinkSync(join(ROOT, PACKAGES), join(folder, PACKAGES));
  else execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" });
}

function readLockfile(folder: string): Lockfile {
  return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as Lockfile;
}
