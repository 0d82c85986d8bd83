// The input of a run: the texts of its trigger with values of the payload in them. Values are text of somebody else: nothing
// in them is read as a template again.
import { MAX_RUN_INPUT_BYTES } from "../../protocol/triggers/limits.ts";
import { fixedText, textsOf } from "../../protocol/triggers/payload-template.ts";
import type { TriggeredInput } from "../../protocol/triggers/run-input.ts";
import { utf8Bytes, withinBytes } from "../../protocol/utf8-bytes.ts";
import { readTemplate } from "../../protocol/words/read-template.ts";

/** Stands behind a value of which a part is left out. */
const CUT = "…";

export interface FilledInput {
  readonly input: TriggeredInput;
  /** A value of the payload is in it. */
  readonly has_payload: boolean;
}

/**
 * A member that the payload lacks leaves nothing behind, since one address gets events of many kinds. Of values that are too
 * long together the longest ones lose their ends, so that short ones and the trigger's own words stay whole.
 */
export function fillInput(input: TriggeredInput, payload: unknown): FilledInput {
  const templates = textsOf(input).map((text) => {
    const template = readTemplate(text);
    return template.ok ? template.parts : [text];
  });
  const fixedBytes = templates.reduce((sum, parts) => sum + utf8Bytes(fixedText(parts)), 0);
  const read = memberReader(payload);
  const values = templates.flatMap((parts) =>
    parts.flatMap((part) => (typeof part === "string" ? [] : [read(part)])),
  );
  const mostBytes = bytesOfEach(values, Math.max(MAX_RUN_INPUT_BYTES - fixedBytes, 0));
  const texts = templates.map((parts) =>
    parts.map((part) => (typeof part === "string" ? part : cutTo(read(part), mostBytes))).join(""),
  );
  const has_payload = values.some((value) => value !== "");
  if (typeof input === "string") return { input: texts[0] ?? "", has_payload };
  return {
    input: input.map((block, index) => ({ ...block, text: texts[index] ?? "" })),
    has_payload,
  };
}

/** The member of a payload at a path; undefined when it has none. */
export function memberAt(payload: unknown, path: readonly string[]): unknown {
  let found = payload;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/**
 * Texts of members, each made once and no longer than an input may be: a template may name a large member many times, and
 * what is behind that length would be cut off anyway.
 */
function memberReader(payload: unknown): (path: readonly string[]) => string {
  const texts = new Map<string, string>();
  return (path) => {
    const name = JSON.stringify(path);
    const text = texts.get(name) ?? textAt(payload, path).slice(0, MAX_RUN_INPUT_BYTES + 1);
    texts.set(name, text);
    return text;
  };
}

function textAt(payload: unknown, path: readonly string[]): string {
  const value = memberAt(payload, path);
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cutTo(text: string, mostBytes: number): string {
  if (utf8Bytes(text) <= mostBytes) return text;
  const room = mostBytes - utf8Bytes(CUT);
  return room > 0 ? `${withinBytes(text, room)}${CUT}` : "";
}

/** Bytes that no value may exceed, so that all of them fit: infinite where they do. */
function bytesOfEach(values: readonly string[], room: number): number {
  const sizes = values.map(utf8Bytes).sort((one, other) => one - other);
  let left = room;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}
