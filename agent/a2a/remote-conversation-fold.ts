import {
  REMOTE_CONVERSATION,
  RemoteConversationSchema,
  type RemoteConversation,
} from "../../protocol/a2a/remote-conversation.ts";
import { isSameJson } from "../json/is-same-json.ts";
import type { AbilityFold } from "../ability.ts";

/** A fork and an import begin without: two sessions in one context of the agent would answer each other's users. */
export const REMOTE_CONVERSATION_FOLD: AbilityFold<RemoteConversation | null> = {
  name: REMOTE_CONVERSATION,
  initial: null,
  reads: ["CUSTOM"],
  advance(before, event) {
    if (event.type !== "CUSTOM" || event.name !== REMOTE_CONVERSATION) return before;
    const read = RemoteConversationSchema.safeParse(event.value);
    return read.success ? read.data : before;
  },
  adopt: () => null,
  // The agent remembers what it was sent since, and a restored conversation has none of it.
  restore: (target, now) => (isSameJson(target, now) ? now : null),
};
