// The loop's treatment of an ability, whatever the ability is.
import { describe, expect, it } from "vitest";

import type { Ability, AbilityTools } from "../../../agent/ability.ts";
import type { Model, ModelRequest, ToolDeclaration, ToolRunner } from "../../../agent/ports.ts";
import { modelContext } from "../../../agent/loop/model-context.ts";
import { offeredTools } from "../../../agent/tool-call/internal-tools.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const TOOL: ToolDeclaration = {
  name: "note",
  description: "",
  input_schema: { type: "object" },
  read_only: true,
  concurrency_safe: false,
  idempotent: false,
};
const SCRIPT = "/call note {}\n/say done";

function custom(name: string): EventDraft {
  return { type: "CUSTOM", name, reply_id: "rep_1", value: {} };
}

function withTools(tools: AbilityTools): Ability {
  return { name: "notes", tools };
}

/** The events of each append that brings one of these. */
function commitsWith(log: MemoryLog, ...types: string[]): string[][] {
  const ends = [0, ...log.commits];
  return ends
    .slice(1)
    .map((end, index) => log.events.slice(ends[index], end).map(nameOf))
    .filter((commit) => commit.some((name) => types.includes(name)));
}

function nameOf(event: MemoryLog["events"][number]): string {
  return event.type === "CUSTOM" ? event.name : event.type;
}

describe("a tool of an ability", () => {
  it("that changes the log alone has its whole result in one append", async () => {
    const settle = () => ({ text: "Noted.", events: [custom("noted")], after: [custom("told")] });
    const ability = withTools({ kind: "log", declare: () => [TOOL], settle });
    const log = await runScript({ script: SCRIPT, abilities: [ability] });

    expect(commitsWith(log, "TOOL_RESULT_START", "TOOL_RESULT_END")).toEqual([
      ["TOOL_RESULT_START", "noted", "TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END", "told"],
    ]);
    expect(log.state.message.content).toMatchObject([
      { type: "tool_call" },
      { type: "tool_result", state: "success", output: [{ text: "Noted." }] },
      { text: "done" },
    ]);
  });

  it("that has effects outside has its START on disk before them", async () => {
    const order: string[] = [];
    const log = new (class extends MemoryLog {
      override async settled(): Promise<void> {
        order.push(`on disk: ${this.types.at(-1)}`);
      }
    })();
    const settle = async () => {
      order.push("effect");
      return { text: "It failed.", isError: true };
    };
    const ability = withTools({ kind: "outside", declare: () => [TOOL], settle });
    await runScript({ script: SCRIPT, log, abilities: [ability] });

    expect(order.slice(0, 2)).toEqual(["on disk: TOOL_RESULT_START", "effect"]);
    expect(commitsWith(log, "TOOL_RESULT_START", "TOOL_RESULT_END")).toEqual([
      ["TOOL_RESULT_START"],
      ["TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END"],
    ]);
    expect(log.state.message.content[1]).toMatchObject({ state: "error" });
  });

  it("that has effects outside writes nothing more after a stop", async () => {
    const stopping = new AbortController();
    const settle = async () => {
      stopping.abort();
      return { text: "Too late." };
    };
    const ability = withTools({ kind: "outside", declare: () => [TOOL], settle });
    const log = await runScript({
      script: SCRIPT,
      abilities: [ability],
      stop: stopping.signal,
    });

    expect(log.events.at(-1)?.type).toBe("TOOL_RESULT_START");
  });

  it.each([
    [true, ["once", "again"]],
    [false, ["once"]],
  ])(
    "whose machine was lost runs again when it is idempotent: %s",
    async (idempotent, expected) => {
      const runs: string[] = [];
      const stopping = new AbortController();
      const log = new MemoryLog();
      const tools = (run: () => void): AbilityTools => ({
        kind: "outside",
        declare: () => [{ ...TOOL, idempotent }],
        settle: async () => {
          run();
          return { text: "Noted." };
        },
      });
      const dying = withTools(tools(() => (runs.push("once"), stopping.abort())));
      await runScript({ script: SCRIPT, log, abilities: [dying], stop: stopping.signal });
      const reopened = MemoryLog.reopen(log);
      // Recovery of a call whose outcome is unknown.
      const target = { reply_id: "rep_1" };
      const started = reopened.state.message.content.find(({ type }) => type === "tool_result");
      if (!idempotent) {
        reopened.append([
          { type: "TOOL_RESULT_END", ...target, tool_call_id: started!.id, state: "interrupted" },
        ]);
      }
      const next = withTools(tools(() => runs.push("again")));
      await runScript({ script: SCRIPT, log: reopened, abilities: [next], isRestart: true });

      expect(runs).toEqual(expected);
      expect(reopened.state.message.finished_reason).toBe("completed");
    },
  );

  it("is held by the rules, and refused without being settled", async () => {
    const settle = () => expect.unreachable();
    const ability = withTools({ kind: "log", declare: () => [TOOL], settle });
    const rule = { tool_name: "note", rule_content: null, behavior: "deny", source: "x" } as const;
    const permission = { mode: "default", rules: [rule], working_directories: [] } as const;
    const log = await runScript({ script: SCRIPT, abilities: [ability], permission });

    expect(log.state.message.content[1]).toMatchObject({ type: "tool_result", state: "denied" });
  });

  it("that is internal is not taken over by a tool of the same name that a client brings", async () => {
    const settle = () => ({ text: "Noted." });
    const ability = withTools({ kind: "internal", declare: () => [TOOL], settle });
    const ofClient: ToolDeclaration = {
      ...TOOL,
      description: "the client's",
      external: { offered_by: "client" },
    };
    const runner: ToolRunner = { tools: [ofClient], run: () => expect.unreachable() };
    const offered = offeredTools([ofClient], [ability], new MemoryLog().state);
    const log = await runScript({ script: SCRIPT, tools: runner, abilities: [ability] });

    expect(offered).toEqual([TOOL]);
    expect(log.state.message.content[1]).toMatchObject({ output: [{ text: "Noted." }] });
  });
});

describe("an ability", () => {
  it("begins with the reply, once, and ends in the commit of its end", async () => {
    const begin = async () => [custom("pinned")];
    const ability: Ability = { name: "x", begin, end: () => [custom("closed")] };
    const log = await runScript({ script: "/call look {}\n/say done", abilities: [ability] });

    expect(log.events.map(nameOf).slice(0, 3)).toEqual([
      "REPLY_START",
      "pinned",
      "MODEL_CALL_START",
    ]);
    expect(log.events.map(nameOf).filter((name) => name === "pinned")).toHaveLength(1);
    expect(commitsWith(log, "closed")).toEqual([["closed", "REPLY_END"]]);
  });

  it("tells the model something new alone, unless it may repeat itself", async () => {
    const hints = (mayRepeat: boolean): Ability => {
      return { name: "x", hint: { source: "x", outlivesReply: true, mayRepeat, text: () => "hi" } };
    };
    const script = "/call look {}\n/say done";
    const told = await Promise.all(
      [false, true].map((mayRepeat) => runScript({ script, abilities: [hints(mayRepeat)] })),
    );

    expect(told.map(({ types }) => types.filter((type) => type === "HINT_BLOCK").length)).toEqual([
      1, 2,
    ]);
  });

  it.each([
    [true, ["hint", "text"]],
    [false, ["text"]],
  ])("whose hints outlive their reply (%s) shows them to the next one", (outlivesReply, shown) => {
    const ability: Ability = { name: "x", hint: { source: "x", outlivesReply, text: () => null } };
    const told = AssistantMsg("A", [
      { type: "hint", source: "x", hint: "It rains." },
      { type: "text", text: "Hello" },
    ]);
    const [earlier] = modelContext([told], UserMsg("user", "Hi"), [ability]);

    expect(earlier?.content.map(({ type }) => type)).toEqual(shown);
  });

  it("changes what the model sees, and nothing that is stored", async () => {
    const requests: ModelRequest[] = [];
    const played = playedModel("played", [{ text: "Done." }]);
    const model: Model = {
      name: "played",
      stream(request, stop) {
        requests.push(request);
        return played.stream(request, stop);
      },
    };
    const summary = UserMsg("summary", "So far: nothing.");
    const ability: Ability = {
      name: "x",
      changeContext: (messages) => [summary, ...messages.slice(1)],
    };
    const log = await runScript({ script: "Hi", models: [model], abilities: [ability] });

    expect(requests[0]?.messages).toEqual([summary]);
    expect(log.state.message.content).toMatchObject([{ type: "text", text: "Done." }]);
  });

  it("asks for a call before the reply is complete, and forces it in the extra rounds", async () => {
    const choices: (string | undefined)[] = [];
    const played = playedModel("played", [{ text: "Done." }]);
    const model: Model = {
      name: "played",
      stream(request, stop) {
        choices.push(request.tool_choice);
        return played.stream(request, stop);
      },
    };
    const ability: Ability = {
      name: "x",
      requiredTool: ({ iterations }) => ({
        name: "note",
        isDone: iterations === 3,
        extraRounds: 2,
      }),
    };
    const run = { script: "Hi", models: [model], abilities: [ability] } as const;
    const log = await runScript({ ...run, max_iters: 1 });

    expect(choices).toEqual([undefined, "note", "note"]);
    expect(log.state.message.finished_reason).toBe("completed");
  });
});
