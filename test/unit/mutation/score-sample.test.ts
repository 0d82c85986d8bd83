import { describe, expect, test } from "vitest";

import {
  drawOrder,
  isDoubtful,
  type Draw,
  type Verdict,
} from "../../mutation/sample/sample-files.ts";
import { judgedPrefix, scoreSample } from "../../mutation/sample/score-sample.ts";

const NAMES = Array.from({ length: 1_000 }, (_, index) => `a/b.ts:${index}`);
const DRAW: Draw = { commit: "0", mutants: NAMES };
const all = (): boolean => true;

function verdictsOf(statuses: readonly string[]): Map<string, Verdict[]> {
  const pairs = statuses.map((status, index): [string, Verdict[]] => {
    const mutant = NAMES[index] ?? "";
    return [mutant, [{ mutant, status }]];
  });
  return new Map(pairs);
}

test("a draw is the same for a seed whatever the order of the mutants is, and another one for another seed", () => {
  const drawn = drawOrder(NAMES, "1");

  expect([...drawn].sort()).toEqual([...NAMES].sort());
  expect(drawOrder([...NAMES].reverse(), "1")).toEqual(drawn);
  expect(drawOrder(NAMES, "2")).not.toEqual(drawn);
});

describe("the score of a sample", () => {
  test("counts what ran out of time as found, what is not reached as living, and what is no mutant not at all", () => {
    const statuses = ["Killed", "Survived", "Timeout", "RuntimeError", "NoCoverage", "Ignored"];

    expect(scoreSample(DRAW, verdictsOf(statuses), all)).toEqual({
      mutants: 1_000,
      drawn: 4,
      unreached: 1,
      found: 2,
      share: 0.5,
      low: expect.closeTo(0.15, 2) as number,
      high: expect.closeTo(0.85, 2) as number,
    });
  });

  test("is Wilson's interval of a few of many, and certain when all were judged", () => {
    const mutants = Array.from({ length: 1e6 }, (_, index) => `${index}`);
    const verdicts = new Map<string, Verdict[]>();
    for (const [index, mutant] of mutants.slice(0, 100).entries()) {
      verdicts.set(mutant, [{ mutant, status: index < 80 ? "Killed" : "Survived" }]);
    }
    const few = scoreSample({ commit: "0", mutants }, verdicts, all);
    const whole = scoreSample(DRAW, verdictsOf(NAMES.map(() => "Killed")), all);

    // As every table of Wilson's interval has it for 80 of 100.
    expect([few.low.toFixed(3), few.high.toFixed(3)]).toEqual(["0.711", "0.867"]);
    expect([whole.share, whole.low, whole.high]).toEqual([1, 1, 1]);
  });

  test("of a part is that of its own mutants", () => {
    const verdicts = verdictsOf(["Killed", "Survived", "Killed"]);
    const { mutants, drawn, found } = scoreSample(DRAW, verdicts, (name) => name === NAMES[1]);

    expect([mutants, drawn, found]).toEqual([1, 1, 0]);
  });

  test("ends before the first that has no verdict, since those that take long are judged late", () => {
    const verdicts = verdictsOf(["Killed", "Killed", "Killed"]);
    verdicts.delete(NAMES[1] ?? "");

    expect(judgedPrefix(DRAW, verdicts)).toEqual(NAMES.slice(0, 1));
  });

  test("takes the later of two verdicts", () => {
    const [mutant = ""] = NAMES;
    const late: Verdict = { mutant, status: "Timeout" };
    const verdicts = new Map([[mutant, [late, { mutant, status: "Survived" }]]]);

    expect([scoreSample(DRAW, verdicts, all).found, isDoubtful([late])]).toEqual([0, true]);
    expect(isDoubtful([{ ...late, reason: "Hit limit reached (501/500)" }])).toBe(false);
  });
});
