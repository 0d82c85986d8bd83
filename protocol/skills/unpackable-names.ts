// Names that some system cannot give a file or a folder, so that a skill could not be unpacked there.
import { MAX_SKILL_FILE_NAME_BYTES } from "./limits.ts";
import { utf8Bytes } from "../utf8-bytes.ts";

/** Devices of Windows, which has them under each ending too: `nul.txt`. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;
/** Characters that Windows keeps for itself, and code points that Unicode has not assigned, which macOS refuses. */
const KEPT = /[<>"|?*\p{Cn}]/u;

/** The reason that a file or a folder cannot have this name everywhere; null when it can. */
export function findUnpackableName(name: string): string | null {
  if (KEPT.test(name)) return 'a name holds none of < > " | ? * and no unassigned character';
  const stem = name.split(".")[0]?.trimEnd() ?? "";
  if (DEVICE.test(stem)) return `${stem} is a device on Windows, and no name of a file there`;
  if (utf8Bytes(name) > MAX_SKILL_FILE_NAME_BYTES)
    return `a name has ${MAX_SKILL_FILE_NAME_BYTES} bytes of UTF-8 at most`;
  return null;
}

/** The same text for two paths that are one on some system: for which capitals or forms of letters do not count. */
export function foldPath(path: string): string {
  return path.toUpperCase().toLowerCase().normalize("NFKC");
}
