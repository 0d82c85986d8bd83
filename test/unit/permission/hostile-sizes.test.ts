// Hostile sizes have to be answered here, and strictly; bench/permission-matching.ts measures the time.
import { describe, expect, it } from "vitest";

import { checkCall } from "../../../agent/permission/check-call.ts";
import type { PermissionRule, RuleSyntax } from "../../../protocol/messages/permission.ts";
import { contextOf, PLAIN } from "./permission-tools.ts";

const SIZE = 100_000;

const families: readonly (readonly [
  RuleSyntax,
  string,
  string,
  "deny" | "ask",
  "allow" | "ask",
])[] = [
  ["exact", "a".repeat(SIZE), "a".repeat(SIZE), "deny", "allow"],
  ["glob", `${"*a".repeat(SIZE / 2)}b`, "a".repeat(SIZE), "ask", "ask"],
  ["glob", "*a".repeat(SIZE / 2), "a".repeat(SIZE), "deny", "allow"],
  ["glob", `*${"a?".repeat(SIZE / 4)}b*`, "a".repeat(SIZE), "deny", "ask"],
  ["glob", `*${"[a-z]".repeat(SIZE / 5)}!*`, "a".repeat(SIZE), "deny", "ask"],
  ["glob", `*[${"é".repeat(SIZE / 2)}]!*`, "ü".repeat(SIZE), "deny", "ask"],
  ["glob", "[".repeat(SIZE), "[".repeat(SIZE), "deny", "allow"],
  ["path", "/a/**", `/${"a/../".repeat(5_000)}a/x`, "deny", "allow"],
  ["path", "/a/**", "/b/".repeat(SIZE / 3), "deny", "ask"],
  ["path", "/a/**", `/e${"\u0301\u0316".repeat(10_000)}`, "deny", "ask"],
  ["command", `${"a".repeat(SIZE / 2)}b`, "a".repeat(SIZE), "ask", "ask"],
  ["command", "*a".repeat(SIZE / 2), "a;".repeat(SIZE / 2), "deny", "ask"],
  ["command", "x:*", "$(".repeat(SIZE / 2), "deny", "ask"],
  ["command", "x:*", "`".repeat(SIZE), "deny", "ask"],
  ["command", "x:*", "'".repeat(SIZE), "deny", "ask"],
  ["command", "x:*", `sudo ${"-a b ".repeat(SIZE / 5)}`, "deny", "ask"],
  ["command", "x:*", `${"eval ".repeat(SIZE / 5)}y`, "deny", "ask"],
  ["command", "x:*", `x ${"a".repeat(SIZE)}`, "deny", "allow"],
];

describe("100 kB of hostile pattern and input", () => {
  it.each(families)("%s family %#", (rule_syntax, rule_content, argument, denied, allowed) => {
    const tool = { ...PLAIN, rule_argument: "/argument", rule_syntax };
    const behaviorUnder = (behavior: PermissionRule["behavior"]): string => {
      const rule = { tool_name: "T", rule_content, behavior, source: "test" };
      return checkCall({ ...contextOf({}), rules: [rule] }, tool, { argument }).behavior;
    };

    expect([behaviorUnder("deny"), behaviorUnder("allow")]).toEqual([denied, allowed]);
  });
});
