// The interpretation of a path by Windows and its file systems, which is added to the plain one.

/** Drive prefixes: `\\?\C:\`, `//./C:/`, `/C:/` as in a URL, `C:` alone, and the administrative share `\\host\c$\`. */
const DRIVE =
  /^(?:(?:[\\/]{2}[?.][\\/]|[\\/])?[A-Za-z]:|[\\/]{2}[^\\/]+[\\/][A-Za-z]\$(?=[\\/]|$))/;
/** An NTFS stream that is the file or folder itself: `x::$DATA`, `x:$I30:$INDEX_ALLOCATION`. */
const STREAM = /:[^/:]*:\$[A-Za-z_]+$/;

/** With forward slashes and without the drive. */
export function withSlashes(path: string): string {
  return path.replace(DRIVE, "").replaceAll("\\", "/");
}

/**
 * Without dots and spaces at the ends of names, and without the name of a stream that is the content itself.
 * @param isPattern Names with wildcards then stay as they are: `*.` is another pattern than `*`.
 */
export function withoutIgnoredSuffixes(path: string, isPattern = false): string {
  if (!/[. ](?:\/|$)|:\$/.test(path)) return path;
  const names = path.split("/");
  return names
    .map((name) => (isPattern && /[*?[]/.test(name) ? name : cutIgnoredSuffix(name)))
    .join("/");
}

/** The end of the path is cut first, then the stream, then the end of the name before it. */
function cutIgnoredSuffix(name: string): string {
  return withoutEnd(withoutEnd(name).replace(STREAM, ""));
}

function withoutEnd(name: string): string {
  const unspaced = name.slice(0, findEnd(name, " "));
  return unspaced === "." || unspaced === ".." ? unspaced : name.slice(0, findEnd(name, ". "));
}

/** A loop, because a regular expression would restart at each of many dots. */
function findEnd(name: string, cut: string): number {
  let end = name.length;
  while (end > 0 && cut.includes(name.charAt(end - 1))) end -= 1;
  return end;
}
