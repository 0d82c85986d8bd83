// Files and folders whose change gives power over what runs later: shells, version control, editors, keys.

const FILES =
  ".gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin .zlogout .profile .netrc .npmrc .pypirc";
/** The last is the short name of `.git` where file systems keep short names. */
const FOLDERS = ".git .vscode .idea .ssh .gnupg .aws .kube git~1";
const NAMES = `${FILES} ${FOLDERS}`.replaceAll(".", "\\.").replaceAll(" ", "|");

/** Any segment, with what some file systems cut off a name: dots and spaces at its end, a stream after a colon. */
const DANGEROUS = new RegExp(`(?:^|/)(${NAMES}|\\.env[^/:]*)[. ]*(?::[^/]*)?(?=/|$)`, "i");

/** The first segment of a normalised path that makes it dangerous, or null. Case makes no difference. */
export function findDangerousSegment(path: string): string | null {
  return DANGEROUS.exec(path)?.[1]?.toLowerCase() ?? null;
}

/** Whether a normalised path lies below one of the folders; a folder is not inside itself. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder === "/" ? folder : `${folder}/`));
}
