import { MAX_SHOWN_CHARACTERS } from "../../../ag-ui/limits.ts";
import type { AgUiMessage } from "./messages.ts";

/** The newest messages that fit into one event; always the last one. Cost: serialises them once. */
export function newestMessages(messages: readonly AgUiMessage[]): readonly AgUiMessage[] {
  let characters = 0;
  let start = messages.length;
  for (const message of [...messages].reverse()) {
    characters += JSON.stringify(message).length;
    if (characters > MAX_SHOWN_CHARACTERS && start < messages.length) break;
    start -= 1;
  }
  return messages.slice(start);
}
