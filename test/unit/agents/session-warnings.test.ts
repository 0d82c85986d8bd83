// Parts of one session that say nothing beside its agent, and that no rule which may decide is among them.
import fc from "fast-check";
import { expect, it } from "vitest";

import { checkCall } from "../../../agent/permission/check-call.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import {
  addedRuleWarnings,
  silencedRuleWarnings,
  type WarnedSession,
} from "../../../agent/warnings/session-warnings.ts";
import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import type { PermissionRule } from "../../../protocol/messages/permission.ts";

const TOOL = {
  type: "external",
  name: "refund_order",
  input_schema: {
    type: "object",
    properties: { reason: { type: "string", enum: ["late", "broken"] } },
    required: ["reason"],
  },
  rule_argument: "/reason",
};
const NO_SERVERS = new Map();
const PLACE = { servers: NO_SERVERS, pointer: "#/rules" };

function rule(
  tool_name: string,
  behavior: PermissionRule["behavior"] = "allow",
  rule_content: string | null = null,
): PermissionRule {
  return { tool_name, rule_content, behavior, source: "test" };
}

function sessionOf(
  ofAgent: readonly PermissionRule[],
  own: readonly PermissionRule[] = [],
  more: Partial<WarnedSession> = {},
): WarnedSession {
  const agent = AgentCreateSchema.parse({
    name: "Desk",
    tools: [TOOL],
    permission: { rules: ofAgent },
  });
  const rules = own.map((one, index) => ({ ...one, id: `rul_${index}` }));
  return { agent, tools: [], rules, page_tools: null, ...more };
}

function added(session: WarnedSession, ...rules: readonly PermissionRule[]): readonly string[] {
  return addedRuleWarnings(session, rules, PLACE).map(
    ({ pointer, detail }) => `${pointer} ${detail}`,
  );
}

it("a rule that another one comes before names it: the agent's, the session's, one of the request", () => {
  const words = "decides every call of refund_order that this one could";

  expect(added(sessionOf([rule("refund_order", "ask")]), rule("refund_order"))).toEqual([
    `#/rules/0 rule 0 of the agent ${words}`,
  ]);
  expect(added(sessionOf([], [rule("refund_order", "deny")]), rule("refund_order", "ask"))).toEqual(
    [`#/rules/0 the session's rule rul_0 ${words}`],
  );
  expect(
    added(sessionOf([]), rule("refund_order", "deny"), rule("refund_order", "ask", "late")),
  ).toEqual([`#/rules/1 rule 0 ${words}`]);
});

it("a rule that the session has already is judged in its own place, and not by itself", () => {
  const session = sessionOf([], [rule("refund_order", "ask"), rule("refund_order", "allow")]);

  expect(added(session, rule("refund_order", "ask", ""))).toEqual([]);
  expect(added(session, rule("refund_order", "allow"))).toEqual([
    "#/rules/0 the session's rule rul_0 decides every call of refund_order that this one could",
  ]);
});

it("tools of the session's own and of the page that talks to it are known", () => {
  const own = { ...TOOL, name: "track_order" } as WarnedSession["tools"][number];
  const page = { name: "show_map", input_schema: { type: "object" } };
  const session = sessionOf([], [], { tools: [own], page_tools: [page] });

  expect(
    added(session, rule("track_order"), rule("show_map"), rule("anything_else"), rule("show_mpa")),
  ).toEqual([
    "#/rules/3/tool_name the session has no tool show_mpa; did you mean `show_map`? Only one that a page brings could have this name",
  ]);
  expect(
    added(session, rule("track_order", "deny", "lost"), rule("show_map", "deny", "x")),
  ).toEqual([
    expect.stringContaining("#/rules/0/rule_content fits none of the values"),
    expect.stringContaining("#/rules/1/rule_content show_map names no rule_argument"),
  ]);
});

it("a change names the rules that it silences, and not those that were silent before", () => {
  const own = [rule("refund_order", "deny"), rule("refund_ordr", "deny")];
  const before = sessionOf([], own);
  const after = { ...before, agent: { ...before.agent, tools: [] } };
  const change = { servers: NO_SERVERS, pointer: "#/agent_version" };

  expect(silencedRuleWarnings(before, after, change)).toEqual([
    {
      pointer: "#/agent_version",
      detail:
        "the session's rule rul_0: the session has no tool refund_order. Only one that a page brings could have this name",
    },
  ]);
  expect(silencedRuleWarnings(after, before, change)).toEqual([]);
});

it("no warning is ever given for a rule of a session that decides a call", () => {
  const rules = fc.array(
    fc.record({
      tool_name: fc.constantFrom("refund_order", "refund_ordr"),
      rule_content: fc.constantFrom(null, "", "late", "broken", "lost"),
      behavior: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
      source: fc.constant("test"),
    }),
    { maxLength: 3 },
  );
  const mode = fc.constantFrom("default" as const, "bypass" as const, "explore" as const);

  fc.assert(
    fc.property(rules, rules, rules, mode, (ofAgent, own, written, mode) => {
      const session = sessionOf(ofAgent, own);
      const fresh = written.filter(
        (one) =>
          !own.some(
            (other) =>
              other.tool_name === one.tool_name &&
              other.behavior === one.behavior &&
              (other.rule_content ?? "") === (one.rule_content ?? ""),
          ),
      );
      const all = [...session.agent.permission.rules, ...session.rules, ...fresh];
      const settings = { mode, rules: all, working_directories: [] };
      const deciding = ["late", "broken"].map(
        (reason) =>
          checkCall(settings, session.agent.tools[0] as unknown as ToolDeclaration, { reason })
            .rule,
      );

      const warned = addedRuleWarnings(session, fresh, PLACE).map(
        ({ pointer }) => fresh[Number(pointer.split("/")[2])],
      );

      expect(warned.filter((one) => deciding.some((decided) => decided === one))).toEqual([]);
    }),
  );
});
