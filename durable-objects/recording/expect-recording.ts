// Ends of replies that make a recording due, in the commit of the end.
import { UNTRUSTED_CONTENT_FOLD } from "../../agent/permission/untrusted-content-fold.ts";
import type { EventOf } from "../../protocol/events.ts";
import { MAX_WAITING_RECORDINGS } from "../../protocol/memory/limits.ts";
import type { SessionInit } from "../api/session-api.ts";
import { inheritedSources, mayWriteMemory } from "../settings/reply-memory.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { RECORDING } from "../tables/timers.ts";

/** Whether the platform records what the agent's replies give. */
export function recordsReplies({ agent: { memory } }: Pick<SessionInit, "agent">): boolean {
  return memory ? memory.mode !== "agent_control" : false;
}

/** No write for an agent that records nothing, and after a reply that was interrupted or has failed. */
export function expectRecording(
  { replies, abilities, recordings, timers }: SessionTables,
  init: SessionInit,
  { reply_id, finished_reason }: Pick<EventOf<"REPLY_END">, "reply_id" | "finished_reason">,
): void {
  if (!recordsReplies(init)) return;
  if (finished_reason !== "completed" && finished_reason !== "exceed_max_iters") return;
  const is_of_user = replies.share(reply_id) !== undefined;
  if (!mayWriteMemory(init, is_of_user) || recordings.count() >= MAX_WAITING_RECORDINGS) return;
  // Also what no model has been sent yet: a result may be the reply's answer.
  const { results } = abilities.read(UNTRUSTED_CONTENT_FOLD);
  const untrusted = results.at(-1)?.source ?? inheritedSources(init).at(-1) ?? null;
  recordings.add({ reply_id, untrusted, is_of_user });
  timers.set(RECORDING, Date.now());
}
