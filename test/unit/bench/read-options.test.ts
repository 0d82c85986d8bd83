import { describe, expect, it } from "vitest";

import { readOptions } from "../../../bench/read-options.ts";

describe("the benchmark's options", () => {
  it("keep the figures of a run from which nothing is left out, and of no other", () => {
    const kept = [[], ["--check"], ["--rounds=5"]];
    const shown = [["quick"], ["--rounds=2"], ["--only=replay"], ["--peers=node"], ["--peers="]];

    expect(kept.map((parameters) => readOptions(parameters).isWhole)).toEqual([true, true, true]);
    expect(shown.map((parameters) => readOptions(parameters).isWhole)).toEqual(
      shown.map(() => false),
    );
  });

  it("name who is measured beside the floor and the platform", () => {
    const everybody = ["cf-agents", "row-per-token", "node"];

    expect(
      [[], ["--peers="], ["--peers=node,cf-agents"]].map((each) => readOptions(each).peers),
    ).toEqual([everybody, [], ["node", "cf-agents"]]);
  });

  it.each([
    ["--peers=cf-agent", "no peer cf-agent; there are cf-agents, row-per-token, node"],
    ["--only=steady", "no cell steady; there are steady-4, steady-32"],
    ["--rounds=0", "--rounds takes a whole number above 0"],
    ["--fast", "--fast is not known"],
  ])("refuse %s", (parameter, message) => {
    expect(() => readOptions([parameter])).toThrow(message);
  });
});
