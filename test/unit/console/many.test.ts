import { expect, test } from "vitest";

import { runMany, type ManyResult } from "../../../console/components/many/run-many.ts";
import { inputOf } from "../../../console/pages/failures/retry-failed.ts";
import { AssistantMsg, UserMsg } from "../../../sdk/index.ts";

const user = (id: string, text: string) => ({ ...UserMsg("user", text), id });
const answer = (id: string) => ({ ...AssistantMsg("agent", "An answer."), id });

test("a retry has the input of the failed reply under ids that follow from it, and nothing else", () => {
  const [first, second] = [user("msg_2", "one"), user("msg_3", "two")];
  const messages = [user("msg_1", "before"), answer("rep_1"), first, second, answer("rep_2")];

  const content = ({ content: blocks, name }: typeof first) => ({ name, content: blocks });
  expect(inputOf(messages, "rep_2")).toEqual([
    { id: "retry-rep_2-0", ...content(first) },
    { id: "retry-rep_2-1", ...content(second) },
  ]);
  expect(inputOf(messages, "rep_1")).toBe("gone on");
  expect(inputOf([...messages, user("msg_4", "and?")], "rep_2")).toBe("gone on");
  expect(inputOf(messages, "rep_none")).toBe("gone on");
  const omitted = { ...first, content: [], metadata: { omitted: { bytes: 10_000_000 } } };
  expect(inputOf([omitted, answer("rep_2")], "rep_2")).toEqual([]);
});

test("many are done one after another, a refusal stops none of them, and a stop lets none begin", async () => {
  const results: ManyResult[] = [];
  const stop = new AbortController();
  let running = 0;
  const run = async (item: number) => {
    running += 1;
    await Promise.resolve();
    expect(running).toBe(1);
    running -= 1;
    if (item === 2) throw new Error("refused");
    if (item === 4) stop.abort();
    return "done";
  };

  await runMany([1, 2, 3, 4, 5], run, {
    signal: stop.signal,
    onResult: (result) => results.push(result),
    textOf: (error) => (error as Error).message,
  });

  expect(results.at(-1)).toEqual({
    done: 4,
    outcomes: [
      ["done", 3],
      ["refused", 1],
    ],
  });
});
