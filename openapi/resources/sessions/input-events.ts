// Events that a client posts: answers to waiting calls, and interrupts.
import { EVENT_STREAM } from "../../../protocol/events/contract.ts";
import {
  EventReceiptSchema,
  PostEventQuerySchema,
  PostedEventSchema,
} from "../../../protocol/events/contract.ts";
import { REPLY_ID_HEADER } from "../../../protocol/routes.ts";
import { INPUT_HASH, REPLY_ID, SESSION_ID } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const confirmation = {
  type: "USER_CONFIRM_RESULT",
  reply_id: REPLY_ID,
  metadata: { input_hashes: { call_2: INPUT_HASH } },
  confirm_results: [{ confirmed: true, tool_call: { id: "call_2" } }],
};

const receipt = {
  reply: {
    id: REPLY_ID,
    session_id: SESSION_ID,
    status: "running",
    message: null,
    pending: [],
    error: null,
    usage: null,
    cursor: 42,
  },
  cursor: 40,
  applied: true,
};

export const INPUT_EVENTS = {
  operations: {
    postEvent: {
      tag: "Events",
      summary: "Answer a waiting tool call, or interrupt a reply",
      description: [
        "One input event, accepted as a whole or not at all. Its type decides the scope: USER_CONFIRM_RESULT needs",
        "`confirmations:write`, EXTERNAL_EXECUTION_RESULT `tool_results:write`, USER_INTERRUPT `replies:write`. A name or",
        "an input that an answer leaves out is the call's own; another input is an edit, for which a client token needs",
        "the verb `edit` beside `confirm`. The same answer again is accepted with `applied: false` until its tool has",
        "finished; any other is refused. The reply continues whether or not a client reads it: with `?stream=true` or",
        "`Accept: text/event-stream` the answer is the events from the posted one on; 204 when there are none. Older",
        "AgentScope names are accepted.",
      ].join(" "),
      query: PostEventQuerySchema,
      headers: ["traceparent", "tracestate"],
      request: {
        json: PostedEventSchema,
        examples: [
          "confirmation",
          "denial",
          "editedConfirmation",
          "externalResult",
          "userInterrupt",
        ],
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
  },
  queryParameters: {
    stream:
      "`true` answers with the events that follow, `false` with a receipt, whatever `Accept` says.",
  },

  fieldDescriptions: {
    applied: "False when the same answer was accepted before.",
    "ConfirmResult.confirmed": "Whether the call may run.",
    "ConfirmResult.reason":
      "Why. The model is told the reason of a denial, which the result has in `metadata.denial_reason` too.",
    "ExternalExecutionResultEvent.execution_results": "Results of the calls that waited.",
    "ExternalExecutionResultEvent.id": "The client's own id of the event.",
    "UserConfirmResultEvent.confirm_results": "The answers, one for each call.",
    "EventReceipt.cursor": "The position before the event: a stream from here shows what followed.",
    "EventReceipt.reply":
      "The reply right after the event was durable; null for an interrupt where nothing ran.",
  },
  examples: {
    confirmation: { summary: "Allow the call", value: confirmation },
    denial: {
      summary: "Deny the call, and say why",
      value: {
        ...confirmation,
        confirm_results: [
          { confirmed: false, tool_call: { id: "call_2" }, reason: "The parcel never left." },
        ],
      },
    },
    editedConfirmation: {
      summary: "Allow the call with a smaller amount",
      value: {
        ...confirmation,
        confirm_results: [
          {
            confirmed: true,
            tool_call: { id: "call_2", input: '{"order_id":"A-1001","amount_cents":2100}' },
          },
        ],
      },
    },
    externalResult: {
      summary: "The result of the shop's label printer",
      value: {
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id: REPLY_ID,
        execution_results: [{ id: "call_3", output: "Label 1Z-4711 is printed." }],
      },
    },
    userInterrupt: {
      summary: "Interrupt the reply",
      value: { type: "USER_INTERRUPT", reply_id: REPLY_ID },
    },
    eventReceipt: { summary: "The answer is accepted, and the reply continues", value: receipt },
  },
} as const satisfies Resource;
