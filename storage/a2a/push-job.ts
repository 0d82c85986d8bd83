/** Something is to be told to a client of A2A. Its content and its address are in the session's object. */
export interface A2aPushJob {
  readonly kind: "a2a_push";
  readonly tenant_id: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly config_id: string;
}
