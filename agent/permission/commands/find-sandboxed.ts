// Finds the command that `bwrap` runs in a sandbox. Its options take up to three arguments, so that the general rule
// for options fails: `bwrap --ro-bind /usr /usr --setenv A b rm x`.
import type { CommandWord } from "./command-part.ts";

/** Options by their number of arguments. `--args` is not among them: it reads more from a file. */
const OPTIONS: ReadonlyMap<string, number> = new Map([
  ...options(
    0,
    "unshare-all share-net unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net unshare-uts unshare-cgroup unshare-cgroup-try disable-userns assert-userns-disabled clearenv new-session die-with-parent as-pid-1 level-prefix help version",
  ),
  ...options(
    1,
    "argv0 userns userns2 pidns uid gid hostname chdir unsetenv lock-file sync-fd remount-ro exec-label file-label proc dev tmpfs mqueue dir seccomp add-seccomp-fd block-fd userns-block-fd info-fd json-status-fd cap-add cap-drop perms size overlay-src tmp-overlay ro-overlay",
  ),
  ...options(
    2,
    "setenv bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd file bind-data ro-bind-data symlink chmod",
  ),
  ...options(3, "overlay"),
]);

/** The index of the command's first word, which may be past the last one; null when it is uncertain. */
export function findSandboxed(words: readonly CommandWord[], from: number): number | null {
  for (let at = from; at < words.length; at += 1) {
    const word = words[at];
    if (!word?.text.startsWith("--")) return at;
    if (word.text === "--") return at + 1;
    const own = OPTIONS.get(word.text);
    if (own === undefined) return null;
    const values = words.slice(at + 1, at + 1 + own);
    // An unknown word or a pattern may become none or several words at run time.
    if (values.some(({ isUnknown, hasWildcard }) => isUnknown || hasWildcard)) return null;
    at += own;
  }
  return words.length;
}

function options(own: number, names: string): readonly (readonly [string, number])[] {
  return names.split(" ").map((name) => [`--${name}`, own] as const);
}
