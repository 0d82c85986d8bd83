// The bytes of one time slice that the readers of this isolate are sent of their backlogs, all of them together. With a
// slice's bytes for each, a hundred who come at once would be sent a hundred times as much without a look at the
// network.
import { BACKLOG_PIECE_BYTES, BACKLOG_SLICE_BYTES } from "../../protocol/events/limits.ts";

/** Bytes sent since the last slice of any reader. */
let sentBytes = 0;

/** Whether a reader that is behind has to wait for a time slice, and to call {@link beginBacklogSlice} then. */
export function isBacklogSliceSpent(): boolean {
  return sentBytes > BACKLOG_SLICE_BYTES;
}

export function beginBacklogSlice(): void {
  sentBytes = 0;
}

/** Counts a piece that is sent, if it is one of a backlog. @returns Whether it is. */
export function countBacklog({ byteLength }: Uint8Array): boolean {
  const isBacklog = byteLength > BACKLOG_PIECE_BYTES;
  if (isBacklog) sentBytes += byteLength;
  return isBacklog;
}
