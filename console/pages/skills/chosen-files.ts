// Files from a person's disk: chosen, or dropped, single ones or a folder.
import { formatBytes } from "../../components/charts/format-number.ts";
import { contentOf, fileDraft, FOLDER_LIMITS, MAIN_FILE, type FileDraft } from "./folder-draft.ts";

interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

interface ReadFiles {
  readonly files: readonly FileDraft[];
  /** Files that were not taken, and why. */
  readonly refused: readonly string[];
}

/** Files of an `<input type="file">`. */
export function filesOfInput(list: FileList): readonly ChosenFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Files of a drop; folders are read with all that is in them, up to one file more than a skill may have. */
export async function filesOfDrop(transfer: DataTransfer): Promise<readonly ChosenFile[]> {
  // The list is gone when this task ends.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return filesOfInput(transfer.files);
  const found: ChosenFile[] = [];
  const folders: FileSystemDirectoryEntry[] = [];
  async function take(entry: FileSystemEntry): Promise<void> {
    if (isFolder(entry)) folders.push(entry);
    else if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    }
  }
  for (const entry of entries) {
    // In the order in which they are listed.
    await take(entry);
  }
  for (
    let folder = folders.shift();
    folder && found.length <= FOLDER_LIMITS.files;
    folder = folders.shift()
  ) {
    const reader = folder.createReader();
    for (;;) {
      // A reader gives a part of its folder at each call, and nothing at its end.
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (part.length === 0 || found.length > FOLDER_LIMITS.files) break;
      for (const entry of part) {
        await take(entry);
      }
    }
  }
  return found;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

/** Reads them. A folder that holds all of them is the skill's own: its name is no part of their paths. */
export async function readChosen(chosen: readonly ChosenFile[]): Promise<ReadFiles> {
  const top = `${chosen[0]?.path.split("/")[0] ?? ""}/`;
  const isOneFolder = chosen.every(({ path }) => path.startsWith(top));
  const read = await Promise.all(
    chosen.slice(0, FOLDER_LIMITS.files + 1).map(async ({ path, file }) => {
      const name = (isOneFolder ? path.slice(top.length) : path).normalize("NFC");
      if (file.size > FOLDER_LIMITS.fileBytes) {
        const most = formatBytes(FOLDER_LIMITS.fileBytes);
        return `${name} has ${formatBytes(file.size)}; a file may have ${most}.`;
      }
      const content = contentOf(new Uint8Array(await file.arrayBuffer()));
      if (name === MAIN_FILE && content.kind === "binary") return `${name} is no UTF-8 text.`;
      return fileDraft(name, content);
    }),
  );
  return {
    files: read.filter((one) => typeof one !== "string"),
    refused: read.filter((one) => typeof one === "string"),
  };
}
