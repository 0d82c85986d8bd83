// Changes of what is stored that several routes make.
import type { StoreChange } from "./stores.ts";

/** Places of a session and of what was made in it, which go with it. */
export const OF_A_SESSION: readonly StoreChange[] = [
  "-bucket",
  "-decisions",
  "-file_references",
  "-files",
  "-pending_calls",
  "-session.ability_states",
  "-session.background_tasks",
  "-session.client_tokens",
  "-session.events",
  "-session.messages",
  "-session.permission_rules",
  "-session.replies",
  "-session.schema_version",
  "-session.session",
  "-session_states",
  "-sessions",
  "-usage_end_users",
];

/** An end of a reply that has begun, and of its calls: each is written once. */
export const ENDED = {
  "session.events": "an end for each reply and call that waits",
  "session.idempotency_keys": "those of a day",
};
