// Reads the text frames of a client.
import type * as z from "zod";

import {
  RealtimeClientEventSchema,
  type RealtimeClientEvent,
} from "../../protocol/dialects/realtime/client-events.ts";
import { refuse, type Refusal, type Result } from "../../protocol/errors.ts";
import { findShapeViolation } from "../../protocol/json-shape.ts";
import { MAX_INPUT_DEPTH, MAX_INPUT_VALUES } from "../../protocol/requests/limits.ts";
import {
  ClientFrameSchema,
  RoomClientFrameSchema,
  StartFrameSchema,
  type ClientFrame,
  type RoomClientFrame,
  type StartFrame,
} from "../../protocol/voice/frames.ts";
import { MAX_FRAME_ID_CHARACTERS } from "../../protocol/voice/limits.ts";

type ReadFrame<Frame> = Result<Frame> & {
  /** Given back with an error about the frame. */
  readonly ref: string | undefined;
};

export function readStartFrame(text: string): ReadFrame<StartFrame> {
  return read(text, StartFrameSchema);
}

export function readRoomFrame(text: string): ReadFrame<RoomClientFrame> {
  return read(text, RoomClientFrameSchema);
}

export function readRealtimeEvent(text: string): ReadFrame<RealtimeClientEvent> {
  return read(text, RealtimeClientEventSchema);
}

export function readClientFrame(text: string): ReadFrame<ClientFrame> {
  return read(text, ClientFrameSchema);
}

/** As of the body of a request. */
const SHAPE = { depth: MAX_INPUT_DEPTH, values: MAX_INPUT_VALUES };

function read<Frame>(text: string, schema: z.ZodType<Frame>): ReadFrame<Frame> {
  const violation = findShapeViolation(text, SHAPE);
  if (violation === "too_deep") {
    const detail = `a frame may be nested ${SHAPE.depth} levels at most`;
    return { ...refuse("input_too_deep", detail), ref: undefined };
  }
  if (violation) {
    const detail = `a frame may hold ${SHAPE.values} values at most`;
    return { ...refuse("validation_failed", detail), ref: undefined };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...refuse("malformed_json", "the frame is not JSON"), ref: undefined };
  }
  const ref = refOf(value);
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data, ref };
  return { ...refuseIssues(parsed.error), ref };
}

function refuseIssues({ issues }: z.ZodError): { readonly ok: false; readonly refusal: Refusal } {
  const [issue] = issues;
  const place = (issue?.path ?? []).map(String).join("/");
  const detail = `${place === "" ? "the frame" : `its member ${place}`} is not valid: ${issue?.message ?? ""}`;
  return refuse("validation_failed", detail);
}

function refOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  const { id } = value;
  return typeof id === "string" && id.length <= MAX_FRAME_ID_CHARACTERS ? id : undefined;
}
