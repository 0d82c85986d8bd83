// Where a session stands in the list of sessions: by the time of its creation, and by its id among those of one moment.
// Its id alone does not say, since a session that a thread's name stands for has no time in it.
import { isId } from "../../protocol/ids.ts";
import { decodeToken } from "../statements/page.ts";

export interface SessionPosition {
  /** Empty behind all sessions that have a time. */
  readonly created_at: string;
  /** Empty before all sessions of the moment: the list goes from the newest to the oldest. */
  readonly id: string;
}

/** What a page's token is made of. */
export function positionKey({ created_at, id }: SessionPosition): string {
  return `${created_at} ${id}`;
}

/** The place that a `?page=` stands for, or null when this list never gave such a token. */
export function decodeSessionPosition(token: string): SessionPosition | null {
  const [created_at = "", id = "", ...more] = decodeToken(token)?.split(" ") ?? [];
  if (more.length > 0 || !isId("ses", id) || !/^(?:[\dT:.-]{23}Z)?$/.test(created_at)) return null;
  return { created_at, id };
}
