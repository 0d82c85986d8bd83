// Says the input of a run in a room, and asks for the discussion that answers it. Both may be repeated: the run has one message.
import type { Result } from "../../protocol/errors.ts";
import { mentionsOf } from "../../protocol/triggers/target.ts";
import { TRIGGER_ANSWER_MS } from "../../protocol/triggers/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { roomObjectName } from "../api/room-api.ts";
import type { ArmedTrigger } from "../api/trigger-api.ts";
import type { TriggeredDiscussion, TriggeredRoomApi } from "../api/triggered-room-api.ts";
import { messageOf } from "./run-message.ts";
import { outcomeOfDiscussion, type BegunRun } from "./run-outcome.ts";
import { messageIdOf, type Run } from "./run-rows.ts";
import { afterRefusal, type RunStep } from "./run-step.ts";

type Bindings = Pick<Env, "ROOM">;

interface RoomRun {
  readonly run: Run;
  readonly roomId: string;
}

/** @throws when the room's object fails. */
export async function sayInRoom(
  env: Bindings,
  { tenant_id, trigger_id, definition }: ArmedTrigger,
  { run, roomId }: RoomRun,
): Promise<RunStep<BegunRun>> {
  const { content, metadata } = messageOf(definition, run);
  const said = roomStub(env, tenant_id, roomId).postTriggered({
    trigger_id,
    id: messageIdOf(run),
    content,
    metadata: { ...metadata, trigger: { trigger_id, trigger_run_id: run.id } },
    mentions: mentionsOf(definition),
  });
  return stepOf(await withinDeadline(said, TRIGGER_ANSWER_MS));
}

/** @throws when the room's object fails. */
export async function readDiscussion(
  env: Bindings,
  { tenant_id }: Pick<ArmedTrigger, "tenant_id">,
  { run, roomId }: RoomRun,
): Promise<RunStep<BegunRun>> {
  const read = roomStub(env, tenant_id, roomId).readTriggered(messageIdOf(run));
  return stepOf(await withinDeadline(read, TRIGGER_ANSWER_MS));
}

function stepOf(answered: Result<TriggeredDiscussion>): RunStep<BegunRun> {
  if (!answered.ok) return afterRefusal(answered.refusal, "room");
  const outcome = outcomeOfDiscussion(answered.value);
  return { type: "done", value: { reply_id: null, outcome } };
}

function roomStub(env: Bindings, tenantId: string, roomId: string): TriggeredRoomApi {
  // Looked up each time, as a stub that has failed once stays broken.
  return env.ROOM.getByName(roomObjectName(tenantId, roomId)) as unknown as TriggeredRoomApi;
}
