import { describe, expect, it } from "vitest";

import type { ToolDeclaration } from "../../../agent/ports.ts";
import { checkCall } from "../../../agent/permission/check-call.ts";
import { BASH, contextOf, MAIL, PLAIN, REFUND, rule, WRITE } from "./permission-tools.ts";

type Row = readonly [
  title: string,
  tool: ToolDeclaration,
  input: unknown,
  contents: readonly (string | null)[],
];

const rows: readonly Row[] = [
  ["the whole tool that names no argument", PLAIN, { a: 1 }, [null]],
  ["the value that is compared exactly", REFUND, { order: { id: "A-1" } }, ["A-1"]],
  ["a number as its text", REFUND, { order: { id: 42 } }, ["42"]],
  ["nothing for an empty value", REFUND, { order: { id: "" } }, []],
  ["nothing for a missing value", REFUND, {}, []],
  ["nothing that is longer than a rule", REFUND, { order: { id: "x".repeat(5_000) } }, []],
  ["a text with its wildcards as characters", MAIL, { to: "a*[b]?" }, ["a[*][[]b][?]"]],
  ["each of a list once, five at most", MAIL, { to: [..."aabcdefg"] }, ["a", "b", "c", "d", "e"]],
  ["the folder of a file", WRITE, { file_path: "/a/b/../c.txt" }, ["/a/**"]],
  ["a file right below the root itself", WRITE, { file_path: "/c.txt" }, ["/c.txt"]],
  ["a file right below home itself", WRITE, { file_path: "~/c.txt" }, ["~/c.txt"]],
  ["a folder with its wildcards as characters", WRITE, { file_path: "/a[1]/c" }, ["/a[[]1]/**"]],
  ["nothing for a path with several meanings", WRITE, { file_path: "/a%2fb/c" }, []],
  ["a program and its subcommand", BASH, { command: "git commit -m 'a b'" }, ["git commit:*"]],
  ["a program with options as it stands", BASH, { command: "make -j *.o" }, ["make -j \\*.o"]],
  ["a program alone as it stands", BASH, { command: "make" }, ["make"]],
  ["one rule for each acting part", BASH, { command: "ls; a b c && d e; a b" }, ["a b:*", "d e:*"]],
  ["no prefix of what runs other things", BASH, { command: "python x y" }, ["python x y"]],
  ["no prefix of a wrapper", BASH, { command: "sudo apt x" }, ["sudo apt x"]],
  ["no prefix behind a variable", BASH, { command: "X=1 npm test" }, ["X=1 npm test"]],
  ["a command that writes, as it stands", BASH, { command: "cat f > o" }, ["cat f > o"]],
  [
    "five parts at most",
    BASH,
    { command: "a b; c d; e f; g h; i j; k l" },
    ["a b:*", "c d:*", "e f:*", "g h:*", "i j:*"],
  ],
];

describe("suggested rules", () => {
  it.each(rows)("name %s", (_title, tool, input, contents) => {
    const { suggestedRules } = checkCall(contextOf({}), tool, input);

    expect(suggestedRules).toEqual(
      contents.map((rule_content) => ({
        tool_name: tool.name,
        rule_content,
        behavior: "allow",
        source: "suggested",
      })),
    );
  });

  it.each(rows.filter(([, , , contents]) => contents.length > 0 && contents.length < 5))(
    "settle the next such call: %s",
    (_title, tool, input) => {
      const { suggestedRules } = checkCall(contextOf({}), tool, input);
      const next = checkCall({ ...contextOf({}), rules: suggestedRules }, tool, input);

      expect([next.behavior, next.rule]).toEqual(["allow", suggestedRules[0]]);
    },
  );

  it("come with an ask rule, which they do not overrule", () => {
    const asked = checkCall(contextOf({ rules: ["ask Bash git push:*"] }), BASH, {
      command: "git push origin",
    });

    expect(asked).toEqual({
      behavior: "ask",
      reason: "Rule: git push:*",
      rule: rule("ask Bash git push:*"),
      suggestedRules: [{ ...rule("allow Bash git push:*"), source: "suggested" }],
      isSafetyAsk: false,
    });
  });
});
