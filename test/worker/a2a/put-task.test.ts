// D1 learns how a task stands while its reply runs only where that may have changed.
import { expect, it } from "vitest";

import { putTask } from "../../../durable-objects/replies/put-beside.ts";

const ACTIVE = { id: "rep", isTask: true, isRunning: true };
const ENDED = { type: "TOOL_RESULT_END", reply_id: "rep", seq: 7, created_at: "2026-01-01" };

function putWith(questions: readonly string[]) {
  const children = {
    hasOpen: true,
    of: () => [{ tool_call_id: "call" }],
    questions: { open: () => new Map(questions.map((id) => [id, {}])) },
  };
  const tables = { timers: { setBy: () => undefined }, calls: { children } };
  const sql = { exec: () => undefined };
  return putTask(sql as never, tables as never, [ENDED] as never, ACTIVE);
}

it("a result of a task whose called agents ask nothing costs no write, and one beside a question does", () => {
  expect([putWith([]), putWith(["rep_child"])]).toEqual([null, 7]);
});
