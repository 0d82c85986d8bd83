// Routes on what is said in a room: messages, events, answers, people's turns and interrupts.
import { eventsPageRequest, messagesRequest } from "../../durable-objects/api/read-request.ts";
import type { RoomCall } from "../../durable-objects/api/room-api.ts";
import { PostedEventSchema } from "../../protocol/events/contract.ts";
import {
  type RoomEventReceipt,
  RoomEventsQuerySchema,
  RoomInputSchema,
  RoomInterruptSchema,
  RoomMessageCreateSchema,
} from "../../protocol/rooms/conversation.ts";
import { RoomInputListQuerySchema } from "../../protocol/rooms/contract.ts";
import { FormPageQuerySchema } from "../../protocol/schemas/event-format.ts";
import { decodeRoomInputPosition } from "../../storage/rooms/room-input-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { authorizeEvent } from "../auth/authorize-event.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { newId } from "../new-id.ts";
import { pathRoomStub } from "../objects/room-stub.ts";
import { readerOf, tenantOf } from "../principal.ts";
import { keepOutcome } from "../requests/keep-answer.ts";
import { lastEventId } from "../requests/last-event-id.ts";
import { normalizeContentBody, normalizeEventBody } from "../requests/normalize-input.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { asksForSocket, requireSubprotocol } from "../requests/upgrade.ts";
import { answerStream } from "../sessions/answer-stream.ts";
import { acceptsEventStream } from "../sessions/event-stream.ts";
import { idempotencyOf } from "../sessions/idempotent-session.ts";
import { pointToCursor } from "../sessions/point-to-cursor.ts";
import { readCursor, readPage } from "../sessions/read-cursor.ts";
import { readSession } from "../sessions/read-session.ts";
import { shownReply } from "../sessions/shown-reply.ts";
import { checkValues } from "./check-values.ts";
import { mayInterruptRoom } from "./may-interrupt-room.ts";
import { requestKeyOf } from "./request-key.ts";
import { settleRoomMedia } from "./settle-room-media.ts";
import { speakerOf } from "./speaker-of.ts";

/** A request that is repeated under its key has the same id of its message, and so adds none. */
const postRoomMessage: RouteHandler = async (context) => {
  const { id, participant, ...message } = await readBody(
    context,
    RoomMessageCreateSchema,
    normalizeContentBody,
  );
  const speaker = speakerOf(context, participant);
  const mayInterrupt = mayInterruptRoom(context.get("principal"));
  if (message.on_busy === "interrupt" && !mayInterrupt) throw verbMissing(["interrupt"]);
  const stub = pathRoomStub(context);
  const content = await settleRoomMedia(context, stub, message.content, "#/content");
  const key = await requestKeyOf(context);
  const said = {
    ...message,
    content,
    id: id ?? (key === null ? newId("msg") : `key-${key}`),
    ...(speaker !== undefined && { participant: speaker }),
  };
  const receipt = unwrap(await stub.postMessage(said, callOf(context)));
  await keepOutcome(context, { status: 202, body: receipt });
  return context.json(receipt, 202);
};

const listRoomMessages: RouteHandler = async (context) => {
  const read = messagesRequest(readQuery(context, FormPageQuerySchema));
  return unwrap(await readSession(context, pathRoomStub(context), read));
};

/** The room's events after a position: a WebSocket, a stream if `Accept` requests one, otherwise a page. */
const readRoomEvents: RouteHandler = async (context) => {
  const isSocket = asksForSocket(context);
  if (isSocket) requireSubprotocol(context);
  const query = readQuery(context, RoomEventsQuerySchema);
  const { after, follow, format, profile, page, limit } = query;
  if (profile !== undefined && format !== "ag-ui") {
    const detail = "profiles are those of format=ag-ui alone";
    throw fieldError("validation_failed", "#/query/profile", detail);
  }
  const cursor = page === undefined ? readCursor(context, format, after) : readPage(page);
  const stub = pathRoomStub(context);
  if (!isSocket && !acceptsEventStream(context.req.header("Accept"))) {
    if (format === "ag-ui") {
      const detail = "ag-ui is a stream: ask for it with `Accept: text/event-stream`";
      throw fieldError("validation_failed", "#/query/format", detail);
    }
    const read = eventsPageRequest("events", cursor, { limit });
    return unwrap(pointToCursor(await readSession(context, stub, read), cursor));
  }
  // A client of AG-UI without a position has nothing yet, and is shown the conversation.
  const isJoining =
    format === "ag-ui" && after === undefined && lastEventId(context, format) === undefined;
  const followed = follow === "room" ? ({ follow: "session" } as const) : {};
  const range = { format, profile, ...followed, ...readerOf(context) };
  return answerStream(context, stub, { after: isJoining ? null : cursor, ...range });
};

/** The session with the reply keeps the key: a repeated request is answered there as the first one was. */
const postRoomEvent: RouteHandler = async (context) => {
  const event = await readBody(context, PostedEventSchema, normalizeEventBody);
  const principal = context.get("principal");
  authorizeEvent(principal, event.type);
  const stub = pathRoomStub(context);
  const settled = await settleRoomMedia(context, stub, event, "#");
  const receipt = unwrap(await stub.postEvent(settled, callOf(context)));
  const shown: RoomEventReceipt = { ...receipt, reply: shownReply(principal, receipt.reply) };
  await keepOutcome(context, { status: 202, body: shown });
  return context.json(shown, 202);
};

const listRoomInputs: RouteHandler = async (context) => {
  const { page, limit, ...filter } = readQuery(context, RoomInputListQuerySchema);
  const after = page === undefined ? undefined : decodeRoomInputPosition(page);
  if (after === null) throw badPageToken();
  const { roomInputs } = tenantStorage(context.env.DB, tenantOf(context));
  const { room_id: roomId, end_user_id: endUserId } = filter;
  return context.json(await roomInputs.list({ roomId, endUserId, after, limit }));
};

const answerRoomInput: RouteHandler = async (context) => {
  const { participant, ...input } = await readBody(context, RoomInputSchema, normalizeContentBody);
  const speaker = speakerOf(context, participant);
  const stub = pathRoomStub(context);
  await checkValues(stub, { ...input, participant: speaker });
  const content =
    input.content && (await settleRoomMedia(context, stub, input.content, "#/content"));
  const receipt = unwrap(
    await stub.postInput(
      {
        ...input,
        ...(content !== undefined && { content }),
        ...(speaker !== undefined && { participant: speaker }),
      },
      callOf(context),
    ),
  );
  await keepOutcome(context, { status: 202, body: receipt });
  return context.json(receipt, 202);
};

const interruptRoom: RouteHandler = async (context) => {
  const interrupt = await readBody(context, RoomInterruptSchema);
  const result = unwrap(await pathRoomStub(context).interrupt(interrupt));
  await keepOutcome(context, { status: 200, body: result });
  return context.json(result);
};

function callOf(context: AppContext): RoomCall {
  return {
    actor: actorOf(context.get("principal")),
    trace: context.get("trace"),
    idempotency: idempotencyOf(context),
  };
}

export const roomConversationRoutes = {
  postRoomMessage,
  listRoomMessages,
  readRoomEvents,
  postRoomEvent,
  listRoomInputs,
  answerRoomInput,
  interruptRoom,
};
