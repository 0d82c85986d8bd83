// Views of messages, results and inputs for hooks, and the asking of several at a time.
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import { MAX_PARALLEL_TOOL_CALLS } from "../../protocol/tools/limits.ts";
import { parseExact } from "../exact-number.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ShownMessage } from "./hook-runner.ts";

export function showMessage({ id, role, name, content }: Msg): ShownMessage {
  return { id, role, name, content };
}

export function outputText({ output }: ToolResultBlock): string {
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** The text itself where it is no JSON. */
export function readInput(text: string): unknown {
  try {
    return parseExact(text || "{}");
  } catch {
    return text;
  }
}

/** As many at a time as calls run. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: Math.min(items.length, MAX_PARALLEL_TOOL_CALLS) }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
