// What another dialect has no member for travels in its metadata, so that nothing is lost on the way back.
import { dropKeys, isJsonObject, type JsonObject } from "./json-object.ts";

/** The one name in another dialect's metadata that is ours. */
const OWN_MEMBERS = "reprise";

/**
 * Metadata that carries `members` too, null when there is nothing to say.
 *
 * Metadata that has a member of our name already is carried whole, as a member.
 */
export function withOwnMembers(metadata: JsonObject, members: JsonObject): JsonObject | null {
  const isTaken = Object.hasOwn(metadata, OWN_MEMBERS) || Object.hasOwn(members, "metadata");
  const own = isTaken ? { metadata, ...members } : members;
  const shown = Object.hasOwn(metadata, OWN_MEMBERS) ? dropKeys(metadata, [OWN_MEMBERS]) : metadata;
  const carried = Object.keys(own).length > 0 ? { ...shown, [OWN_MEMBERS]: own } : shown;
  return Object.keys(carried).length > 0 ? carried : null;
}

/** What {@link withOwnMembers} had put into the metadata, and the object without it. */
export function takeOwnMembers(object: JsonObject): {
  readonly rest: JsonObject;
  readonly own: JsonObject;
} {
  const { metadata } = object;
  const own = isJsonObject(metadata) ? metadata[OWN_MEMBERS] : undefined;
  if (!isJsonObject(metadata) || !isJsonObject(own)) return { rest: object, own: {} };
  return { rest: { ...object, metadata: dropKeys(metadata, [OWN_MEMBERS]) }, own };
}
