// Finds the sources of data blocks in a part of a request, at any depth, and puts others in their place.
import type { Base64Source, UrlSource } from "../../protocol/messages/blocks.ts";

export type MediaSource = Base64Source | UrlSource;

interface DataValue {
  readonly type: "data";
  readonly source: MediaSource;
}

/** A client's own values, which may look like anything. */
const OPAQUE = ["metadata", "input", "structured_output"];
/** The block whose other members are what a provider has stored with it. */
const OPAQUE_BLOCK = "thinking";

export interface FoundSource {
  readonly source: MediaSource;
  /** JSON Pointer to the source. */
  readonly pointer: string;
}

/** @param pointer Of `value` in the request. */
export function findSources(value: unknown, pointer: string): readonly FoundSource[] {
  const found: FoundSource[] = [];
  collectSources(value, [pointer], found);
  return found;
}

/** @param path To `value`. A pointer is made of it for a source alone: a transcript has ten thousand other values. */
function collectSources(value: unknown, path: (string | number)[], found: FoundSource[]): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      path.push(index);
      collectSources(item, path, found);
      path.pop();
    }
    return;
  }
  if (isData(value)) {
    found.push({ source: value.source, pointer: `${path.join("/")}/source` });
    return;
  }
  if ("type" in value && value.type === OPAQUE_BLOCK) return;
  for (const [name, member] of Object.entries(value)) {
    if (OPAQUE.includes(name)) continue;
    path.push(name);
    collectSources(member, path, found);
    path.pop();
  }
}

/** A copy of `value` with other sources; parts without any are the same. */
export function replaceSources<Value>(
  value: Value,
  settled: ReadonlyMap<MediaSource, MediaSource>,
): Value {
  return settled.size === 0 ? value : (replaceIn(value, settled) as Value);
}

function replaceIn(value: unknown, settled: ReadonlyMap<MediaSource, MediaSource>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, settled));
  if (isData(value)) return { ...value, source: settled.get(value.source) ?? value.source };
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      OPAQUE.includes(name) ? member : replaceIn(member, settled),
    ]),
  );
}

function isData(value: object): value is DataValue {
  return (
    "type" in value &&
    value.type === "data" &&
    "source" in value &&
    typeof value.source === "object" &&
    value.source !== null
  );
}
