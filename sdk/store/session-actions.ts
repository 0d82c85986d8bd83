import type { SessionStore } from "./session-store.ts";

/** Functions of a session; they may be passed on without their store. */
export type SessionActions = Pick<
  SessionStore,
  | "send"
  | "retry"
  | "discard"
  | "confirm"
  | "deny"
  | "submitResult"
  | "interrupt"
  | "loadOlder"
  | "reload"
>;
