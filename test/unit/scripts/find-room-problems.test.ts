import { describe, expect, it } from "vitest";

import { findRoomProblems } from "../../../scripts/find-room-problems.ts";

const TABLE = {
  concepts: ["tools", "plans", "replies", "tool-groups", "mcp"],
  folders: ["agent", "worker"],
  exceptions: {},
};

const problemsOf = (paths: readonly string[], exceptions = {}) =>
  findRoomProblems(paths, { ...TABLE, exceptions }).problems;

describe("rooms of concepts", () => {
  it("are one in each folder", () => {
    const paths = [
      "agent/plans/plan-fold.ts",
      "agent/abilities/plans/hint.ts",
      "worker/plans/a.ts",
    ];

    expect(problemsOf(paths)).toEqual(["plans has 2 rooms: agent/plans, agent/abilities/plans"]);
  });

  it("have the files that begin with their concept's name, in the singular or the plural", () => {
    const paths = [
      "worker/replies/routes.ts",
      "worker/routes/reply-view.ts",
      "worker/replies.test.ts",
    ];

    expect(problemsOf(paths)).toEqual([
      "worker/routes/reply-view.ts is of replies, whose room is worker/replies/",
      "worker/replies.test.ts is of replies, whose room is worker/replies/",
    ]);
  });

  it("have the files of the longest name that fits", () => {
    const paths = [
      "agent/tools/run.ts",
      "agent/tool-groups/fold.ts",
      "agent/state/tool-groups-state.ts",
    ];

    expect(problemsOf(paths)).toEqual([
      "agent/state/tool-groups-state.ts is of tool-groups, whose room is agent/tool-groups/",
    ]);
  });

  it("may have files about another concept, and files of a kind", () => {
    const paths = [
      "worker/tools/call.ts",
      "worker/mcp/tool-choice.ts",
      "worker/mcp/tool-routes.ts",
      "worker/jobs/tool-routes.ts",
      "worker/plans/a.ts",
    ];

    expect(problemsOf(paths)).toEqual([]);
  });

  it("do not bind exceptions, and an exception that is not needed is a problem", () => {
    const paths = ["agent/plans/a.ts", "agent/loop/plan-b.ts"];
    const exceptions = { "agent/loop/": "the loop", "agent/state/": "gone" };

    expect(problemsOf(paths, exceptions)).toEqual(["agent/state/ is no exception any more"]);
  });

  it("are not counted among the folders with one or two files", () => {
    const paths = ["agent/plans/a.ts", "agent/loop/b.ts", "agent/state/c.ts"];

    expect(findRoomProblems([...paths, "agent/state/d.ts", "agent/state/e.ts"], TABLE)).toEqual({
      problems: [],
      smallFolders: ["agent/loop"],
    });
  });
});
