import { MAX_SHOWN_CHARACTERS } from "../../../limits/ag-ui.ts";
import type { AgUiMessage } from "./messages.ts";

/** Those that fit into one event, the oldest left out; the last one in any case. Cost: writes them as JSON once. */
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
