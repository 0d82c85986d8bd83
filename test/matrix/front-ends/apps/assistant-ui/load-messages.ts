import { HttpAgent } from "@ag-ui/client";
import type { ThreadMessageLike } from "@assistant-ui/react";
import { fromAgUiMessages } from "@assistant-ui/react-ag-ui";

import type { Connection } from "./back-end.ts";

/** Joins the thread. @returns its messages with what waits for a person, for a page that is opened again. */
export async function loadMessages({ url, threadId, token }: Connection) {
  const reader = new HttpAgent({
    url: `${url}?thread_id=${threadId}&profile=0.0`,
    headers: { Authorization: `Bearer ${token}` },
    fetch: (url, { headers, signal }) => fetch(url, { headers, signal }),
  });
  await reader.runAgent();
  const messages: ThreadMessageLike[] = fromAgUiMessages(reader.messages);
  const last = messages.at(-1);
  const interrupts = reader.pendingInterrupts;
  if (last?.role !== "assistant" || interrupts.length === 0) return messages;
  const waiting: ThreadMessageLike = {
    ...last,
    status: { type: "requires-action", reason: "interrupt" },
    metadata: { custom: { agui: { interrupts } } },
  };
  return [...messages.slice(0, -1), waiting];
}
