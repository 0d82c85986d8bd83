// The ability of tool groups and its fold, without a session.
import { describe, expect, it } from "vitest";

import { toolGroupsAbility } from "../../../agent/tool-groups/tool-groups-ability.ts";
import { prepareCall } from "../../../agent/tool-call/prepare-call.ts";
import { offeredTools } from "../../../agent/tool-call/internal-tools.ts";
import {
  adoptToolGroups,
  switchesWithActivated,
} from "../../../agent/tool-groups/adopt-tool-groups.ts";
import { TOOL_GROUPS_FOLD } from "../../../agent/tool-groups/tool-groups-fold.ts";
import {
  NOTHING_SWITCHED,
  type ToolGroupsState,
} from "../../../agent/tool-groups/tool-groups-state.ts";
import { startReplyState } from "../../../agent/state/reply-state.ts";
import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { AgentEventSchema, type LoggedEvent } from "../../../protocol/events.ts";
import type { ToolCallBlock } from "../../../protocol/messages/blocks.ts";
import { declareTools } from "../../../tools/tool-runner.ts";

const AGENT = AgentCreateSchema.parse({
  name: "Desk",
  tools: ["look_up", "open_page", "constructor"].map((name) => ({ type: "external", name })),
  tool_groups: [
    { name: "web", description: "Pages.", notes: "Quote.", tools: ["open_page"] },
    { name: "toString", description: "Odd.", active: true, tools: ["constructor"] },
  ],
  meta_tool: true,
});
const REPLY = startReplyState({
  ...AgentEventSchema.parse({
    type: "REPLY_START",
    session_id: "ses_1",
    reply_id: "rep_1",
    name: "Desk",
  }),
  seq: 1,
} as LoggedEvent & { type: "REPLY_START" });

function open(state: ToolGroupsState = NOTHING_SWITCHED, agent = AGENT) {
  const ability = toolGroupsAbility({ agent, read: () => state });
  const tools = declareTools({ ...agent, abilities: [ability] });
  return {
    ability,
    tools,
    offered: offeredTools(tools, [ability], REPLY).map(({ name }) => name),
  };
}

function callOf(name: string, state: "pending" | "allowed" = "pending"): ToolCallBlock {
  return {
    type: "tool_call",
    id: "call_1",
    name,
    input: "{}",
    state,
    suggested_rules: [],
    created_at: "2026-11-23T12:00:00.000Z",
    finished_at: null,
  };
}

const BYPASS = { mode: "bypass", rules: [], working_directories: [] } as const;

describe("what is inactive", () => {
  it("stays declared and is not offered", () => {
    const { tools, offered } = open();
    expect(tools.map(({ name }) => name)).toEqual([
      "look_up",
      "open_page",
      "constructor",
      "reset_equipped_tools",
    ]);
    expect(offered).toEqual(["look_up", "constructor", "reset_equipped_tools"]);
  });

  it("does not run, whatever the mode is and though a person allowed it, and says that it was withheld", () => {
    const { tools } = open();
    for (const state of ["pending", "allowed"] as const) {
      expect(prepareCall(callOf("open_page", state), tools, BYPASS)).toEqual({
        type: "refuse",
        refusal: {
          state: "error",
          text: "The tool open_page is in the group web, which is not active. To have it, call reset_equipped_tools with web set to true, and keep true what you still need of toString.",
          decision: null,
          withheld: true,
        },
      });
    }
  });

  it("is not named where an unknown tool is called", () => {
    const prepared = prepareCall(callOf("nothing"), open().tools, BYPASS);
    expect(prepared).toMatchObject({
      refusal: {
        text: "There is no tool named nothing. Tools: look_up, constructor, reset_equipped_tools.",
      },
    });
  });

  it("is there when people have switched the single tool on, and gone when they have switched it off", () => {
    const switches = { version: 1, groups: {}, tools: { open_page: true, look_up: false } };
    expect(open(switches).offered).toEqual(["open_page", "constructor", "reset_equipped_tools"]);
  });

  it("is no tool of an ability, whatever was switched", () => {
    const switches = { version: 1, groups: {}, tools: { reset_equipped_tools: false } };
    expect(open(switches).offered).toContain("reset_equipped_tools");
  });
});

describe("an agent without groups", () => {
  it("has no meta tool, no hint and all of its tools", () => {
    const agent = { ...AGENT, tool_groups: undefined };
    const { ability, offered } = open(NOTHING_SWITCHED, agent);
    expect([ability.hint, ability.tools, offered]).toEqual([
      undefined,
      undefined,
      ["look_up", "open_page", "constructor"],
    ]);
  });
});

describe("the hint", () => {
  it("is the notes alone where the agent does not choose, and nothing where no group has any", () => {
    const on = { version: 1, groups: { web: true }, tools: {} };
    const hintOf = (state: ToolGroupsState, meta_tool: boolean) =>
      open(state, { ...AGENT, meta_tool }).ability.hint?.text(REPLY);
    expect([
      hintOf(on, false),
      hintOf(NOTHING_SWITCHED, false),
      hintOf(NOTHING_SWITCHED, true),
    ]).toEqual([
      "<system-hint>Notes on the group web:\nQuote.</system-hint>",
      null,
      "<system-hint>Active groups of tools: toString.</system-hint>",
    ]);
  });
});

describe("a hint that is taken back", () => {
  it("says no more than is true: without the meta tool, groups without notes may be active", () => {
    const retractionOf = (meta_tool: boolean) =>
      open(NOTHING_SWITCHED, { ...AGENT, meta_tool }).ability.hint?.retraction;
    expect([retractionOf(true), retractionOf(false)]).toEqual([
      "<system-hint>No group of tools is active any more: notes on groups above do not hold now.</system-hint>",
      "<system-hint>The notes on groups of tools above do not hold any more.</system-hint>",
    ]);
  });
});

describe("the meta tool's declaration", () => {
  it("is the same whatever is active, so that the prompt's prefix stays", () => {
    const declared = (state: ToolGroupsState) => open(state).tools.at(-1);
    const on = { version: 1, groups: { web: true, toString: false }, tools: {} };
    expect(declared(on)).toEqual(declared(NOTHING_SWITCHED));
  });
});

describe("a state from elsewhere", () => {
  it("has a version from which changes can be counted on", () => {
    const state = { version: Number.MAX_SAFE_INTEGER, groups: { web: true }, tools: {} };
    const adopted = adoptToolGroups(state, AGENT);
    const value = { version: (adopted?.version ?? 0) + 1, groups: {}, tools: {} };
    expect(String(value.version).length).toBeLessThanOrEqual(15);
    expect(adoptToolGroups(value)).toEqual(value);
  });

  const state = {
    version: 3,
    groups: { web: true, gone: true },
    tools: { look_up: false, gone: true },
  };

  it("is kept as it is by a fork, and an import drops what its agent does not have", () => {
    expect(adoptToolGroups(state)).toEqual(state);
    expect(adoptToolGroups(state, AGENT)).toEqual({
      version: 3,
      groups: { web: true },
      tools: { look_up: false },
    });
    expect(adoptToolGroups({ version: 1, groups: { gone: true }, tools: {} }, AGENT)).toBeNull();
  });

  it.each([
    [null],
    ["on"],
    [{ version: 1 }],
    [{ version: 1, groups: { web: "yes" }, tools: {} }],
    [{ version: -1, groups: {}, tools: {} }],
  ])("is dropped when it is no state: %j", (snapshot) => {
    expect(adoptToolGroups(snapshot, AGENT)).toBeNull();
  });

  it("takes AgentScope's list of groups as all that are active", () => {
    const kept = { version: 2, groups: { web: true }, tools: { look_up: false } };
    expect([
      switchesWithActivated(null, ["web"], AGENT),
      switchesWithActivated(null, ["toString"], AGENT),
      switchesWithActivated(kept, ["web", "toString"], AGENT),
      switchesWithActivated(kept, [], AGENT),
      switchesWithActivated(null, [], AGENT),
      switchesWithActivated(kept, undefined, AGENT),
    ]).toEqual([
      { version: 1, groups: { web: true, toString: false }, tools: {} },
      null,
      kept,
      { ...kept, groups: { web: false, toString: false } },
      null,
      kept,
    ]);
  });
});

describe("the fold", () => {
  it("takes all switches of a change, and nothing of other events", () => {
    const event = (name: string, value: object) =>
      ({ ...AgentEventSchema.parse({ type: "CUSTOM", name, value }), seq: 2 }) as LoggedEvent;
    const value = { version: 1, groups: { web: true }, tools: {}, activated_groups: ["web"] };
    const changed = TOOL_GROUPS_FOLD.advance(NOTHING_SWITCHED, event("tool_groups_changed", value));
    expect(changed).toEqual({ version: 1, groups: { web: true }, tools: {} });
    expect(TOOL_GROUPS_FOLD.advance(changed, event("state_updated", value))).toBe(changed);
  });
});
