// Events for webhooks that abilities announce: facts of a session that people, too, may cause between replies.
import type { WebhookEvent } from "./webhook-events.ts";

/** The members that every such event has; the outbox knows them. */
type SessionMember =
  | "session_id"
  | "agent_id"
  | "end_user_id"
  | "agent_version"
  | "reply_id"
  | "cursor";

/** Only types with a nullable `reply_id`: that of a change between replies is null. */
type AnnouncementOf<Event> = Event extends {
  readonly type: infer Type;
  readonly data: infer Data extends Readonly<Record<SessionMember, unknown>>;
}
  ? null extends Data["reply_id"]
    ? { readonly type: Type; readonly data: Readonly<Omit<Data, SessionMember>> }
    : never
  : never;

/** An event's type, and its data without the members of the session. */
export type Announcement = AnnouncementOf<WebhookEvent>;
