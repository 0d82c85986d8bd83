// Runs of a room for clients of AG-UI: what a person says, and answers to what is waited for; each round is a run of the stream.
import type { RoomCall } from "../../durable-objects/api/room-api.ts";
import { RunAgentInputSchema } from "../../protocol/ag-ui/contract.ts";
import { profileOf } from "../../protocol/ag-ui/ag-ui-profile.ts";
import { MAX_TRANSCRIPT_VALUES } from "../../protocol/ag-ui/limits.ts";
import { readRunInput } from "../../protocol/dialects/ag-ui/input/read-run-input.ts";
import type { PostedEventSchema } from "../../protocol/events/contract.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { authorizeEvent } from "../auth/authorize-event.ts";
import { requireScope } from "../auth/require-scope.ts";
import { fieldError, HttpError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { pathRoomStub, type RoomStub } from "../objects/room-stub.ts";
import { readerOf } from "../principal.ts";
import { lastEventId } from "../requests/last-event-id.ts";
import { readBody } from "../requests/read-body.ts";
import { answerStream } from "../sessions/answer-stream.ts";
import { requireRead } from "../sessions/shown-reply.ts";
import { checkValues } from "./check-values.ts";
import { type RoomAnswers, roomAnswersOf } from "./room-answers-of.ts";
import { settleRoomMedia } from "./settle-room-media.ts";
import { speakerOf } from "./speaker-of.ts";
import type * as z from "zod";

type PostedEvent = z.output<typeof PostedEventSchema>;

/** The newest message of the transcript is what the person says; those before it are the room's already. */
const runRoomAgUi: RouteHandler = async (context) => {
  const principal = context.get("principal");
  if (principal.kind === "tenant")
    requireScope(context, "rooms:read", "a run, which shows the room,");
  else requireRead(principal);
  const body = await readBody(context, RunAgentInputSchema, undefined, MAX_TRANSCRIPT_VALUES);
  if (body.threadId !== pathId(context, "room_id")) {
    throw fieldError("not_found", "#/threadId", "the thread of a room is the room's id");
  }
  const { messages, resume, results } = unwrap(readRunInput(body));
  const stub = pathRoomStub(context);
  const room = unwrap(await stub.read());
  const answers = unwrap(roomAnswersOf(room, { resume, results }));
  const last = body.messages.at(-1);
  const said = last?.role === "user" ? messages.find(({ id }) => id === last.id) : undefined;
  if (!said && answers.events.length + answers.inputs.length === 0) {
    throw new HttpError("run_empty", "the run brings neither a message nor an answer");
  }
  await giveAnswers(context, stub, answers);
  const after = said ? await say(context, stub, said) : room.cursor;
  const range = { format: "ag-ui", profile: profileOf(body.protocolVersion) } as const;
  const position = lastEventId(context, "ag-ui") ?? after;
  return answerStream(context, stub, { after: position, ...range, ...readerOf(context) });
};

async function giveAnswers(
  context: AppContext,
  stub: RoomStub,
  { events, inputs }: RoomAnswers,
): Promise<void> {
  for (const { type } of events) authorizeEvent(context.get("principal"), type);
  const call: RoomCall = {
    actor: actorOf(context.get("principal")),
    trace: context.get("trace"),
  };
  for (const input of inputs) {
    const participant = speakerOf(context, input.participant);
    await checkValues(stub, { ...input, participant, mentions: [] });
    unwrap(await stub.postInput({ ...input, ...(participant !== undefined && { participant }) }));
  }
  for (const event of events) {
    const settled = await settleRoomMedia(context, stub, event as PostedEvent, "#/resume");
    unwrap(await stub.postEvent(settled, call));
  }
}

/** @returns the position before the message. */
async function say(
  context: AppContext,
  stub: RoomStub,
  { id, content }: { readonly id?: string | undefined; readonly content: object | string },
): Promise<number> {
  const participant = speakerOf(context, undefined);
  const settled = await settleRoomMedia(context, stub, content, "#/messages");
  const message = {
    content: settled as Parameters<RoomStub["postMessage"]>[0]["content"],
    ...(id !== undefined && { id }),
    ...(participant !== undefined && { participant }),
  };
  const call: RoomCall = { actor: actorOf(context.get("principal")), trace: context.get("trace") };
  return unwrap(await stub.postMessage(message, call)).cursor;
}

export const roomAgUiRoutes = { runRoomAgUi };
