// What the mock model is to do: the newest user message says it, as JSON, so that any platform can carry it there.

export interface ModelScript {
  /** Tokens of text in the last answer. */
  readonly tokens: number;
  /** Tokens a second; 0 is as fast as the connection takes them. */
  readonly rate: number;
  /** Tokens of reasoning before the text. */
  readonly reasoning?: number;
  /** Each event ends in a field of its own length, with which some providers hide how long their tokens are. */
  readonly isPadded?: boolean;
  /** Calls of the first tool on offer, all in one answer, before the answer with the text. */
  readonly calls?: number;
  /** Answers with calls before the one with the text; 1 when there are calls. */
  readonly rounds?: number;
  /** Milliseconds before the answer begins. */
  readonly delayMs?: number;
  /** Milliseconds between the last token and the end of the answer. */
  readonly holdMs?: number;
}

export function writeScript(script: ModelScript): string {
  return JSON.stringify(script);
}

export interface ChatRequest {
  readonly model?: string;
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
}

interface ChatMessage {
  readonly role?: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly unknown[];
}

export interface ModelTurn {
  readonly script: ModelScript;
  /** Answers that were given since the newest script. */
  readonly answered: number;
}

/** A platform tells its model more in the user's name, such as that it has made too many calls. @throws without a script. */
export function readTurn({ messages = [] }: ChatRequest): ModelTurn {
  const index = messages.findLastIndex(
    ({ role, content }) => role === "user" && textOf(content).startsWith("{"),
  );
  const script = JSON.parse(textOf(messages[index]?.content)) as ModelScript;
  const answered = messages.slice(index + 1).filter(({ role }) => role === "assistant").length;
  return { script, answered };
}

/** The content is a text, or a list of parts with texts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : [];
  return parts.map(({ text = "" }) => text).join("");
}
