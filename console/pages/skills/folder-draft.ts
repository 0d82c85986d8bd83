// The folder of a skill while a person writes it: SKILL.md, the other files, their sizes and what is wrong with them.
import { ApiError, type Reprise } from "../../../sdk/index.ts";
import { failureText } from "../../components/failure-text.ts";
import { formatBytes } from "../../components/charts/format-number.ts";

export const MAIN_FILE = "SKILL.md";

/** The platform's own bounds, to say early what it would refuse. */
export const FOLDER_LIMITS = {
  files: 200,
  fileBytes: 1_000_000,
  folderBytes: 5_000_000,
  mainBytes: 200_000,
} as const;

type FileContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly bytes: Uint8Array };

/** A file beside SKILL.md. */
export interface FileDraft {
  /** Key for the page alone: a path may change, and two may be the same for a while. */
  readonly key: string;
  readonly path: string;
  readonly content: FileContent;
}

export interface FolderDraft {
  /** The text of SKILL.md. */
  readonly main: string;
  readonly others: readonly FileDraft[];
}

/** Faults at their places. */
export interface FolderProblems {
  readonly main: string | null;
  /** Faults by the files' keys. */
  readonly others: ReadonlyMap<string, string>;
  /** Fault of the folder as a whole; null when each fault has a place. */
  readonly folder: string | null;
}

export const NO_PROBLEMS: FolderProblems = { main: null, others: new Map(), folder: null };

export const NEW_FOLDER: FolderDraft = {
  main: `---
name: my-skill
description: What it is for, and when to use it.
---

What to do, step by step. For the rest see references/details.md.
`,
  others: [],
};

let drafts = 0;

export function fileDraft(path: string, content: FileContent): FileDraft {
  drafts += 1;
  return { key: `file ${drafts}`, path, content };
}

/** Bytes that are UTF-8 without a zero are text, as the platform takes them. */
export function contentOf(bytes: Uint8Array): FileContent {
  if (bytes.includes(0)) return { kind: "binary", bytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: "text", text };
  } catch {
    return { kind: "binary", bytes };
  }
}

/** Size of the content, in bytes of UTF-8. */
export function bytesOf(content: FileContent): number {
  return content.kind === "binary" ? content.bytes.length : textBytes(content.text);
}

export function folderBytes({ main, others }: FolderDraft): number {
  return others.reduce((sum, { content }) => sum + bytesOf(content), textBytes(main));
}

function textBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Faults of size, which the platform would refuse. */
export function sizeProblems(draft: FolderDraft): FolderProblems {
  const { files, fileBytes, folderBytes: mostBytes, mainBytes } = FOLDER_LIMITS;
  const large = draft.others.filter(({ content }) => bytesOf(content) > fileBytes);
  const count = draft.others.length + 1;
  const bytes = folderBytes(draft);
  return {
    main: textBytes(draft.main) > mainBytes ? `It may have ${formatBytes(mainBytes)}.` : null,
    others: new Map(large.map(({ key }) => [key, `A file may have ${formatBytes(fileBytes)}.`])),
    folder:
      count > files
        ? `A skill has ${files} files at most; these are ${count}.`
        : bytes > mostBytes
          ? `All files together may have ${formatBytes(mostBytes)}; these have ${formatBytes(bytes)}.`
          : null,
  };
}

export function hasProblems({ main, others, folder }: FolderProblems): boolean {
  return main !== null || others.size > 0 || folder !== null;
}

/** A refusal by the places that it names. */
export function refusalProblems(error: unknown, draft: FolderDraft): FolderProblems {
  const others = new Map<string, string>();
  const rest: string[] = [];
  let main: string | null = null;
  for (const { pointer, detail } of ApiError.isInstance(error) ? error.errors : []) {
    const index = Number(/^#\/files\/(\d+)/.exec(pointer)?.[1] ?? Number.NaN);
    const file = draft.others[index - 1];
    if (index === 0) main ??= sentence(detail);
    else if (file) others.set(file.key, others.get(file.key) ?? sentence(detail));
    else rest.push(sentence(detail));
  }
  if (main === null && others.size === 0 && rest.length === 0) {
    const isLate = ApiError.isInstance(error) && error.code === "version_mismatch";
    const advice = " Nothing was written. Copy what you changed, and begin anew from that version.";
    rest.push(`${failureText(error)}${isLate ? advice : ""}`);
  }
  return { main, others, folder: rest.length === 0 ? null : rest.join(" ") };
}

function sentence(detail: string): string {
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
}

/** As the API takes it: SKILL.md first, then the others in their order. */
export function toFiles({ main, others }: FolderDraft) {
  return [
    { path: MAIN_FILE, text: main },
    ...others.map(({ path, content }) =>
      content.kind === "text"
        ? { path: path.trim(), text: content.text }
        : { path: path.trim(), base64: toBase64(content.bytes) },
    ),
  ];
}

/** Bytes that one call takes as arguments. */
const CHUNK_BYTES = 8_192;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  }
  return btoa(binary);
}

/** Adds files; one at a path that there is takes the place of the one before, and SKILL.md that of the text. */
export function withFiles(draft: FolderDraft, added: readonly FileDraft[]): FolderDraft {
  let next = draft;
  for (const file of added) {
    if (file.path === MAIN_FILE && file.content.kind === "text") {
      next = { ...next, main: file.content.text };
      continue;
    }
    const at = next.others.findIndex(({ path }) => path === file.path);
    const others =
      at === -1
        ? [...next.others, file]
        : next.others.with(at, { ...file, key: next.others[at]?.key ?? file.key });
    next = { ...next, others };
  }
  return next;
}

/** Requests at a time: a skill may have 200 files. */
const READS_AT_ONCE = 6;

/** The folder of a version, with all of its bytes. */
export async function readFolder(
  reprise: Reprise,
  skillId: string,
  version: number,
): Promise<FolderDraft> {
  const { files } = await reprise.skills.version(skillId, version);
  const waiting = [...files.entries()];
  const read: FileDraft[] = [];
  async function readOn(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, { path }] = next;
      // Each worker reads one file after the other.
      const response = await reprise.skills.content(skillId, version, path);
      read[index] = fileDraft(path, contentOf(new Uint8Array(await response.arrayBuffer())));
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
  return withFiles({ main: "", others: [] }, read);
}
