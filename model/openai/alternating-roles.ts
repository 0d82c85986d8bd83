// Messages in the order that templates of some models demand: a result is followed by the assistant, and the assistant by
// the user, who has the last word.
import type { ChatCompletionMessageParam, ChatCompletionUserMessageParam } from "openai/resources";

import type { UserPart } from "./openai-content.ts";

/** Between a result and what the user, or a picture of the result, says next. */
const AFTER_RESULT = "(The results are above.)";
const AFTER_ASSISTANT = "Continue.";

/** A message depends on those before it alone, so that a longer conversation begins like a shorter one. */
export function alternating(
  messages: readonly ChatCompletionMessageParam[],
): ChatCompletionMessageParam[] {
  const written: ChatCompletionMessageParam[] = [];
  for (const message of messages) {
    const last = written.at(-1);
    if (message.role !== "user") {
      written.push(message);
      continue;
    }
    if (last?.role === "user") {
      written[written.length - 1] = joined(last, message);
      continue;
    }
    if (last?.role === "tool") written.push({ role: "assistant", content: AFTER_RESULT });
    written.push(message);
  }
  if (written.at(-1)?.role === "assistant") {
    written.push({ role: "user", content: AFTER_ASSISTANT });
  }
  return written;
}

function joined(
  one: ChatCompletionUserMessageParam,
  other: ChatCompletionUserMessageParam,
): ChatCompletionUserMessageParam {
  const { content: first } = one;
  const { content: second } = other;
  const isText = typeof first === "string" && typeof second === "string";
  const content = isText ? `${first}\n\n${second}` : [...partsOf(first), ...partsOf(second)];
  return { role: "user", content };
}

function partsOf(content: ChatCompletionUserMessageParam["content"]): UserPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
