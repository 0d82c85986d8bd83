// Routes on events of a session: streams, pages, and events that people and systems post.
import {
  AgentScope1EventReceiptSchema,
  EVENT_STREAM,
  JavaEventPageSchema,
  JavaEventReceiptSchema,
  EventPageSchema,
  EventsQuerySchema,
  EventReceiptSchema,
  PostEventQuerySchema,
  PostedEventSchema,
} from "./contract.ts";
import { REPLY_ID_HEADER } from "../requests/headers.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { ANSWER_FORMAT_WORDS } from "../schemas/event-format.ts";
import { EVENTS_PROTOCOL } from "../voice/sockets.ts";
import { EVENT_WORDS } from "./words.ts";
import { EVENT_EXAMPLES } from "./examples.ts";

const EVENT_ROUTES = [
  {
    name: "readEvents",
    method: "GET",
    path: "/v1/sessions/{session_id}/events",
    access: "sessions:read",
    verb: "read",
    token_in_query: true,
    subprotocol: EVENTS_PROTOCOL,
    body: "none",
    tag: "Events",
    summary: "Stream or page through a session's events",
    description: [
      "With `Accept: text/event-stream` the events after the cursor, then those that come, until the reply ends or",
      "waits; otherwise a page. After a disconnect, `Last-Event-ID` continues at the next event. 204 means that no",
      "event is left and no reply runs, which stops an EventSource. With `?format=agentscope-java` the events have the",
      "names and shapes of AgentScope for Java, in the stream and on the page, which then may have more events than",
      "`limit`. `?format=ag-ui` is a stream of AG-UI's events; without a cursor it begins with the messages as they",
      "are. With `Upgrade: websocket` and the subprotocol `reprise.events.v1` the same events come over a WebSocket, each",
      "as a frame of JSON; a browser adds its stream ticket as the subprotocol `reprise.ticket.<ticket>`.",
    ].join(" "),
    query: EventsQuerySchema,
    headers: ["Last-Event-ID"],
    answers: {
      200: {
        description: "A page of events, or the stream.",
        json: EventPageSchema,
        translated: [JavaEventPageSchema],
        stream: EVENT_STREAM,
      },
      204: { description: "A stream was asked for: no event is left and no reply runs." },
    },
    errors: ["invalid_cursor", "cursor_ahead", "too_many_subscribers"],
  },

  {
    name: "postEvent",
    method: "POST",
    path: "/v1/sessions/{session_id}/events",
    access: "input_event",
    verb: "input_event",
    keeps_keys: "session",
    body: "media",
    tag: "Events",
    summary: "Answer a waiting tool call, or interrupt a reply",
    description: [
      "One input event, accepted as a whole or not at all. Its type decides the scope: USER_CONFIRM_RESULT needs",
      "`confirmations:write`, EXTERNAL_EXECUTION_RESULT `tool_results:write`, USER_INTERRUPT `replies:write`. A name or",
      "an input that an answer leaves out is the call's own; another input is an edit, for which a client token needs",
      "the verb `edit` beside `confirm`. The same answer again is accepted with `applied: false` until its tool has",
      "finished; any other is refused. The reply continues whether or not a client reads it: with `?stream=true` or",
      "`Accept: text/event-stream` the answer is the events from the posted one on; 204 when there are none. `reply_id`",
      "may be that of a called agent's reply, as `subagents[].pending` of a reply of this session has it. Older",
      "AgentScope names are accepted.",
    ].join(" "),
    query: PostEventQuerySchema,
    queryDescriptions: { format: ANSWER_FORMAT_WORDS },
    headers: ["traceparent", "tracestate"],
    request: {
      json: PostedEventSchema,
      examples: ["confirmation", "denial", "editedConfirmation", "externalResult", "userInterrupt"],
    },
    answers: {
      200: {
        description: "The events that follow, as a stream.",
        stream: EVENT_STREAM,
        headers: [REPLY_ID_HEADER],
      },
      202: {
        description: "The event is durable. Its `cursor` is the position before it.",
        json: EventReceiptSchema,
        translated: [AgentScope1EventReceiptSchema, JavaEventReceiptSchema],
        examples: ["eventReceipt"],
      },
      204: { description: "A stream was asked for: nothing ran that could be interrupted." },
    },
    errors: [
      "tool_name_changed",
      "edited_input_invalid",
      "input_hash_missing",
      "denied_by_rule",
      "rule_not_suggested",
      "rules_forbidden",
      "call_not_pending",
      "confirmation_used",
      "input_hash_mismatch",
      "too_many_subscribers",
    ],
  },
] as const satisfies readonly DocumentedRoute[];

export const EVENT_CONTRACT = {
  tags: {
    Events: "The log of a session, as a stream that survives any disconnect or as pages.",
  },
  routes: EVENT_ROUTES,
  queryParameters: {
    after:
      "Events above this seq, or after the frame with this id in the `format`; `Last-Event-ID` wins over it. From the beginning when left out.",
    follow: "`session` keeps the stream open between replies.",
    profile:
      "For AG-UI: the version of it in which the stream is written; the newest one when left out.",
    raw: "With `true` the log's own events come along with AG-UI's, as RAW; with `member` each of AG-UI's has the one that it was made of as `rawEvent`.",
    reply_id: "Only this reply's events; its stream ends with it.",
    token:
      "A stream ticket, for `EventSource`, which sends no headers. Addresses are kept in logs: never a client token or an API key, which belong in `Authorization`.",
    stream:
      "`true` answers with the events that follow, `false` with a receipt, whatever `Accept` says.",
  },
  fields: EVENT_WORDS,
  examples: EVENT_EXAMPLES,
} as const satisfies Contract;
