interface HeldSession {
  readonly session_id: string;
  readonly end_user_id: string | null;
  /** The session at the top, of one that a call of an agent began. */
  readonly root_session_id?: string | null | undefined;
}

/**
 * The holder whose share a session counts in: its end user's or, without one, its own; of one that a call
 * of an agent began, that of the session at the top. The triggers of
 * `end_user_counts` say the same, and so does {@link HOLDER} for a row of `sessions`.
 */
export function holderOf({ session_id, end_user_id, root_session_id }: HeldSession): string {
  return end_user_id === null ? `s:${root_session_id ?? session_id}` : `u:${end_user_id}`;
}

/** {@link holderOf} in SQL. */
export const HOLDER =
  "CASE WHEN end_user_id IS NULL THEN 's:' || coalesce(root_session_id, id) ELSE 'u:' || end_user_id END";
