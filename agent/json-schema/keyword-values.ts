// Reads the values of keywords with their types checked: a schema that was stored before schemas were validated may
// hold anything.
import { SchemaUnusable, type Fields, type Visit } from "./visit.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

export function textOf({ schema }: Visit, keyword: string): string {
  const value = schema[keyword];
  return typeof value === "string" ? value : unusable(keyword, "no text");
}

export function numberOf({ schema }: Visit, keyword: string): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : unusable(keyword, "no number");
}

export function listOf({ schema }: Visit, keyword: string): readonly unknown[] {
  const value = schema[keyword];
  return Array.isArray(value) ? (value as unknown[]) : unusable(keyword, "no list");
}

export function membersOf({ schema }: Visit, keyword: string): Fields {
  const value = schema[keyword];
  return isJsonObject(value) ? value : unusable(keyword, "no object");
}

function unusable(keyword: string, what: string): never {
  throw new SchemaUnusable(`its keyword ${keyword} has ${what} as its value`);
}
