// Notes notifications for clients of A2A in the transaction of what they tell: a status of the task, and each artifact when
// it is finished. Nothing is read or written for a reply that is no task.
import { artifactsOf } from "../../protocol/dialects/a2a/artifacts.ts";
import {
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
} from "../../protocol/agents/events.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { SessionTables } from "../tables/session-tables.ts";

type PushTables = Pick<SessionTables, "pushes">;
type EventTables = Pick<SessionTables, "pushes" | "calls">;

interface NotedReply {
  readonly id: string;
  readonly status: ReplyStatus;
  readonly isTask: boolean;
}

/** @param message The reply's. While the reply waits, and when it has ended, all that it has said is finished. */
export function notePushes(
  { pushes }: PushTables,
  message: Msg,
  { id, status, isTask }: NotedReply,
): void {
  if (!isTask) return;
  if (status !== "running") pushes.addArtifacts(id, artifactIds(message));
  pushes.addStatus(id, status);
}

/** Blocks that are finished, and questions of agents that the reply has called. @param active The reply of the events. */
export function noteEvents(
  { pushes, calls }: EventTables,
  active: Pick<NotedReply, "id" | "isTask"> | null,
  events: readonly LoggedEvent[],
): void {
  if (!active?.isTask) return;
  const ids = events.flatMap((event) =>
    event.type === "TEXT_BLOCK_END" || event.type === "DATA_BLOCK_END" ? [event.block_id] : [],
  );
  pushes.addArtifacts(active.id, ids);
  for (const { name } of events.filter((event) => event.type === "CUSTOM")) {
    if (name === SUBAGENT_REQUIRE_USER_CONFIRM) pushes.addStatus(active.id, "asked");
    if (name === SUBAGENT_USER_CONFIRM_RESULT) pushes.addStatus(active.id, "answered");
  }
  // Questions of another called agent may be all that is waited for now.
  const hasEnded = events.some(({ type }) => type === "TOOL_RESULT_END");
  if (hasEnded && calls.children.of(active.id).length > 0) pushes.addStatus(active.id, "asked");
}

export function artifactIds(message: Msg): readonly string[] {
  return artifactsOf(message).map(({ artifactId }) => artifactId);
}
