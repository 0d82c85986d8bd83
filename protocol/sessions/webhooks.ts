// Webhook events of a session's beginning and end.
import { OF_SESSION, webhookEvent } from "../schemas/webhook-event.ts";

export const SESSION_WEBHOOKS = [
  webhookEvent(
    "session.created",
    { when: "a session was opened, also by a fork", data: "" },
    OF_SESSION,
  ),
  webhookEvent("session.deleted", { when: "a session was erased", data: "" }, OF_SESSION),
] as const;
