// Places in a JSON value, as the API names them in its refusals: RFC 6901 pointers in URI fragment form.
import { isJsonObject } from "./json-schema.ts";

export type Path = readonly (string | number)[];

/** Such as `#/tools/0/url`. */
export function pointerOf(path: Path): string {
  return ["#", ...path.map((part) => escape(String(part)))].join("/");
}

/** The path of a pointer; parts that are no URI encoding stay as they are. */
export function pathOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => decode(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A copy of the value with another one at this place; undefined takes the member or the element out. */
export function setAt(value: unknown, path: Path, next: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return next;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const index = Number(part);
    const changed = setAt(list[index], rest, next);
    if (changed === undefined) return list.filter((_, place) => place !== index);
    return index < list.length ? list.with(index, changed) : [...list, changed];
  }
  const members = isJsonObject(value) ? value : {};
  const changed = setAt(members[part], rest, next);
  const entries = Object.entries(members);
  if (changed === undefined) {
    return Object.fromEntries(entries.filter(([name]) => name !== String(part)));
  }
  // `fromEntries` defines members: one named __proto__ stays a member.
  const isNew = !Object.hasOwn(members, part);
  const kept = entries.map(([name, member]) => [name, name === String(part) ? changed : member]);
  return Object.fromEntries(isNew ? [...kept, [part, changed]] : kept);
}

function escape(part: string): string {
  const wellFormed = part.replace(/[\ud800-\udfff]/gu, "\ufffd");
  return encodeURIComponent(wellFormed.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
