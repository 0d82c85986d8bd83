// Files and folders whose change gives power over what runs later: shells, version control, editors, keys.

const FILES =
  "gitconfig gitmodules bashrc bash_profile bash_login bash_logout bash_aliases zshrc zshenv zprofile zlogin zlogout profile netrc npmrc pypirc mcp.json";
const FOLDERS = "git vscode idea ssh gnupg aws kube husky claude";

/** What some file systems cut off a name: dots and spaces at its end, a stream after a colon. */
const CUT_OFF = "[. ]*(?::[^/]*)?";
/** A folder has a short name too where file systems keep these. */
const SHORT = "~[0-9]+";
const NAMES = [
  `\\.(?:${alternatives(`${FILES} ${FOLDERS}`)})`,
  `(?:${alternatives(FOLDERS)})${SHORT}`,
  "\\.env[^/:]*",
].join("|");

/** Any segment. */
const DANGEROUS = new RegExp(`(?:^|/)(${NAMES})${CUT_OFF}(?=/|$)`, "i");
/** In `.github` only workflows are run. Replacing the folder `.github` replaces its workflows. */
const WORKFLOWS = new RegExp(
  `(?:^|/)(?:\\.github|github${SHORT})${CUT_OFF}(?:/(?:workflows|workfl${SHORT})${CUT_OFF}(?:/|$)|/*$)`,
  "i",
);

/** The first name that makes a normalised path dangerous, or null. Case makes no difference. */
export function findDangerousSegment(path: string): string | null {
  const segment = DANGEROUS.exec(path)?.[1]?.toLowerCase() ?? null;
  return segment === null && WORKFLOWS.test(path) ? ".github/workflows" : segment;
}

function alternatives(names: string): string {
  return names.replaceAll(".", "\\.").replaceAll(" ", "|");
}

/** Whether a normalised path lies below one of the folders; a folder is not inside itself. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder === "/" ? folder : `${folder}/`));
}
