// The bytes that the rows of an event log would take in other forms.
import { deflateRawSync } from "node:zlib";

import { unpackFrames } from "../../durable-objects/log/unpack-frames.ts";
import type { RowCounts } from "../row-counts.ts";

export function measureLog(rows: readonly Uint8Array[]): RowCounts["log"] {
  const frames = rows.map(unpackFrames);
  return {
    stored: sizeOf(rows),
    frames: sizeOf(frames),
    deflated_frames: sizeOf(frames.map((row) => deflateRawSync(row))),
    deflated_stored: sizeOf(rows.map((row) => deflateRawSync(row))),
  };
}

function sizeOf(rows: readonly Uint8Array[]): number {
  return rows.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
