// The folder of a skill in a request: its bytes, checked as a whole.
import { readSkillText } from "../../agent/skills/read-skill-text.ts";
import type { SkillFileInput } from "../../protocol/skills/skill-files.ts";
import type { SkillFile } from "../../protocol/skills/contract.ts";
import { readBase64Bytes } from "../../protocol/read-base64.ts";
import {
  MAX_SKILL_BYTES,
  MAX_SKILL_FILE_BYTES,
  MAX_SKILL_TEXT_BYTES,
} from "../../protocol/skills/limits.ts";
import { SNIFFED_BYTES } from "../../protocol/files/limits.ts";
import { SKILL_FILE } from "../../protocol/skills/skill.ts";
import { sniffType } from "../../storage/files/sniff-type.ts";
import { fieldError } from "../http-error.ts";

export interface ReadFolder {
  readonly name: string;
  readonly description: string;
  /** SKILL.md first, then by path. */
  readonly files: readonly SkillFile[];
  /** The bytes of all files, one behind the other. */
  readonly pack: Uint8Array;
  /** The offset at which the instructions begin in SKILL.md. */
  readonly body_offset: number;
}

interface Read {
  readonly index: number;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Null for bytes that are no text. */
  readonly text: string | null;
}

/** @throws HttpError 400 with a pointer for bytes that are no base64, too many bytes, or a SKILL.md that is none. */
export function readFolder(inputs: readonly SkillFileInput[]): ReadFolder {
  const read = inputs.map(readFile).toSorted(byPlace);
  const [main] = read;
  if (!main || main.path !== SKILL_FILE) {
    throw fieldError("validation_failed", "#/files", `the folder has no ${SKILL_FILE} at its top`);
  }
  const total = read.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > MAX_SKILL_BYTES) {
    const detail = `the files of a skill may have ${MAX_SKILL_BYTES} bytes together`;
    throw fieldError("validation_failed", "#/files", detail);
  }
  const pointer = `#/files/${main.index}`;
  if (main.bytes.length > MAX_SKILL_TEXT_BYTES) {
    const detail = `${SKILL_FILE} may have ${MAX_SKILL_TEXT_BYTES} bytes`;
    throw fieldError("validation_failed", pointer, detail);
  }
  const skill = readSkillText(main.text ?? "");
  if (main.text === null || !skill.ok) {
    const problem = skill.ok || main.text === null ? "it is no UTF-8 text" : skill.problem;
    throw fieldError("validation_failed", pointer, `${SKILL_FILE}: ${problem}`);
  }
  const { name, description, body_offset } = skill;
  return { name, description, body_offset, files: read.map(describe), pack: join(read, total) };
}

function readFile({ path, text, base64 = "" }: SkillFileInput, index: number): Read {
  const bytes = text === undefined ? readBase64Bytes(base64) : new TextEncoder().encode(text);
  if (!bytes) {
    const detail = "this is no base64";
    throw fieldError("validation_failed", `#/files/${index}/base64`, detail);
  }
  if (bytes.length > MAX_SKILL_FILE_BYTES) {
    const detail = `a file of a skill may have ${MAX_SKILL_FILE_BYTES} bytes`;
    throw fieldError("validation_failed", `#/files/${index}`, detail);
  }
  return { index, path, bytes, text: readText(bytes) };
}

/** By units, so that the order is the same everywhere. */
function byPlace(one: Read, other: Read): number {
  if (one.path === SKILL_FILE || other.path === SKILL_FILE) return one.path === SKILL_FILE ? -1 : 1;
  return one.path < other.path ? -1 : 1;
}

function readText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Types of text by the end of its path: its bytes do not tell them. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  csv: "text/csv",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
  toml: "application/toml",
  py: "text/x-python",
  js: "text/javascript",
  css: "text/css",
};

function describe({ path, bytes, text }: Read): SkillFile {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const found = sniffType(head, head.length === bytes.length);
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const is_text = text !== null;
  const plain = is_text ? "text/plain" : "application/octet-stream";
  const isPlain = is_text && (found === null || found === "text/plain");
  const media_type = (isPlain ? TEXT_TYPES[ending] : found) ?? plain;
  return { path, bytes: bytes.length, media_type, is_text };
}

function join(read: readonly Read[], total: number): Uint8Array {
  const pack = new Uint8Array(total);
  let offset = 0;
  for (const { bytes } of read) {
    pack.set(bytes, offset);
    offset += bytes.length;
  }
  return pack;
}
