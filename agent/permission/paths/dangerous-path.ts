// Recognises files and folders that control what runs later: of shells, version control, editors, keys.

const FILES =
  "gitconfig gitmodules bashrc bash_profile bash_login bash_logout bash_aliases zshrc zshenv zprofile zlogin zlogout profile netrc npmrc pypirc mcp.json";
const FOLDERS = "git vscode idea ssh gnupg aws kube husky claude";

/** Suffixes that some file systems ignore: dots and spaces at the end of a name, a stream after a colon. */
const IGNORED_SUFFIX = "[. ]*(?::[^/]*)?";
/** The suffix of 8.3 short names. */
const SHORT = "~[0-9]+";
const NAMES = [
  `\\.(?:${alternatives(`${FILES} ${FOLDERS}`)})`,
  `(?:${alternatives(FOLDERS)})${SHORT}`,
  "\\.env[^/:]*",
].join("|");

/** A dangerous name as any segment of a path. */
const DANGEROUS = new RegExp(`(?:^|/)(${NAMES})${IGNORED_SUFFIX}(?=/|$)`, "i");
/** In `.github` only workflows are executed; replacing the folder `.github` replaces them. */
const WORKFLOWS = new RegExp(
  `(?:^|/)(?:\\.github|github${SHORT})${IGNORED_SUFFIX}(?:/(?:workflows|workfl${SHORT})${IGNORED_SUFFIX}(?:/|$)|/*$)`,
  "i",
);

/** The first segment that makes a normalised path dangerous, or null. Case-insensitive. */
export function findDangerousSegment(path: string): string | null {
  const segment = DANGEROUS.exec(path)?.[1]?.toLowerCase() ?? null;
  return segment === null && WORKFLOWS.test(path) ? ".github/workflows" : segment;
}

function alternatives(names: string): string {
  return names.replaceAll(".", "\\.").replaceAll(" ", "|");
}

/** Whether a normalised path is below one of the folders; a folder is not inside itself. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder === "/" ? folder : `${folder}/`));
}
