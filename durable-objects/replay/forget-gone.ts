import { MEMORY_FOLD } from "../../agent/memory/memory-fold.ts";
import { toldMemories } from "../../agent/memory/recall-hint.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { goneMemories } from "../settings/gone-memories.ts";
import { openMemoryStore } from "../settings/session-memory.ts";
import type { ReadRecording } from "./read-recording.ts";

/** Memories of the record that are not there any more are told to no model again. */
export async function forgetGone(
  env: Env,
  { settings }: Pick<OpenSession, "settings">,
  { history, replies, states }: Pick<ReadRecording, "history" | "replies" | "states">,
): Promise<void> {
  const messages = [...history, ...replies.map(({ message }) => message)];
  const openStore = () => openMemoryStore(env, settings.replyInit);
  const gone = await goneMemories(messages, { abilities: states }, openStore);
  const ids = gone === "all" ? [...toldMemories(messages).keys()] : [...gone];
  if (ids.length > 0) states.set(MEMORY_FOLD, { ...states.read(MEMORY_FOLD), gone: ids });
}
