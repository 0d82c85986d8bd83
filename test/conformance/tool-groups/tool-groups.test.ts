// Groups of tools, as a model that is a server of the test sees them: which tools each request offers, and what it is told.
import { describe, expect, it, onTestFinished } from "vitest";

import type { SessionToolGroups } from "../../../protocol/tool-groups/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { BROAD } from "../../support/breadth.ts";
import { says, type FakeTurn } from "../../support/fake-openai.ts";
import { startHookServer } from "../../support/hook-server.ts";
import { request } from "../../support/platform-client.ts";
import {
  calls,
  confirm,
  openDesk,
  openSession,
  replay,
  say,
  type Desk,
} from "../../support/replayed-desk.ts";

const LOOK = ["look_up", { order_id: "A-1" }] as const;
const REFUND = ["refund", { order_id: "A-1" }] as const;
const equip = (groups: object) => ["reset_equipped_tools", groups] as const;
const MONEY = {
  name: "money",
  description: "Pays money back.",
  notes: "Never more than was paid.",
  tools: ["refund"],
};
const MAIL = { name: "mail", description: "Writes to customers.", tools: [] };
const GROUPS = { tool_groups: [MONEY, MAIL], meta_tool: true };
const ALLOWED = { permission: { rules: [{ tool_name: "refund", behavior: "allow" }] } };

interface ModelRequest {
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly parameters: unknown };
  }[];
  readonly tool_choice?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** The bodies that the model was sent. */
function sent({ model }: Desk): readonly ModelRequest[] {
  return model.requests.map(({ body }) => body as ModelRequest);
}

function toolNames({ tools = [] }: ModelRequest): readonly string[] {
  return tools.map((tool) => tool.function.name);
}

function equipmentOf({ key, session }: Desk) {
  const path = `/v1/sessions/${session}/tool-groups`;
  return {
    get: () => request<SessionToolGroups>("GET", path, { key }),
    put: (body: object, headers: Readonly<Record<string, string>> = {}) =>
      request<SessionToolGroups & { readonly errors?: unknown }>("PUT", path, {
        key,
        body,
        headers,
      }),
  };
}

async function changesOf({ key, session }: Desk) {
  const path = `/v1/sessions/${session}/events?after=0&limit=100`;
  const { body } = await request<Page<LoggedEvent>>("GET", path, { key });
  return body.data.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "tool_groups_changed" ? [event] : [],
  );
}

function resultsOf({ message }: Reply): readonly (readonly [string, string])[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const output = Array.isArray(block.output) ? block.output : [{ text: block.output }];
    return [[block.state, output.map((part) => ("text" in part ? part.text : "")).join("")]];
  });
}

function hintsOf({ message }: Reply): readonly unknown[] {
  return (message?.content ?? []).flatMap((block) =>
    block.type === "hint" && block.source === "tool_groups" ? [block.hint] : [],
  );
}

const openGroups = (turns: readonly FakeTurn[], more: object = {}) =>
  openDesk(turns, { ...GROUPS, ...ALLOWED, ...more });

describe("the meta tool", () => {
  it("equips the agent: its tools are offered, with the notes in the result and as a trailing hint", async () => {
    const desk = await openGroups([calls(equip({ money: true })), calls(REFUND), says("Done.")]);
    const reply = await say(desk, "Refund A-1");

    expect(reply.status).toBe("completed");
    const basic = ["look_up", "reset_equipped_tools"];
    const equipped = ["look_up", "refund", "reset_equipped_tools"];
    expect(sent(desk).map(toolNames)).toEqual([basic, equipped, equipped]);
    expect(sent(desk)[0]?.tools?.at(-1)?.function.parameters).toEqual({
      type: "object",
      properties: {
        money: { type: "boolean", default: false, description: "Pays money back." },
        mail: { type: "boolean", default: false, description: "Writes to customers." },
      },
      additionalProperties: false,
    });
    expect(resultsOf(reply)[0]).toEqual([
      "success",
      "Active groups of tools, with their tools:\n- money: refund\nNotes on the group money:\nNever more than was paid.",
    ]);
    expect(resultsOf(reply)[1]?.[0]).toBe("success");
    expect(desk.asked).toEqual(["/refund"]);
    expect(hintsOf(reply)).toEqual([
      "<system-hint>Active groups of tools: money.\nNotes on the group money:\nNever more than was paid.</system-hint>",
    ]);
    const [change, ...others] = await changesOf(desk);
    expect(others).toEqual([]);
    expect([change?.value, change?.reply_id]).toEqual([
      {
        version: 1,
        groups: { money: true, mail: false },
        tools: {},
        activated_groups: ["money"],
      },
      reply.id,
    ]);
  });

  it("puts away what it leaves out, and the hint of before is taken back", BROAD, async () => {
    const desk = await openGroups([
      calls(equip({ money: true, mail: true })),
      calls(equip({ mail: true })),
      calls(equip({})),
      says("Done."),
    ]);
    const reply = await say(desk, "Tidy up");

    const money = ["look_up", "refund", "reset_equipped_tools"];
    const basic = ["look_up", "reset_equipped_tools"];
    expect(sent(desk).map(toolNames)).toEqual([basic, money, basic, basic]);
    expect(resultsOf(reply).map(([, text]) => text.split("\n")[0])).toEqual([
      "Active groups of tools, with their tools:",
      "Active groups of tools, with their tools:",
      "No group of tools is active now. You have the basic tools.",
    ]);
    expect(hintsOf(reply)).toEqual([
      "<system-hint>Active groups of tools: money, mail.\nNotes on the group money:\nNever more than was paid.</system-hint>",
      "<system-hint>Active groups of tools: mail.</system-hint>",
      "<system-hint>No group of tools is active any more: notes on groups above do not hold now.</system-hint>",
    ]);
  });

  it(
    "refuses what is no boolean and what is no group, and changes nothing then",
    BROAD,
    async () => {
      const desk = await openGroups([
        calls(equip({ money: true })),
        calls(equip({ money: "yes" })),
        calls(equip({ mony: true })),
        says("Done."),
      ]);
      const reply = await say(desk, "Equip");

      expect(resultsOf(reply).map(([state]) => state)).toEqual(["success", "error", "error"]);
      expect((await equipmentOf(desk).get()).body).toMatchObject({
        version: 1,
        groups: [
          { name: "money", active: true },
          { name: "mail", active: false },
        ],
      });
    },
  );

  it("obeys permission rules, and makes no version when nothing changes", BROAD, async () => {
    const rules = [{ tool_name: "reset_equipped_tools", behavior: "deny" }];
    const denied = await openGroups([calls(equip({ money: true })), says("No.")], {
      permission: { rules },
    });
    const reply = await say(denied, "Equip");
    expect(resultsOf(reply)[0]?.[0]).toBe("denied");
    expect((await equipmentOf(denied).get()).body.version).toBe(0);

    const same = await openGroups([calls(equip({})), says("Same.")]);
    expect(resultsOf(await say(same, "Equip"))[0]?.[0]).toBe("success");
    expect([(await equipmentOf(same).get()).body.version, await changesOf(same)]).toEqual([0, []]);
  });

  it("leaves system prompt and earlier messages as they were, byte for byte", async () => {
    const desk = await openGroups([calls(equip({ money: true })), says("One."), says("Two.")]);
    await say(desk, "First");
    await say(desk, "Second");

    const [first, second, third] = sent(desk).map(({ messages }) =>
      JSON.stringify(messages).slice(0, -1),
    );
    expect(second?.startsWith(first ?? "-")).toBe(true);
    expect(third?.startsWith(second ?? "-")).toBe(true);
    const [, equipped, later] = sent(desk).map(({ tools }) => JSON.stringify(tools));
    expect(later).toBe(equipped);
  });
});

describe("a call of a tool that is not there", () => {
  it("is answered with how to have it, and runs nothing", async () => {
    const desk = await openGroups([calls(REFUND), says("I cannot.")]);
    const reply = await say(desk, "Refund A-1");

    expect([resultsOf(reply), desk.asked]).toEqual([
      [
        [
          "error",
          "The tool refund is in the group money, which is not active. To have it, call reset_equipped_tools with money set to true.",
        ],
      ],
      [],
    ]);
  });

  it(
    "is answered with a refusal when people alone switch, also when the model had it before",
    BROAD,
    async () => {
      const desk = await openDesk([calls(REFUND), says("One."), calls(REFUND), says("Two.")], {
        tool_groups: [{ ...MONEY, active: true }],
        ...ALLOWED,
      });
      expect(resultsOf(await say(desk, "Refund A-1"))[0]?.[0]).toBe("success");
      await equipmentOf(desk).put({ groups: [{ name: "money", switched: "off" }] });
      const again = await say(desk, "Refund A-1");

      expect([resultsOf(again), desk.asked]).toEqual([
        [
          [
            "error",
            "The tool refund is in the group money, which is not active. It can only be switched on from outside of this conversation: go on without it.",
          ],
        ],
        ["/refund"],
      ]);
      expect(sent(desk).map(toolNames)).toEqual([
        ["look_up", "refund"],
        ["look_up", "refund"],
        ["look_up"],
        ["look_up"],
      ]);
    },
  );

  it(
    "does not run though a person confirms it, when its group was switched off while it waited",
    BROAD,
    async () => {
      const desk = await openDesk(
        [calls(REFUND), says("Not done."), calls(REFUND), says("Done.")],
        {
          tool_groups: [{ ...MONEY, active: true }],
        },
      );
      const waiting = await say(desk, "Refund A-1");
      expect(waiting.status).toBe("awaiting_permission");
      await equipmentOf(desk).put({ groups: [{ name: "money", switched: "off" }] });
      const done = await confirm(desk, waiting, true);
      expect([done.status, resultsOf(done)[0]?.[0], desk.asked]).toEqual([
        "completed",
        "error",
        [],
      ]);

      await equipmentOf(desk).put({});
      const second = await say(desk, "Refund A-1");
      await equipmentOf(desk).put({ groups: [{ name: "money", switched: "off" }] });
      await equipmentOf(desk).put({ groups: [{ name: "money", switched: "on" }] });
      const ran = await confirm(desk, second, true);
      expect([ran.status, resultsOf(ran)[0]?.[0], desk.asked]).toEqual([
        "completed",
        "success",
        ["/refund"],
      ]);
    },
  );
});

describe("hooks", () => {
  it(
    "are not asked about a call that cannot run, and cannot ask for a tool that is not there",
    BROAD,
    async () => {
      const input = { tool_choice: { name: "refund" } };
      const hooks = await startHookServer(({ point }) =>
        point === "pre_reasoning" ? { action: "continue", input } : { action: "continue" },
      );
      onTestFinished(() => hooks.stop());
      const points = ["pre_reasoning", "pre_acting"];
      const hook = { type: "http", name: "desk", url: hooks.url, timeout_ms: 30_000 };
      const desk = await openGroups(
        [calls(REFUND), calls(equip({ money: true })), calls(REFUND), says("Done.")],
        { hooks: points.map((point) => ({ ...hook, point })) },
      );
      const reply = await say(desk, "Refund A-1");

      expect(resultsOf(reply).map(([state]) => state)).toEqual(["error", "success", "success"]);
      const shown = hooks.asked.flatMap(({ input: { tool_call } }) => tool_call?.name ?? []);
      expect(shown).toEqual(["reset_equipped_tools", "refund"]);
      const forced = { type: "function", function: { name: "refund" } };
      expect(sent(desk).map(({ tool_choice }) => tool_choice)).toEqual([
        undefined,
        undefined,
        forced,
        forced,
      ]);
    },
  );
});

describe("a page of AG-UI", () => {
  it(
    "brings no tool of the meta tool's name, of an inactive group's or of the session's own",
    BROAD,
    async () => {
      const desk = await openGroups([]);
      const { key, agent } = desk;
      const own = [{ type: "external", name: "own" }];
      const session = await openSession(key, agent, { tools: own });
      const seen = await Promise.all(
        ["reset_equipped_tools", "refund", "own"].map(async (name) => {
          const run = {
            threadId: session,
            runId: `run-${name}`,
            state: {},
            messages: [{ id: `m-${name}`, role: "user", content: "Hello" }],
            tools: [{ name, description: "", parameters: { type: "object" } }],
            context: [],
            forwardedProps: {},
          };
          const { status, body } = await request<{ readonly errors?: readonly unknown[] }>(
            "POST",
            `/v1/agents/${agent}/ag-ui`,
            { key, body: run },
          );
          return [status, body.errors];
        }),
      );
      expect(seen).toEqual(
        ["reset_equipped_tools", "refund", "own"].map((name) => [
          400,
          [
            {
              pointer: "#/tools/0/name",
              detail: `the name ${name} is another tool's; give this one a name of its own`,
            },
          ],
        ]),
      );
    },
  );
});

describe("a replay", () => {
  it("has the groups of its definition, equips itself, and hears what people had switched", async () => {
    const turns = [calls(equip({ money: true })), calls(REFUND), says("Refunded.")];
    const second = [calls(LOOK), says("Found.")];
    const desk = await openGroups([...turns, ...second, ...turns, ...second]);
    await say(desk, "Refund A-1");
    await equipmentOf(desk).put({ groups: [{ name: "money", switched: "off" }] });
    await say(desk, "Look A-1 up");
    const before = (await equipmentOf(desk).get()).body;
    const recorded = sent(desk).map(toolNames);
    const basic = ["look_up", "reset_equipped_tools"];
    const equipped = ["look_up", "refund", "reset_equipped_tools"];
    expect(recorded).toEqual([basic, equipped, equipped, basic, basic]);
    const { status, body } = await replay(desk);

    expect([status, body.stopped]).toEqual([200, null]);
    expect(body.replies.map(({ replayed }) => replayed?.text)).toEqual(["Refunded.", "Found."]);
    expect(sent(desk).map(toolNames).slice(recorded.length)).toEqual(recorded);
    expect(desk.asked).toEqual(["/refund", "/look_up"]);
    expect((await equipmentOf(desk).get()).body).toEqual(before);
  });
});
