// Parts of a definition that say nothing: what is warned of, and that nothing is which may decide.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { definitionWarnings } from "../../../agent/warnings/definition-warnings.ts";
import type { KeptServer } from "../../../agent/warnings/known-tools.ts";
import { findMisfit } from "../../../agent/json-schema/find-misfit.ts";
import { checkCall } from "../../../agent/permission/check-call.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import { AgentCreateSchema, type AgentDefinition } from "../../../protocol/agents/contract.ts";
import type { PermissionRule } from "../../../protocol/messages/permission.ts";

/** Contents of rules, those that fit nothing among them. */
const CONTENTS = [
  null,
  "",
  "late",
  "l*",
  "lost",
  "A-[9-0]",
  "A-[0-9]",
  "[9-0]",
  "[!9-0]*",
  "[b[9-0]",
  "true",
  "t*",
  "3",
  "-1",
  "ten",
  "*",
  "?",
];

const REFUND = {
  type: "http",
  name: "refund_order",
  url: "https://shop.example/refund",
  input_schema: {
    type: "object",
    properties: {
      reason: { type: "string", enum: ["late", "broken"] },
      amount: { type: "integer" },
      gift: { type: "boolean" },
      order_id: { type: "string" },
    },
    required: ["reason", "amount"],
  },
};

function definition(more: object): AgentDefinition {
  return AgentCreateSchema.parse({ name: "Desk", ...more });
}

function rule(tool_name: string, rule_content: string | null = null, behavior = "allow") {
  return { tool_name, rule_content, behavior, source: "test" };
}

function warningsOf(more: object, servers: Readonly<Record<string, KeptServer>> = {}) {
  return definitionWarnings(definition(more), new Map(Object.entries(servers))).map(
    ({ pointer, detail }) => `${pointer} ${detail}`,
  );
}

/** Of an agent with this tool and these rules. */
function ofRules(tool: object, ...rules: readonly object[]) {
  return warningsOf({ tools: [{ ...REFUND, ...tool }], permission: { rules } });
}

describe("a warning is given for", () => {
  it("a rule on a tool that the agent does not have, with the name that was meant", () => {
    expect(ofRules({}, rule("refund_ordr"))).toEqual([
      "#/permission/rules/0/tool_name the agent has no tool refund_ordr; did you mean `refund_order`? Only one that a session or a page brings could have this name",
    ]);
  });

  it.each([
    [{}, rule("refund_order", "late"), "refund_order names no rule_argument"],
    [{ rule_argument: "/reason" }, rule("refund_order", "lost"), "fits none of the values"],
    [{ rule_argument: "/reason" }, rule("refund_order", "lost", "deny"), "fits none of the values"],
    [{ rule_argument: "/gift" }, rule("refund_order", "yes"), "fits none of the values"],
    [{ rule_argument: "/amount" }, rule("refund_order", "ten"), "is no number"],
    [
      { rule_argument: "/order_id", rule_syntax: "glob" },
      rule("refund_order", "A-[9-0]*"),
      "has a class without a member",
    ],
    [
      { rule_argument: "/reason", rule_syntax: "glob" },
      rule("refund_order", "b?"),
      "fits none of the values",
    ],
  ])("a content that can never match: %j with %j", (tool, one, words) => {
    expect(ofRules(tool, one)).toEqual([
      expect.stringMatching(new RegExp(`^#/permission/rules/0/rule_content .*${words}`)),
    ]);
  });

  it("an argument that the schema lacks", () => {
    expect(ofRules({ rule_argument: "/order" })).toEqual([
      "#/tools/0/rule_argument the input_schema has no property order",
    ]);
    expect(ofRules({ rule_argument: "/orderid" })).toEqual([
      "#/tools/0/rule_argument the input_schema has no property orderid; did you mean `order_id`?",
    ]);
  });

  it("a rule that another one always comes before", () => {
    const whole = rule("refund_order", null, "deny");

    expect(ofRules({}, rule("refund_order"), whole, rule("refund_order", null, "ask"))).toEqual([
      "#/permission/rules/0 rule 1 decides every call of refund_order that this one could",
      "#/permission/rules/2 rule 1 decides every call of refund_order that this one could",
    ]);
  });

  it("names that the kept catalogue of an MCP server lacks, and for none of a server that is not known", () => {
    const more = {
      tools: [
        {
          type: "mcp",
          server_id: "mcp_1",
          permissions: { "*": "ask", find_ordr: "allow", find_order: "allow" },
          disable: ["gone"],
        },
      ],
      tool_groups: [{ name: "w", description: "W", tools: ["mcp__warehouse__gone"] }],
      permission: {
        rules: [
          rule("mcp__warehouse__gone"),
          rule("mcp__warehouse__find_order"),
          rule("mcp__warehouse__find_order", "A-1", "deny"),
        ],
      },
    };

    const whole = warningsOf(more, { mcp_1: { name: "warehouse", tools: ["find_order"] } });
    const part = warningsOf(more, { mcp_1: { name: "warehouse", tools: null } });

    expect(whole.map((line) => line.split(" ")[0])).toEqual([
      "#/tools/0/disable/0",
      "#/tools/0/permissions/find_ordr",
      "#/tool_groups/0/tools/0",
      "#/permission/rules/0/tool_name",
      "#/permission/rules/2/rule_content",
    ]);
    expect(part.map((line) => line.split(" ")[0])).toEqual(["#/permission/rules/2/rule_content"]);
    expect(warningsOf(more)).toEqual(part);
  });

  it("a group of nothing, skills that are denied, and an address that is asked twice", () => {
    const hook = {
      type: "http",
      point: "pre_acting",
      url: "https://shop.example/hook",
      signing_credential_id: "crd_01kaj2v9c8m3p6t0x4z7b2d5f8",
    };

    expect(
      warningsOf({
        tool_groups: [{ name: "empty", description: "Nothing." }],
        skills: ["skl_01kaj2v9c8m3p6t0x4z7b2d5f8"],
        permission: { rules: [rule("read_skill", null, "deny")] },
        hooks: [
          { ...hook, name: "a" },
          { ...hook, name: "b" },
          { ...hook, name: "c", point: "post_acting" },
        ],
      }).map((line) => line.split(" ")[0]),
    ).toEqual(["#/tool_groups/0", "#/skills", "#/hooks/1/url"]);
  });
});

it("no warning is ever given for a rule that decides a call of the agent's own tools", () => {
  const reason = fc.constantFrom("late", "broken");
  const input = fc.record(
    {
      reason,
      amount: fc.integer({ min: -3, max: 30 }),
      gift: fc.boolean(),
      order_id: fc.constantFrom("A-1", "B", "[9-0]", "late"),
    },
    { requiredKeys: ["reason", "amount"] },
  );
  const content = fc.constantFrom(...CONTENTS);
  const rules = fc.array(
    fc.record({
      tool_name: fc.constantFrom("refund_order", "refund_ordr"),
      rule_content: content,
      behavior: fc.constantFrom("allow", "ask", "deny"),
      source: fc.constant("test"),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const tool = fc.record({
    rule_argument: fc.constantFrom("/reason", "/amount", "/gift", "/order_id", "/order", undefined),
    rule_syntax: fc.constantFrom(
      "exact" as const,
      "glob" as const,
      "path" as const,
      "command" as const,
    ),
    read_only: fc.boolean(),
  });
  const mode = fc.constantFrom("default", "bypass", "dont_ask", "explore", "accept_edits");

  fc.assert(
    fc.property(rules, tool, mode, fc.array(input, { minLength: 3, maxLength: 8 }), (...drawn) => {
      const [drawnRules, { rule_argument, rule_syntax, read_only }, drawnMode, inputs] = drawn;
      const pointed = rule_argument === undefined ? {} : { rule_argument, rule_syntax };
      const agent = definition({
        tools: [{ ...REFUND, read_only, ...pointed }],
        permission: { mode: drawnMode, rules: drawnRules },
      });
      const [declared] = agent.tools;
      const stored = agent.permission.rules as readonly PermissionRule[];
      const settings = { mode: agent.permission.mode, rules: stored, working_directories: [] };
      const fitting = inputs.filter(
        (one) => findMisfit(one, REFUND.input_schema, { schemaName: "it" }) === null,
      );
      const deciding = fitting.map(
        (one) => checkCall(settings, declared as unknown as ToolDeclaration, one).rule,
      );
      const warned = definitionWarnings(agent, new Map()).flatMap(({ pointer }) => {
        const [, index] = /^#\/permission\/rules\/(\d+)/.exec(pointer) ?? [];
        return index === undefined ? [] : [stored[Number(index)]];
      });

      expect(fitting.length).toBe(inputs.length);
      expect(warned.filter((one) => deciding.some((decided) => decided === one))).toEqual([]);
    }),
  );
});
