import type { ReplyControl } from "./reply-control.ts";
import type { SessionRecord } from "./session-record.ts";

/** An open session as acts and readers get it: its record, and the control of its replies. */
export interface OpenSession extends SessionRecord {
  readonly control: ReplyControl;
}
