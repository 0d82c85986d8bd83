// Whatever a thread went through, every reader of its log sees the same frames: those that go on anywhere, those of one
// reply, and those of one run.
import { expect } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { rowsOf } from "../confirmations/parked.ts";
import { readFrames, type Frame } from "../streams/translated.ts";
import { runRows } from "./runs.ts";

/** Frames from one cut to the next; the cuts of so many threads are at all kinds of frames. */
const CUT_EVERY = 4;
const RUN = { threadId: "t", runId: "r" };

export async function checkFrames(init: SessionInit): Promise<void> {
  for (const format of ["format=ag-ui", "format=ag-ui&raw=true"]) {
    const whole = await readFrames(init, `after=0&${format}`);
    await checkCuts(init, format, whole);
    await checkReplies(init, format, whole);
    await checkRuns(init, format, whole);
  }
}

async function checkCuts(init: SessionInit, format: string, whole: readonly Frame[]) {
  for (const [index, { id }] of whole.entries()) {
    if (index % CUT_EVERY !== 0 || id === whole[index + 1]?.id) continue;
    const rest = await readFrames(init, `after=${id}&${format}`);
    expect(rest).toEqual(whole.slice(index + 1));
  }
}

async function checkReplies(init: SessionInit, format: string, whole: readonly Frame[]) {
  for (const { id, start_cursor, end_seq } of await rowsOf(init, "SELECT * FROM replies")) {
    const frames = await readFrames(init, `after=0&reply_id=${String(id)}&${format}`);
    const isOwn = (frame: Frame) =>
      seqOf(frame.id) > Number(start_cursor) && seqOf(frame.id) <= Number(end_seq);
    expect(frames).toEqual(whole.filter(isOwn));
  }
}

async function checkRuns(init: SessionInit, format: string, whole: readonly Frame[]) {
  for (const { reply_id, from_seq } of await runRows(init)) {
    const from = Number(from_seq);
    const ids = `reply_id=${String(reply_id)}&thread_id=${RUN.threadId}&run_id=${RUN.runId}`;
    const frames = await readFrames(init, `after=${from}&${ids}&${format}`);
    const start = whole.findIndex(
      ({ id, event }) => event.type === "RUN_STARTED" && seqOf(id) > from,
    );
    const end = whole.findIndex(
      ({ event: { type } }, index) =>
        index > start && (type === "RUN_FINISHED" || type === "RUN_ERROR"),
    );
    expect(frames).toEqual(whole.slice(start, end + 1).map(named));
  }
}

/** As the run's own client is told it. */
function named({ id, event }: Frame): Frame {
  const { type, input } = event;
  if (type !== "RUN_STARTED" && type !== "RUN_FINISHED") return { id, event };
  const told = { ...event, ...RUN };
  return { id, event: input ? { ...told, input: { ...input, ...RUN } } : told };
}

function seqOf(id: string): number {
  return Number.parseInt(id, 10);
}
