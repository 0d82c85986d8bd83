// A called session tells its caller of new events: at once after a pause, and no more than four times a second.
import { expect, test } from "vitest";

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

function openNews(act: () => Promise<unknown>, isOver = false): Told {
  const acts: string[] = [];
  const works: Promise<unknown>[] = [];
  const stub = {
    act: (name: string, payload: object) => {
      acts.push(`${name} ${JSON.stringify(payload)}`);
      return act();
    },
  };
  const parent = {
    session_id: "ses_1",
    tool_call_id: "call_1",
    ...(isOver && { is_over: true as const }),
  };
  const news = new CallerNews({
    env: { SESSION: { getByName: () => stub } } as never,
    called: () => ({ tenant_id: "ten_1", parent }),
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
  const { acts, happen, quiet } = openNews(() => Promise.resolve());
  for (let count = 0; count < 100; count += 1) happen("TEXT_BLOCK_DELTA");
  await quiet();

  expect(acts).toEqual(Array(2).fill('noteCalledEvents {"tool_call_id":"call_1"}'));
});

test("thoughts, which no caller copies, and what is behind the end of the call are not told", async () => {
  const thinking = openNews(() => Promise.resolve());
  const over = openNews(() => Promise.resolve(), true);
  thinking.happen("THINKING_BLOCK_DELTA");
  over.happen("TEXT_BLOCK_DELTA");
  await Promise.all([thinking.quiet(), over.quiet()]);

  expect([thinking.acts, over.acts]).toEqual([[], []]);
});

test("a caller that cannot be told is told again", BROAD, async () => {
  const log = hearLog();
  let fails = true;
  const { acts, happen, quiet } = openNews(() => {
    if (!fails) return Promise.resolve();
    fails = false;
    return Promise.reject(new Error("gone"));
  });
  happen("TEXT_BLOCK_DELTA");
  await quiet();

  expect(acts).toHaveLength(2);
  expect(log).toEqual(["the caller of an agent was not told; it will look"]);
});
