// The position of a session in the list of sessions: its creation time, then its id. The id alone is not enough,
// because an id derived from a thread's name contains no time.
import { isId } from "../../protocol/ids.ts";
import { decodeToken } from "../statements/page.ts";

export interface SessionPosition {
  /** ISO time; empty after all sessions. */
  readonly created_at: string;
  /** Empty after all sessions of this moment: the list is in descending order. */
  readonly id: string;
}

/** The text that the page token encodes. */
export function positionKey({ created_at, id }: SessionPosition): string {
  return `${created_at} ${id}`;
}

/** Decodes the `page` query parameter; null for an invalid token. */
export function decodeSessionPosition(token: string): SessionPosition | null {
  const [created_at = "", id = "", ...more] = decodeToken(token)?.split(" ") ?? [];
  if (more.length > 0 || !isId("ses", id) || !/^(?:[\dT:.-]{23}Z)?$/.test(created_at)) return null;
  return { created_at, id };
}
