import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { ReplyHooks } from "./reply-hooks.ts";

type Block = Extract<ToolResultBlock["output"], readonly unknown[]>[number];

/**
 * Results that are the reply's answer, as `pre_print` hooks let them be said. Data is not printed.
 * Where a hook ends the reply the rest is as it was: the caller looks at `ending` first.
 */
export async function printAnswer(
  results: readonly ToolResultBlock[],
  hooks: ReplyHooks,
): Promise<readonly ToolResultBlock[]> {
  if (!hooks.has("pre_print")) return results;
  const printed: ToolResultBlock[] = [];
  for (const result of results) {
    printed.push({ ...result, output: await printOutput(result, hooks) });
  }
  return printed;
}

async function printOutput(
  { id, output }: ToolResultBlock,
  hooks: ReplyHooks,
): Promise<ToolResultBlock["output"]> {
  if (typeof output === "string") {
    return (await hooks.beforePrint("text", output, { place: id })).text;
  }
  const blocks: Block[] = [];
  for (const [index, block] of output.entries()) {
    if (block.type !== "text" || block.text === "") blocks.push(block);
    else {
      const place = `${id}-${index}`;
      const { text } = await hooks.beforePrint("text", block.text, { place });
      blocks.push({ ...block, text });
    }
  }
  return blocks;
}
