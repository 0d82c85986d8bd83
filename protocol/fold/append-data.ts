// Data blocks in the fold. The function that joins base64 is injected: few replies contain data and it is a large part
// of the fold's code, so an app may load it with the first delta.
import { changeBlock, outputBlocks } from "./append-content.ts";
import type { AgentEvent, EventOf } from "../events.ts";
import type * as growData from "./grow-data.ts";
import type { Msg } from "../messages/messages.ts";

/** The events that carry base64 deltas. */
export type Base64Delta = EventOf<"DATA_BLOCK_DELTA" | "TOOL_RESULT_DATA_DELTA">;

type DataGrowth = Pick<typeof growData, "growDataBlock" | "growOutputData">;

export function isBase64Delta(event: AgentEvent): event is Base64Delta {
  return event.type === "DATA_BLOCK_DELTA" || event.type === "TOOL_RESULT_DATA_DELTA";
}

/** As `appendEvent`, for the events that carry base64 deltas. */
export function appendData(
  message: Msg,
  event: Base64Delta,
  { growDataBlock, growOutputData }: DataGrowth,
): Msg {
  if (event.reply_id !== message.id) return message;
  if (event.type === "DATA_BLOCK_DELTA") {
    return changeBlock(message, "data", event.block_id, (block) => growDataBlock(block, event));
  }
  return changeBlock(message, "tool_result", event.tool_call_id, (result) => {
    const output = outputBlocks(result, event.created_at);
    const grown = growOutputData(output, event);
    return grown === output ? result : { ...result, output: [...grown] };
  });
}
