// Several providers of tools as one runner.
import { describe, expect, it } from "vitest";

import type { Ability } from "../../../agent/ability.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { createSecretSource } from "../../../outgoing/secret-source.ts";
import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { composeTools } from "../../../tools/compose-tools.ts";
import { declareTools } from "../../../tools/tool-runner.ts";
import type { ToolProvider } from "../../../tools/tool-provider.ts";
import { collect } from "../../support/collect.ts";

const ACCESS = {
  outgoing: createOutgoing({ environment: "local", fetch }),
  secrets: createSecretSource(new Map()),
};
const STOP = new AbortController().signal;

function declared(name: string): ToolDeclaration {
  const flags = { read_only: true, concurrency_safe: true, idempotent: true };
  return { name, description: "", input_schema: { type: "object" }, ...flags };
}

/** A server that says what it offers when it is asked. */
function catalogue(label: string, ...names: string[]): ToolProvider {
  let tools: readonly ToolDeclaration[] = [];
  return {
    get tools() {
      return tools;
    },
    owns: (name) => names.includes(name),
    async open() {
      tools = await Promise.resolve(names.map(declared));
    },
    async *run({ name }) {
      yield { type: "text", delta: `${label} ran ${name}` };
    },
  };
}

function request(name: string) {
  const ids = { tool_call_id: "call_1", session_id: "ses_1", reply_id: "rep_1", end_user_id: null };
  return { ...ids, name, input: {} };
}

describe("tools of several providers", () => {
  it("return untrusted content where their provider says so and they do not", () => {
    const tools = [
      declared("search"),
      { ...declared("clock"), returns_untrusted: false },
      { ...declared("page"), returns_untrusted: true },
    ];
    const provider = { ...catalogue("server"), tools };
    const trustOf = (returnsUntrusted: boolean) =>
      composeTools([{ ...provider, returnsUntrusted }], [], ACCESS).tools.map(
        ({ returns_untrusted = false }) => returns_untrusted,
      );

    expect([trustOf(true), trustOf(false)]).toEqual([
      [true, false, true],
      [false, false, true],
    ]);
  });

  it("are offered once their providers are open, each name once, those with a place first", async () => {
    const runner = composeTools(
      [catalogue("a", "x", "y"), catalogue("b", "y", "z")],
      ["z"],
      ACCESS,
    );
    const before = runner.tools;
    await runner.open(STOP);

    expect(before).toEqual([]);
    expect(runner.tools.map(({ name }) => name)).toEqual(["z", "x", "y"]);
    expect(await collect(runner.run(request("y"), STOP))).toEqual([
      { type: "text", delta: "a ran y" },
    ]);
    expect(await collect(runner.run(request("w"), STOP))).toEqual([
      { type: "text", delta: "There is no tool named w." },
      { type: "end", state: "error" },
    ]);
  });

  it("of an agent come as its definition has them, then those of abilities, then its client's", () => {
    const { tools } = AgentCreateSchema.parse({
      name: "Desk",
      tools: [
        { type: "external", name: "print" },
        { type: "http", name: "look", url: "https://shop.example/look" },
        { type: "external", name: "sign" },
      ],
    });
    const ability: Ability = {
      name: "notes",
      tools: {
        kind: "log",
        declare: () => [declared("note"), declared("look")],
        settle: () => ({ text: "" }),
      },
    };
    const client_tools = [{ name: "show", description: "", input_schema: {} }];

    const offered = declareTools({ tools, abilities: [ability], client_tools });

    expect(offered.map(({ name, ability: by }) => [name, by])).toEqual([
      ["print", undefined],
      ["look", undefined],
      ["sign", undefined],
      ["note", "notes"],
      ["show", undefined],
    ]);
  });
});
