// A called session tells its caller of new events: at once after a pause, and no more than four times a second.
import { expect, onTestFinished, test, vi } from "vitest";

import { CallerNews } from "../../../durable-objects/replies/tell-caller.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { BROAD } from "../../support/breadth.ts";
import { hearLog } from "../../support/hear-log.ts";

interface Told {
  readonly news: CallerNews;
  readonly acts: string[];
  /** Logs an event, and has it on disk. */
  readonly happen: (type: "TEXT_BLOCK_DELTA" | "THINKING_BLOCK_DELTA") => void;
  /** Resolves when nothing is left to tell. */
  readonly quiet: () => Promise<void>;
}

const NOTED = { ok: true, value: null };

function openNews(act: () => Promise<unknown>, isOver = false): Told {
  const acts: string[] = [];
  const works: Promise<unknown>[] = [];
  const stub = {
    act: (name: string, payload: object) => {
      acts.push(`${name} ${JSON.stringify(payload)}`);
      return act();
    },
  };
  const call = { session_id: "ses_1", tool_call_id: "call_1" };
  let parent: typeof call & { readonly is_over?: true } = call;
  const endCall = (): void => {
    parent = { ...call, is_over: true };
  };
  if (isOver) endCall();
  const news = new CallerNews({
    env: { SESSION: { getByName: () => stub } } as never,
    called: () => ({ tenant_id: "ten_1", parent }),
    endCall,
    isClosed: () => false,
    inBackground: (work) => void works.push(work),
  });
  let seq = 0;
  return {
    news,
    acts,
    happen: (type) => {
      seq += 1;
      news.logged({ type, seq } as LoggedEvent);
      news.durable(seq);
    },
    quiet: async () => void (await Promise.all(works)),
  };
}

test("many events are told at once, and once more for those behind", async () => {
  const { acts, happen, quiet } = openNews(() => Promise.resolve(NOTED));
  for (let count = 0; count < 100; count += 1) happen("TEXT_BLOCK_DELTA");
  await quiet();

  expect(acts).toEqual(Array(2).fill('noteCalledEvents {"tool_call_id":"call_1"}'));
});

test("thoughts, which no caller copies, and what is behind the end of the call are not told", async () => {
  const thinking = openNews(() => Promise.resolve(NOTED));
  const over = openNews(() => Promise.resolve(NOTED), true);
  thinking.happen("THINKING_BLOCK_DELTA");
  over.happen("TEXT_BLOCK_DELTA");
  await Promise.all([thinking.quiet(), over.quiet()]);

  expect([thinking.acts, over.acts]).toEqual([[], []]);
});

test("a caller whose call is over is told so much that it says so, and nothing more", async () => {
  const { acts, happen, quiet } = openNews(() =>
    Promise.resolve({ ok: true, value: { is_over: true } }),
  );
  happen("TEXT_BLOCK_DELTA");
  await quiet();
  happen("TEXT_BLOCK_DELTA");
  await quiet();

  expect(acts).toHaveLength(1);
});

test("a caller that is down is told less and less often", BROAD, async () => {
  hearLog();
  const waits: number[] = [];
  const waiting = vi.spyOn(scheduler, "wait").mockImplementation((ms) => {
    waits.push(ms);
    return Promise.resolve();
  });
  onTestFinished(() => waiting.mockRestore());
  let tries = 0;
  const { happen, quiet } = openNews(() => {
    tries += 1;
    return tries < 8 ? Promise.reject(new Error("gone")) : Promise.resolve(NOTED);
  });
  happen("TEXT_BLOCK_DELTA");
  await quiet();

  expect(waits.slice(0, 7)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test("a caller that cannot be told is told again", BROAD, async () => {
  const log = hearLog();
  let fails = true;
  const { acts, happen, quiet } = openNews(() => {
    if (!fails) return Promise.resolve(NOTED);
    fails = false;
    return Promise.reject(new Error("gone"));
  });
  happen("TEXT_BLOCK_DELTA");
  await quiet();

  expect(acts).toHaveLength(2);
  expect(log).toEqual(["the caller of an agent was not told; it will look"]);
});
