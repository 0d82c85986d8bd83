// Conversations of the agents that a session has called, folded from the caller's log.
import { appendEvent, startMessage, type LoggedEvent, type Msg } from "../../../sdk/index.ts";
import { isRecord } from "../words/members.ts";

/** A called agent at work for one call, as far as its caller was told. */
export interface CalledStory {
  readonly sessionId: string;
  readonly agentName: string;
  /** The session whose call it works for: the caller's own, or a called one between. */
  readonly parentId: string;
  /** That call. */
  readonly toolCallId: string;
  readonly messages: readonly Msg[];
  /** The caller keeps no more words of it. */
  readonly isOmitted: boolean;
}

export type CalledStories = ReadonlyMap<string, CalledStory>;

export const NO_STORIES: CalledStories = new Map();

/** The stories after one more event of the caller's log; the same ones where it says nothing of called agents. */
export function tellCalled(stories: CalledStories, event: LoggedEvent): CalledStories {
  if (event.type !== "CUSTOM" || event.name !== "subagent_event") return stories;
  const value: unknown = event.value;
  if (!isRecord(value) || !Array.isArray(value["events"])) return stories;
  const { session_id, agent_name, parent_session_id, tool_call_id } = value;
  if (typeof session_id !== "string" || typeof tool_call_id !== "string") return stories;
  const before = stories.get(session_id);
  const messages = (value["events"] as readonly LoggedEvent[]).reduce(
    addEvent,
    before?.messages ?? [],
  );
  const story: CalledStory = {
    sessionId: session_id,
    agentName: typeof agent_name === "string" ? agent_name : "",
    parentId: typeof parent_session_id === "string" ? parent_session_id : "",
    toolCallId: tool_call_id,
    messages,
    isOmitted: before?.isOmitted === true || value["omitted"] === true,
  };
  return new Map(stories).set(session_id, story);
}

/** The conversation after one more event: a reply begins or grows. An event of a form that cannot be read adds nothing. */
function addEvent(messages: readonly Msg[], event: LoggedEvent): readonly Msg[] {
  try {
    if (event.type === "REPLY_START") return [...messages, startMessage(event)];
    const index = messages.findLastIndex(({ id }) => id === event.reply_id);
    const message = messages[index];
    if (!message) return messages;
    const grown = appendEvent(message, event);
    return grown === message ? messages : messages.with(index, grown);
  } catch {
    return messages;
  }
}

/** The agents that this call, of this session, has called; more than one only after a lost machine. */
export function calledBy(
  stories: CalledStories,
  { sessionId, callId }: { readonly sessionId: string; readonly callId: string },
): readonly CalledStory[] {
  return [...stories.values()].filter(
    ({ parentId, toolCallId }) => parentId === sessionId && toolCallId === callId,
  );
}
