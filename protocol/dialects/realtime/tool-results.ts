// Results of tools, gathered from their events: the dialect tells each when it is complete.
import type { EventOf } from "../../events.ts";
import { Remembered } from "./remembered.ts";
import type { RealtimeOutputBlock, RealtimeToolResult } from "./server-events.ts";

interface OpenResult {
  readonly name: string;
  text: string;
  readonly data: Map<string, OpenData>;
}

interface OpenData {
  readonly media_type: string;
  url: string | null;
  data: string;
}

const MEDIA = ["image", "audio", "video"] as const;

export class ToolResults {
  readonly #open = new Remembered<string, OpenResult>();

  start({ tool_call_id, tool_call_name }: EventOf<"TOOL_RESULT_START">): void {
    this.#open.set(tool_call_id, { name: tool_call_name, text: "", data: new Map() });
  }

  /** Results from outside come to calls that have waited, of which this reader may have seen no beginning. */
  give({ execution_results }: EventOf<"EXTERNAL_EXECUTION_RESULT">): void {
    for (const { id, name } of execution_results) {
      if (!this.#open.get(id)) this.#open.set(id, { name, text: "", data: new Map() });
    }
  }

  text({ tool_call_id, delta }: EventOf<"TOOL_RESULT_TEXT_DELTA">): void {
    const result = this.#open.get(tool_call_id);
    if (result) result.text += delta;
  }

  data({ tool_call_id, block_id, media_type, url, data }: EventOf<"TOOL_RESULT_DATA_DELTA">): void {
    const result = this.#open.get(tool_call_id);
    if (!result) return;
    const block = result.data.get(block_id) ?? { media_type, url: null, data: "" };
    block.url = url ?? block.url;
    block.data += data ?? "";
    result.data.set(block_id, block);
  }

  /** The result; null for one whose beginning was not read. */
  end({ tool_call_id: id }: EventOf<"TOOL_RESULT_END">): RealtimeToolResult | null {
    const result = this.#open.get(id);
    if (!result) return null;
    this.#open.delete(id);
    const { name, text, data } = result;
    const texts = text === "" && data.size > 0 ? [] : [{ type: "text", text } as const];
    const output = [...texts, ...[...data.values()].map(toBlock)];
    return { type: "tool_result", id, name, output };
  }
}

function toBlock({ media_type, url, data }: OpenData): RealtimeOutputBlock {
  const type = MEDIA.find((one) => media_type.startsWith(`${one}/`)) ?? "data";
  const source =
    url === null
      ? ({ type: "base64", data, media_type } as const)
      : ({ type: "url", url, media_type } as const);
  return { type, source };
}
