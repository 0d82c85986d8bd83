// Choice of an MCP server's tools, in the entry of an agent's definition. Lists and records that are
// empty are taken out, since an empty `enable` would offer no tool.
import { isJsonObject, type JsonObject } from "../../../components/schema-form/json-schema.ts";

export function isOffered(entry: JsonObject, name: string): boolean {
  const enable = namesIn(entry["enable"]);
  const isEnabled = enable === null || enable.includes(name);
  return isEnabled && !(namesIn(entry["disable"]) ?? []).includes(name);
}

/** Into `enable` where there is one, else out of `disable`; and the other way round. */
export function setOffered(entry: JsonObject, name: string, isWanted: boolean): JsonObject {
  const { enable: _, disable: __, ...rest } = entry;
  const enable = namesIn(entry["enable"]);
  const disable = (namesIn(entry["disable"]) ?? []).filter((one) => one !== name);
  const others = enable?.filter((one) => one !== name) ?? null;
  const isListed = enable?.includes(name) ?? false;
  const nextEnable = isWanted && others ? (isListed ? enable : [...others, name]) : others;
  const nextDisable = isWanted || enable ? disable : [...disable, name];
  return {
    ...rest,
    ...(nextEnable && { enable: nextEnable }),
    ...(nextDisable.length > 0 && { disable: nextDisable }),
  };
}

/** Empty when it is not said. */
export function permissionOf({ permissions }: JsonObject, name: string): string {
  const said = isJsonObject(permissions) ? permissions[name] : undefined;
  return typeof said === "string" ? said : "";
}

/** @param permission Empty takes it out. */
export function setPermission(entry: JsonObject, name: string, permission: string): JsonObject {
  const { permissions, ...rest } = entry;
  const { [name]: _, ...others } = isJsonObject(permissions) ? permissions : {};
  const next = permission === "" ? others : { ...others, [name]: permission };
  return Object.keys(next).length > 0 ? { ...rest, permissions: next } : rest;
}

function namesIn(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  return (value as readonly unknown[]).filter((one) => typeof one === "string");
}
