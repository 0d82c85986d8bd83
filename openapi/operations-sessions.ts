// Sessions and what happens in them.
import { PageQuerySchema } from "../protocol/api/schemas/common.ts";
import { EventsQuerySchema } from "../protocol/api/events.ts";
import { InterruptQuerySchema, ReplyCreateQuerySchema } from "../protocol/api/replies.ts";
import { REPLY_ID_HEADER } from "../protocol/api/routes/routes.ts";
import { noContent, type Operation } from "./operation.ts";

export const SESSION_OPERATIONS = {
  createReply: {
    tag: "Replies",
    summary: "Have the agent reply",
    description: [
      "Three ways to wait for one reply, which runs whoever listens:",
      "`stream: true` (or `Accept: text/event-stream`) answers with its events;",
      "`background: true` answers 202 at once;",
      "otherwise the answer comes when the reply has ended or waits for somebody, or after 120 seconds as a 202.",
      "While a reply runs or waits, `on_busy` says what happens: `reject` is 409, `interrupt` ends that reply,",
      "`queue` accepts this one: it begins when those before it have ended, and until then is `running` without a",
      "message, its stream silent.",
      "The same message id with the same content starts nothing: it gets the reply that it started before.",
      "Older AgentScope names of blocks and messages are accepted.",
    ].join(" "),
    query: ReplyCreateQuerySchema,
    headers: ["traceparent", "tracestate"],
    body: { schema: "ReplyCreate", examples: ["textInput", "streamedInput", "pictureInput"] },
    answers: {
      200: {
        description: "The reply, ended or parked; or its events as they come.",
        json: "Reply",
        isEventStream: true,
        headers: [REPLY_ID_HEADER],
        examples: ["completedReply"],
      },
      202: {
        description:
          "The reply runs or is queued. Its `cursor` is a position before REPLY_START: reading on from there misses nothing.",
        json: "Reply",
        headers: [REPLY_ID_HEADER, "Location"],
        examples: ["startedReply"],
      },
    },
    errors: [
      "reply_running",
      "reply_awaiting",
      "queue_full",
      "message_conflict",
      "too_many_subscribers",
      "quota_exceeded",
    ],
  },
  listReplies: {
    tag: "Replies",
    summary: "List a session's replies",
    description: "Newest first.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of replies.", json: "ReplyPage" } },
  },
  readReply: {
    tag: "Replies",
    summary: "Read a reply",
    description: "Also while it runs: its message as far as it is durable.",
    answers: { 200: { description: "The reply.", json: "Reply", examples: ["completedReply"] } },
  },
  interrupt: {
    tag: "Replies",
    summary: "End the reply that runs or waits",
    description: [
      "Answers when its REPLY_END is durable, or at once when nothing runs.",
      "Queued replies go on, the next one at once; with `?queued=drop` they end too, without having run.",
    ].join(" "),
    query: InterruptQuerySchema,
    answers: { 200: { description: "What was ended.", json: "InterruptResult" } },
  },

  readEvents: {
    tag: "Events",
    summary: "Stream or page through a session's events",
    description: [
      "With `Accept: text/event-stream` the events after the cursor, then those that come, until the reply ends or",
      "waits; otherwise a page. From any cut, `Last-Event-ID` goes on at the exact event. 204 means that nothing is left",
      "and nothing runs, which stops an EventSource. With `?format=agentscope-java` the events have the names and shapes",
      "of AgentScope for Java, in the stream and on the page, which then may have more events than `limit`.",
      "`?format=ag-ui` is a stream of AG-UI's events; without a cursor it begins with the messages as they are.",
    ].join(" "),
    query: EventsQuerySchema,
    headers: ["Last-Event-ID"],
    answers: {
      200: {
        description: "A page of events, or the stream.",
        json: "EventPage",
        translated: "JavaEventPage",
        isEventStream: true,
      },
      204: noContent("A stream was asked for: nothing is left and nothing runs."),
    },
    errors: ["invalid_cursor", "cursor_ahead", "too_many_subscribers"],
  },
  listMessages: {
    tag: "Messages",
    summary: "List a session's messages",
    description: [
      "The newest page first; inside a page the oldest message first. A message of more than 9,000,000 bytes comes with an",
      "empty `content` and `metadata.omitted: {bytes}`: read it by itself.",
    ].join(" "),
    query: PageQuerySchema,
    answers: { 200: { description: "A page of messages.", json: "MsgPage" } },
  },
  readMessage: {
    tag: "Messages",
    summary: "Read a message",
    description: "The message, whole however large, with the stream position that it is folded to.",
    answers: { 200: { description: "The message.", json: "FoldedMsg" } },
  },
} as const satisfies Readonly<Record<string, Operation>>;
