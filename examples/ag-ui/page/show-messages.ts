// Renders the conversation as a list.
import type { Message } from "@ag-ui/client";

import { element } from "./element.ts";
import type { RefundDesk, ShownCall } from "./refund-desk.ts";

export function showMessages(desk: RefundDesk): readonly HTMLElement[] {
  const { messages } = desk.agent;
  const answered = new Set(
    messages.flatMap((one) => (one.role === "tool" ? [one.toolCallId] : [])),
  );
  return messages.flatMap((message) => {
    if (message.role === "assistant") return showAnswer(message, answered);
    if (message.role === "tool") return showResult(desk.call(message.toolCallId), message);
    if (message.role === "user") return [element("li", "user", textOf(message.content))];
    // Discarded reasoning has empty text.
    const isThought = message.role === "reasoning" && message.content !== "";
    return isThought ? [element("li", "reasoning", message.content)] : [];
  });
}

function showAnswer(
  { content, toolCalls = [] }: Extract<Message, { role: "assistant" }>,
  answered: ReadonlySet<string>,
): readonly HTMLElement[] {
  const calls = toolCalls.map((call) => {
    const code = element("code", "", `${call.function.name}(${call.function.arguments})`);
    return element("li", "call", code, answered.has(call.id) ? " ✓" : " …");
  });
  return content ? [element("li", "assistant", content), ...calls] : calls;
}

/** Only labels are shown; the answer's text covers the other results. */
function showResult(
  call: ShownCall | null,
  { content }: Extract<Message, { role: "tool" }>,
): readonly HTMLElement[] {
  if (call?.name !== "print_label") return [];
  const [number = "", ...rest] = textOf(content).split(",");
  return [element("li", "label", element("strong", "", number), rest.join(",").trim())];
}

function textOf(content: Extract<Message, { role: "user" | "tool" }>["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join(" ");
}
