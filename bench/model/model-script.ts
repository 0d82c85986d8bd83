// Instructions for the mock model, as JSON in the newest user message, so that any platform can pass them on.

export interface ModelScript {
  /** Text tokens of the last answer. */
  readonly tokens: number;
  /** Tokens per second; 0 is full speed. */
  readonly rate: number;
  /** Tokens of reasoning before the text. */
  readonly reasoning?: number;
  /** Each event ends in a padding field of varying length, as some providers send to hide token lengths. */
  readonly isPadded?: boolean;
  /** Calls of the first tool, all in one answer, before the answer with text. */
  readonly calls?: number;
  /** Number of answers with calls before the one with text; default 1 when there are calls. */
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
  /** Answers since the newest script. */
  readonly answered: number;
}

/** Ignores user messages without a script, because platforms add some of their own. @throws without a script. */
export function readTurn({ messages = [] }: ChatRequest): ModelTurn {
  const index = messages.findLastIndex(
    ({ role, content }) => role === "user" && textOf(content).startsWith("{"),
  );
  const script = JSON.parse(textOf(messages[index]?.content)) as ModelScript;
  const answered = messages.slice(index + 1).filter(({ role }) => role === "assistant").length;
  return { script, answered };
}

/** The text of a content string or of content parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : [];
  return parts.map(({ text = "" }) => text).join("");
}
