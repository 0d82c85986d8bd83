// A session's log, as a stream or as pages.
import { EVENT_STREAM } from "../../../protocol/events/contract.ts";
import {
  JavaEventPageSchema,
  EventPageSchema,
  EventsQuerySchema,
} from "../../../protocol/events/contract.ts";
import { REPLY_ID } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const textEvents = [
  {
    id: "evt_23",
    created_at: "2026-11-21T09:30:01.700Z",
    metadata: {},
    type: "TEXT_BLOCK_DELTA",
    reply_id: REPLY_ID,
    block_id: "5f2c8d1ab0e34c7795f1d2a6b4c8e0f3",
    delta: "Your shoes were deli",
    seq: 23,
  },
  {
    id: "evt_24",
    created_at: "2026-11-21T09:30:01.750Z",
    metadata: {},
    type: "TEXT_BLOCK_DELTA",
    reply_id: REPLY_ID,
    block_id: "5f2c8d1ab0e34c7795f1d2a6b4c8e0f3",
    delta: "vered on 14 November.",
    seq: 24,
  },
];

export const EVENTS = {
  tags: {
    Events: "The log of a session, as a stream that survives any disconnect or as pages.",
  },
  operations: {
    readEvents: {
      tag: "Events",
      summary: "Stream or page through a session's events",
      description: [
        "With `Accept: text/event-stream` the events after the cursor, then those that come, until the reply ends or",
        "waits; otherwise a page. After a disconnect, `Last-Event-ID` continues at the next event. 204 means that no",
        "event is left and no reply runs, which stops an EventSource. With `?format=agentscope-java` the events have the",
        "names and shapes of AgentScope for Java, in the stream and on the page, which then may have more events than",
        "`limit`. `?format=ag-ui` is a stream of AG-UI's events; without a cursor it begins with the messages as they",
        "are.",
      ].join(" "),
      query: EventsQuerySchema,
      headers: ["Last-Event-ID"],
      answers: {
        200: {
          description: "A page of events, or the stream.",
          json: EventPageSchema,
          translated: JavaEventPageSchema,
          stream: EVENT_STREAM,
        },
        204: { description: "A stream was asked for: no event is left and no reply runs." },
      },
      errors: ["invalid_cursor", "cursor_ahead", "too_many_subscribers"],
    },
  },
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
  },

  fieldDescriptions: {
    block_id: "The block that the event is about.",
    delta: "The next piece of the text; join the pieces of a block.",
    model_name: "The model that is called.",
    seq: "A number that only grows within the session and is never given twice; the SSE id.",
    tool_call_name: "The tool that is called.",
    tool_calls: "The waiting calls.",
    visibility: "For user interfaces only; it has no effect on the model's context.",
    "CustomEvent.value": "What the event carries, by its name.",
    "DataBlockDeltaEvent.data": "The next bytes in base64; exactly one of data and url is given.",
    "DataBlockDeltaEvent.url": "The address of the bytes; exactly one of data and url is given.",
    "HintBlockEvent.hint": "The hint.",
    "JavaEvent.createdAt": "When it happened.",
    "JavaEvent.replyId": "The reply that it is about; absent when it is about none.",
    "TextBlockEndEvent.text":
      "When not null it replaces all deltas; an empty text removes the block.",
    "ToolResultDataDeltaEvent.data": "Bytes in base64; exactly one of data and url is given.",
    "ToolResultDataDeltaEvent.url":
      "The address of the bytes; exactly one of data and url is given.",
  },
  examples: {
    eventStream: {
      summary: "Two pieces of a text",
      value: textEvents
        .map(
          (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
        )
        .join(""),
    },
  },
} as const satisfies Resource;
