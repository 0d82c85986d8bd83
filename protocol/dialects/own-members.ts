// Stores members that another dialect lacks in its metadata, so that a round trip loses nothing.
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { dropKeys } from "./json-object.ts";

/** Our key in another dialect's metadata. */
const OWN_MEMBERS = "reprise";

/**
 * The metadata with `members` added; null when both are empty.
 *
 * Metadata that already has a member of our name is nested whole as one of the members.
 */
export function withOwnMembers(metadata: JsonObject, members: JsonObject): JsonObject | null {
  const isTaken = Object.hasOwn(metadata, OWN_MEMBERS) || Object.hasOwn(members, "metadata");
  const own = isTaken ? { metadata, ...members } : members;
  const shown = Object.hasOwn(metadata, OWN_MEMBERS) ? dropKeys(metadata, [OWN_MEMBERS]) : metadata;
  const carried = Object.keys(own).length > 0 ? { ...shown, [OWN_MEMBERS]: own } : shown;
  return Object.keys(carried).length > 0 ? carried : null;
}

/** Splits an object into the members that {@link withOwnMembers} had added and the rest. */
export function takeOwnMembers(object: JsonObject): {
  readonly rest: JsonObject;
  readonly own: JsonObject;
} {
  const { metadata } = object;
  const own = isJsonObject(metadata) ? metadata[OWN_MEMBERS] : undefined;
  if (!isJsonObject(metadata) || !isJsonObject(own)) return { rest: object, own: {} };
  return { rest: { ...object, metadata: dropKeys(metadata, [OWN_MEMBERS]) }, own };
}
