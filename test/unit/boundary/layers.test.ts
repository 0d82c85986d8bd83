// The gate `layers` of `npm run check` finds what it is there for. That the tree passes is the gate's own work.
import { describe, expect, it } from "vitest";

import { findLayerProblems } from "../../../scripts/find-layer-problems.ts";

const TABLES = {
  folders: { protocol: [], agent: ["protocol"] },
  rooms: { agent: ["ports.ts state", "loop", "*"], "agent/loop": ["*/", "*"] },
};

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  return findLayerProblems(new Map(Object.entries(files)), TABLES);
}

describe("the gate of layers", () => {
  it("lets a folder import the folders below it, and a room the rooms and files below it", () => {
    const problems = problemsOf({
      "agent/loop/run.ts": 'import { id } from "../../protocol/id.ts"; import "../ports.ts";',
      "agent/main.ts": 'import type { Run } from "./loop/run.ts"; export { a } from "./other.ts";',
      "agent/loop/step.ts": 'import { run } from "./run.ts";',
    });

    expect(problems).toEqual([]);
  });

  it("lets files import rooms that share a layer because no line names them", () => {
    expect(problemsOf({ "agent/loop/run.ts": 'import "./turns/turn.ts";' })).toEqual([]);
  });

  it.each([
    [
      "rooms that no line names and that know each other",
      { "agent/loop/turns/turn.ts": 'import "../calls/call.ts";' },
      "agent/loop/turns/turn.ts imports agent/loop/calls/call.ts: in agent/loop/, turns is not above calls",
    ],
    [
      "a folder that imports one above it",
      { "protocol/id.ts": 'import { run } from "../agent/loop/run.ts";' },
      "protocol/id.ts imports agent/loop/run.ts: protocol/ may import no other folder",
    ],
    [
      "an import of a type alone",
      { "agent/state/reply.ts": 'import type { Run } from "../loop/run.ts";' },
      "agent/state/reply.ts imports agent/loop/run.ts: in agent/, state is not above loop",
    ],
    [
      "rooms of one layer that know each other",
      { "agent/state/reply.ts": 'import { stop } from "../ports.ts";' },
      "agent/state/reply.ts imports agent/ports.ts: in agent/, state is not above ports.ts",
    ],
    [
      "a room that imports a file of its folder",
      { "agent/loop/run.ts": 'export { main } from "../main.ts";' },
      "agent/loop/run.ts imports agent/main.ts: in agent/, loop is not above main.ts",
    ],
    [
      "a late import",
      { "agent/state/reply.ts": 'await import("../loop/run.ts");' },
      "agent/state/reply.ts imports agent/loop/run.ts: in agent/, state is not above loop",
    ],
    [
      "a room without a layer",
      { "agent/main.ts": 'import "./plans/plan.ts";' },
      "agent/main.ts imports agent/plans/plan.ts: agent/plans has no layer in scripts/layers.ts",
    ],
    [
      "a folder whose rooms have no layers",
      { "protocol/id.ts": 'import "./api/index.ts";' },
      "protocol/id.ts imports protocol/api/index.ts: protocol/ has rooms; give them layers in scripts/layers.ts",
    ],
  ])("finds %s", (_what, files, problem) => {
    expect(problemsOf(files)).toEqual([problem]);
  });
});
