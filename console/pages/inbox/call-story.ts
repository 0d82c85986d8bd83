// Story behind a call, from the messages of its session: the end user's last words, and what the agent has done since.
import { getTextContent, omittedOf, type Msg } from "../../../sdk/index.ts";

export type StoryStep =
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "called"; readonly toolName: string; readonly state: string };

export interface CallStory {
  /** Null where the messages that were read have none, or it is too large for a list. */
  readonly lastWords: string | null;
  /** Oldest first, without the call itself. */
  readonly steps: readonly StoryStep[];
  /** First words of the conversation, as its name; null when its beginning was not read, or is the last words. */
  readonly firstWords: string | null;
}

/** Characters of a session's name. */
const MAX_NAME_CHARACTERS = 60;

/**
 * @param messages Of the newest page, oldest first.
 * @param isWhole No older message exists.
 */
export function storyOf(messages: readonly Msg[], callId: string, isWhole: boolean): CallStory {
  const end = messages.findIndex(({ content }) =>
    content.some((block) => block.type === "tool_call" && block.id === callId),
  );
  // A call whose message is too large for the list is in the newest one.
  const until = end === -1 ? messages : messages.slice(0, end + 1);
  const asked = until.findLastIndex(({ role }) => role === "user");
  const begun = messages.findIndex(({ role }) => role === "user");
  const first = isWhole && begun !== asked ? messages[begun] : undefined;
  const lastWords = asked === -1 ? null : wordsOf(until[asked]);
  return {
    lastWords,
    steps: until.slice(asked + 1).flatMap((message) => stepsOf(message, callId)),
    firstWords: first ? nameOf(wordsOf(first)) : null,
  };
}

function wordsOf(message: Msg | undefined): string | null {
  if (!message || omittedOf(message)) return null;
  const text = (getTextContent(message) ?? "").trim();
  if (text !== "") return text;
  const files = message.content.filter(({ type }) => type === "data").length;
  return files === 0 ? null : files === 1 ? "(a file)" : `(${files} files)`;
}

function stepsOf({ content }: Msg, callId: string): readonly StoryStep[] {
  const end = content.findIndex((block) => block.type === "tool_call" && block.id === callId);
  const states = new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block.state]] : [])),
  );
  return content.slice(0, end === -1 ? content.length : end).flatMap((block): StoryStep[] => {
    if (block.type === "text" && block.text.trim() !== "") {
      return [{ type: "said", text: block.text.trim() }];
    }
    if (block.type !== "tool_call") return [];
    return [{ type: "called", toolName: block.name, state: states.get(block.id) ?? "running" }];
  });
}

function nameOf(words: string | null): string | null {
  if (words === null) return null;
  const line = words.replaceAll(/\s+/g, " ");
  const characters = Array.from(line.slice(0, 4 * MAX_NAME_CHARACTERS));
  return characters.length <= MAX_NAME_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join("")}…`;
}

/** Outcome of a call that came before, in words. */
export function stateWords(state: string): string {
  return STATE_WORDS[state] ?? state;
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  success: "worked",
  error: "failed",
  denied: "was denied",
  interrupted: "was interrupted",
  running: "has no result yet",
};
