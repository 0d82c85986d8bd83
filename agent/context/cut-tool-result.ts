// Cuts a large tool result for the model. The log keeps all of it.
import { BYTES_PER_TOKEN } from "../../protocol/context/limits.ts";
import type { TextOrDataBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import { READ_TOOL_RESULT_TOOL } from "../../protocol/tools/tool-result-reading.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";

/** Between the text blocks of a result, in the text that positions count in. */
const SEPARATOR = "\n";

/** The text of a result as positions count it: its text blocks, joined by line feeds, without media. */
export function textOfResult({ output }: Pick<ToolResultBlock, "output">): string {
  if (typeof output === "string") return output;
  return output.flatMap((block) => (block.type === "text" ? block.text : [])).join(SEPARATOR);
}

/**
 * The result as the model is sent it: its beginning, its media, and a note that says how to read the rest. It depends
 * on the result and the limit alone, so that it is the same in each request.
 * @param limit Tokens, as estimated.
 * @returns The result itself when it fits.
 */
export function cutToolResult(result: ToolResultBlock, limit: number): ToolResultBlock {
  const text = textOfResult(result);
  const bytes = limit * BYTES_PER_TOKEN;
  if (!isLonger(text, bytes)) return result;
  const shown = charactersWithin(text, bytes);
  const note = cutNote(result.id, shown, text.length);
  if (typeof result.output === "string") {
    return { ...result, output: `${text.slice(0, shown)}\n${note}` };
  }
  return { ...result, output: [...beginning(result.output, shown), noteBlock(result, note)] };
}

function isLonger(text: string, bytes: number): boolean {
  // A UTF-16 unit has one to three bytes, so that most texts need no counting.
  return text.length > bytes || (text.length * 3 > bytes && utf8Bytes(text) > bytes);
}

/** UTF-16 units of the longest beginning of so many bytes, without half of a surrogate pair. */
function charactersWithin(text: string, bytes: number): number {
  let left = bytes;
  let index = 0;
  while (index < text.length) {
    const code = text.codePointAt(index) ?? 0;
    left -= bytesOf(code);
    if (left < 0) break;
    index += code > 0xffff ? 2 : 1;
  }
  return index;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** The blocks with the first characters of their text; media stay where they are. */
function beginning(output: readonly TextOrDataBlock[], shown: number): TextOrDataBlock[] {
  let left = shown;
  return output.flatMap((block): readonly TextOrDataBlock[] => {
    if (block.type !== "text") return [block];
    const text = block.text.slice(0, Math.max(0, left));
    left -= block.text.length + SEPARATOR.length;
    return text === "" ? [] : [{ ...block, text }];
  });
}

function noteBlock({ id, created_at }: ToolResultBlock, text: string): TextOrDataBlock {
  return { type: "text", text, id: `${id}:cut`, created_at, finished_at: created_at };
}

function cutNote(id: string, shown: number, length: number): string {
  const next = JSON.stringify({ tool_call_id: id, offset: shown });
  return (
    `<<<TRUNCATED>>> These are the first ${shown} of ${length} characters. ` +
    `Call ${READ_TOOL_RESULT_TOOL} with ${next} for the next ones, or with "search" to find a text.`
  );
}
