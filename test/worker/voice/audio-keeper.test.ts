// Audio that is kept: what its bounds leave of it.
import { expect, it } from "vitest";

import type { VoiceEffect } from "../../../agent/voice/engine/voice-effect.ts";
import { openVoice } from "../../../agent/voice/engine/advance.ts";
import { MAX_KEPT_BYTES, MAX_KEPT_FILES } from "../../../agent/voice/limits.ts";
import { AudioKeeper } from "../../../durable-objects/voice/audio-keeper.ts";
import type { KeptChange } from "../../../durable-objects/voice/voice-acts.ts";
import { waitFor } from "../../support/wait-for.ts";

const RATES = { input: 24_000, output: 24_000 };
/** Bytes of a second. */
const SECOND = 48_000;
const HEADER_BYTES = 44;
const STATE = openVoice({
  mode: "realtime",
  rates: RATES,
  truncation: "none",
  idle_ms: 1_000,
  keeps_audio: true,
});

/** A keeper whose files wait until they are let through. */
function openKeeper() {
  const files: number[] = [];
  const kept: KeptChange[] = [];
  const failures: string[] = [];
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const media = {
    async keepBytes(bytes: Uint8Array) {
      await isReleased;
      files.push(bytes.byteLength - HEADER_BYTES);
      return { ok: true, url: `file ${files.length}` };
    },
    confirm: async () => undefined,
  };
  const keeper = new AudioKeeper({
    media: media as never,
    rates: RATES,
    inBackground: () => undefined,
    keep: async (change) => kept.push(change) > 0,
    failed: (code, detail) => failures.push(`${code}: ${detail}`),
  });
  const take = (...effects: readonly VoiceEffect[]) => keeper.watch(STATE, effects, null);
  return { take, files, kept, failures, release };
}

function said(item: number, bytes: number): VoiceEffect {
  return { type: "send_audio", item, ms: 0, audio: new Uint8Array(bytes) };
}

function over(item: number, heard_ms: number): VoiceEffect {
  const of = { message_id: "rep_1", block_id: "blk_1" };
  return { type: "item_over", item, heard_ms, of };
}

it("ends where there was no room for more, and goes on behind no gap", async () => {
  const { take, files, failures, release } = openKeeper();
  const minutes = 2 * 60;
  // Two answers that are being stored, and a third one, leave room for less than a minute.
  for (const item of [1, 2]) take(said(item, minutes * SECOND), over(item, minutes * 1_000));
  take(said(3, 30 * SECOND), said(4, 50 * SECOND));
  const left = MAX_KEPT_BYTES - (2 * minutes + 80) * SECOND;
  take(said(3, left + SECOND), over(4, 50_000));
  release();
  await waitFor(() => expect(files).toHaveLength(3));
  take(said(3, 10 * SECOND), over(3, minutes * 1_000));
  await waitFor(() => expect(files).toHaveLength(4));

  expect(files.map((bytes) => bytes / SECOND)).toEqual([minutes, minutes, 50, 30]);
  expect(failures).toEqual([
    "unavailable: audio is not kept: too much of it is still being stored",
  ]);
});

it("is no more files of a message than it may name, and the client is told once", async () => {
  const { take, files, kept, failures, release } = openKeeper();
  release();
  for (let item = 1; item <= MAX_KEPT_FILES + 2; item += 1) take(said(item, 480), over(item, 10));
  await waitFor(() => expect(kept).toHaveLength(MAX_KEPT_FILES));

  expect(files).toHaveLength(MAX_KEPT_FILES);
  expect(failures).toEqual([
    `unavailable: audio is not kept: a message has ${MAX_KEPT_FILES} files of it at most`,
  ]);
});
