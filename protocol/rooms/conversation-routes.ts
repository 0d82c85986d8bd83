// Routes on what is said in a room: messages, events, answers, interrupts, and its client tokens.
import { AG_UI_STREAM } from "../ag-ui/ag-ui-event.ts";
import { RunAgentInputSchema } from "../ag-ui/contract.ts";
import { PostedEventSchema } from "../events/contract.ts";
import { StreamTicketCreateSchema, StreamTicketSchema } from "../events/stream-tickets.ts";
import type { DocumentedRoute } from "../requests/contract.ts";
import { RoomInputListQuerySchema, RoomInputPageSchema } from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { FormPageQuerySchema, MESSAGE_FORMAT_WORDS } from "../schemas/event-format.ts";
import { MESSAGE_PAGE_FORMS } from "../sessions/message-forms.ts";
import { EVENTS_PROTOCOL } from "../voice/sockets.ts";
import {
  ROOM_EVENT_STREAM,
  RoomEventPageSchema,
  RoomEventReceiptSchema,
  RoomEventsQuerySchema,
  RoomInputReceiptSchema,
  RoomInputSchema,
  RoomInterruptResultSchema,
  RoomInterruptSchema,
  RoomMessageCreateSchema,
  RoomMessagePageSchema,
  RoomMessageReceiptSchema,
} from "./conversation.ts";
import {
  MintedRoomTokenSchema,
  RoomTokenCreateSchema,
  RoomTokenPageSchema,
  RoomTokenSchema,
} from "./room-tokens.ts";

const ROOM = "/v1/rooms/{room_id}";

export const ROOM_CONVERSATION_ROUTES = [
  {
    name: "postRoomMessage",
    method: "POST",
    path: `${ROOM}/messages`,
    access: "rooms:write",
    verb: "reply",
    keeps_keys: "database",
    body: "media",
    tag: "Rooms",
    summary: "Say something in a room",
    description: [
      "A person's message begins a discussion: rounds of turns until an end. One that comes while a discussion goes on",
      "waits for the end of the turn, or ends it with `on_busy: interrupt`. The answer comes when the message is durable;",
      "what follows is in the room's stream, from `cursor`. The same id with the same content is no second message.",
    ].join(" "),
    request: { json: RoomMessageCreateSchema, examples: ["newRoomMessage"] },
    answers: {
      202: {
        description: "The message is in the room's log.",
        json: RoomMessageReceiptSchema,
        examples: ["roomMessageReceipt"],
      },
    },
    errors: ["message_conflict", "quota_exceeded"],
  },
  {
    name: "listRoomMessages",
    method: "GET",
    path: `${ROOM}/messages`,
    access: "rooms:read",
    verb: "read",
    body: "none",
    tag: "Rooms",
    summary: "List a room's messages",
    description:
      "Folded from the room's events; `name` is the speaker. The newest page first; inside a page the oldest message first.",
    query: FormPageQuerySchema,
    queryDescriptions: { format: MESSAGE_FORMAT_WORDS },
    answers: {
      200: {
        description: "A page of messages.",
        json: RoomMessagePageSchema,
        translated: MESSAGE_PAGE_FORMS,
      },
    },
  },
  {
    name: "readRoomEvents",
    method: "GET",
    path: `${ROOM}/events`,
    access: "rooms:read",
    verb: "read",
    token_in_query: true,
    subprotocol: EVENTS_PROTOCOL,
    body: "none",
    tag: "Rooms",
    summary: "Stream or page through a room's events",
    description: [
      "The events of all participants in one order with one cursor, each with `metadata.participant`; those of one reply",
      "fold by its `reply_id`. With `Accept: text/event-stream` the events after the cursor, then those that come, until",
      "the discussion ends or waits; otherwise a page. `Last-Event-ID` continues at the next event. 204 means that no",
      "event is left and nothing runs. With `Upgrade: websocket` and the subprotocol `reprise.events.v1` the same events",
      "come over a WebSocket, each as a frame of JSON.",
    ].join(" "),
    query: RoomEventsQuerySchema,
    queryDescriptions: {
      follow: "`room` keeps the stream open between discussions.",
      format:
        "`agentscope` for the log's own events, or `ag-ui` for a stream in which each round is a run and each turn a subagent.",
    },
    headers: ["Last-Event-ID"],
    answers: {
      200: {
        description: "A page of events, or the stream.",
        json: RoomEventPageSchema,
        stream: ROOM_EVENT_STREAM,
      },
      204: { description: "A stream was asked for: no event is left and nothing runs." },
    },
    errors: ["invalid_cursor", "cursor_ahead", "too_many_subscribers"],
  },
  {
    name: "postRoomEvent",
    method: "POST",
    path: `${ROOM}/events`,
    access: "input_event",
    verb: "input_event",
    keeps_keys: "database",
    body: "media",
    tag: "Rooms",
    summary: "Answer a waiting call of a participant",
    description:
      "As an event that is posted to the participant's session; the participant is found by `reply_id`, as `pending` of the room has it.",
    request: {
      json: PostedEventSchema,
      examples: ["confirmation", "denial", "externalResult", "userInterrupt"],
    },
    answers: { 202: { description: "The event is durable.", json: RoomEventReceiptSchema } },
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
    ],
  },
  {
    name: "listRoomInputs",
    method: "GET",
    path: "/v1/room-inputs",
    access: "rooms:read",
    body: "none",
    tag: "Rooms",
    summary: "List turns of people for which rooms wait",
    description:
      "Of all rooms, oldest first: what people are asked for beside the calls in `GET /v1/confirmations`.",
    query: RoomInputListQuerySchema,
    queryDescriptions: {
      room_id: "Only those of this room.",
      end_user_id: "Only turns of this end user.",
    },
    answers: { 200: { description: "A page of turns.", json: RoomInputPageSchema } },
  },
  {
    name: "answerRoomInput",
    method: "POST",
    path: `${ROOM}/input`,
    access: "rooms:write",
    verb: "reply",
    keeps_keys: "database",
    body: "media",
    tag: "Rooms",
    summary: "Take a person's turn",
    description: [
      "The answer to one of the room's `input_requests`: a text or blocks, and the `values` of the form where the person",
      "has one. `decline` ends the turn without a message. The same answer again is accepted with `applied: false`.",
    ].join(" "),
    request: { json: RoomInputSchema, examples: ["roomInput"] },
    answers: {
      202: { description: "The turn has ended.", json: RoomInputReceiptSchema },
    },
    errors: ["conflict"],
  },
  {
    name: "interruptRoom",
    method: "POST",
    path: `${ROOM}/interrupt`,
    access: "rooms:write",
    verb: "interrupt",
    keeps_keys: "database",
    body: "small",
    tag: "Rooms",
    summary: "End a discussion or a turn",
    description:
      "Of one participant its turn, after which the next one's comes; without one the whole discussion, with the reason `interrupted`.",
    request: { json: RoomInterruptSchema, examples: ["roomInterrupt"] },
    answers: { 200: { description: "What was ended.", json: RoomInterruptResultSchema } },
  },
  {
    name: "runRoomAgUi",
    method: "POST",
    path: `${ROOM}/ag-ui`,
    access: "rooms:write",
    verb: "reply",
    body: "media",
    tag: "Rooms",
    summary: "Run a room for a client of AG-UI",
    description: [
      "The body is a `RunAgentInput` whose `threadId` is the room's id. Its newest message is what the person says, and",
      "`resume` answers what is waited for: calls, and people's turns. The answer is a stream in which each round is a run",
      "under an id of the room's, each turn a subagent, up to the end of the discussion or until a person is waited for. The",
      "same message id is no second message. Needs `rooms:read` or the verb `read` too; answers need their own scope or verb.",
    ].join(" "),
    headers: ["Last-Event-ID"],
    request: { json: RunAgentInputSchema, examples: ["roomRun"] },
    answers: { 200: { description: "The runs.", stream: AG_UI_STREAM } },
    errors: [
      "call_not_pending",
      "confirmation_used",
      "interrupt_unknown",
      "message_conflict",
      "quota_exceeded",
      "resume_invalid",
      "run_empty",
      "too_many_subscribers",
    ],
  },
  {
    name: "createRoomToken",
    method: "POST",
    path: `${ROOM}/tokens`,
    access: "rooms:write",
    keeps_keys: "database",
    body: "small",
    tag: "Rooms",
    summary: "Create a client token of a room",
    description: [
      "For an app that must not hold an API key: it gives access to this room, with these verbs, for some minutes, and",
      "speaks as its `participant` alone. Each verb needs its scope: `read` `rooms:read`, `confirm` and `edit`",
      "`confirmations:write`, `tool_result` `tool_results:write`.",
    ].join(" "),
    request: { json: RoomTokenCreateSchema, examples: ["newRoomToken"] },
    answers: {
      201: {
        description: "The token, in plain text this once.",
        json: RoomTokenSchema,
        replayed: MintedRoomTokenSchema,
        examples: ["roomToken"],
      },
    },
    errors: ["conflict"],
  },
  {
    name: "listRoomTokens",
    method: "GET",
    path: `${ROOM}/tokens`,
    access: "rooms:read",
    body: "none",
    tag: "Rooms",
    summary: "List the valid client tokens of a room",
    description:
      "Those that have not expired and were not revoked, newest first, without their plain texts.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of tokens.", json: RoomTokenPageSchema } },
  },
  {
    name: "revokeRoomToken",
    method: "DELETE",
    path: `${ROOM}/tokens/{room_token_id}`,
    access: "rooms:write",
    body: "none",
    tag: "Rooms",
    summary: "Revoke a client token of a room",
    description:
      "The token is refused from now on, and its streams end. Revoking it again changes nothing.",
    answers: { 204: { description: "The token is revoked." } },
  },
  {
    name: "createRoomStreamTicket",
    method: "POST",
    path: `${ROOM}/stream-tickets`,
    access: "rooms:read",
    verb: "read",
    body: "small",
    tag: "Rooms",
    summary: "Create a stream ticket of a room",
    description: [
      "For `EventSource`, which sends no headers: the answer's `path` opens that one stream of the room, and again when the",
      "connection breaks, until the client token that minted it expires or is revoked. An API key mints one with a client",
      "token of its own, which reads and speaks as nobody.",
    ].join(" "),
    request: { json: StreamTicketCreateSchema, examples: ["newRoomStreamTicket"] },
    answers: {
      201: {
        description: "The ticket, in plain text this once.",
        json: StreamTicketSchema,
        examples: ["roomStreamTicket"],
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];
