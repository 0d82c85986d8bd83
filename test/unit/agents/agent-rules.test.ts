import { describe, expect, it } from "vitest";

import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { HttpToolSchema } from "../../../protocol/tools/http-tool.ts";
import { MAX_RULE_CHARACTERS, MAX_RULES } from "../../../protocol/permission/limits.ts";
import { MAX_EDITABLE_POINTERS } from "../../../protocol/tools/limits.ts";

const TOOL = { type: "http", name: "write_file", url: "https://files.example/write" };
const RULE = { tool_name: "write_file", rule_content: "/tmp/**", behavior: "allow", source: "us" };

function problemsOf(agent: Record<string, unknown>): readonly string[] {
  const { error } = AgentCreateSchema.safeParse({ name: "files", ...agent });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join("/")}: ${message}`);
}

describe("a tool's rule_argument", () => {
  it.each(["/path", "/a/b/0", "/a~1b/~0c", "/"])("may be %o", (rule_argument) => {
    const tool = { ...TOOL, edits_files: true, rule_argument, rule_syntax: "path" };

    expect(HttpToolSchema.parse(tool)).toMatchObject({
      edits_files: true,
      rule_argument,
      rule_syntax: "path",
    });
  });

  it.each(["path", "", "$.path", "/a~2", "/a~"])(
    "is a JSON pointer, which %o is not",
    (pointer) => {
      expect(problemsOf({ tools: [{ ...TOOL, rule_argument: pointer }] })).toEqual([
        "tools/0/rule_argument: a JSON pointer begins with /",
      ]);
    },
  );

  it("has to be there for a rule_syntax", () => {
    expect(problemsOf({ tools: [{ ...TOOL, rule_syntax: "path" }] })).toEqual([
      "tools: a rule_syntax needs a rule_argument",
    ]);
  });
});

describe("what a person may edit of a tool's input", () => {
  it.each([[[]], [["/amount"]], [["/lines/0/text", "/a~1b"]]])("may be %j", (editable) => {
    expect(HttpToolSchema.parse({ ...TOOL, editable })).toMatchObject({ editable });
  });

  it("is said in JSON pointers, and not in more than a question should carry", () => {
    const tooMany = Array.from({ length: MAX_EDITABLE_POINTERS + 1 }, (_, n) => `/${n}`);

    expect(problemsOf({ tools: [{ ...TOOL, editable: ["amount"] }] })).toEqual([
      "tools/0/editable/0: a JSON pointer begins with /",
    ]);
    expect(problemsOf({ tools: [{ ...TOOL, editable: tooMany }] })).toEqual([
      "tools/0/editable: Too big: expected array to have <=32 items",
    ]);
  });
});

describe("an agent's rules", () => {
  it("may match a call's input", () => {
    const permission = { mode: "default", rules: [RULE, { ...RULE, rule_content: null }] };

    expect(AgentCreateSchema.parse({ name: "files", permission }).permission).toEqual(permission);
  });

  it("have a content that can be matched in little time", () => {
    const rule_content = "x".repeat(MAX_RULE_CHARACTERS + 1);

    expect(problemsOf({ permission: { rules: [{ ...RULE, rule_content }] } })).toEqual([
      "permission/rules/0/rule_content: Too big: expected string to have <=4096 characters",
    ]);
  });

  it("are not more than are looked through at each call", () => {
    const rules = Array.from({ length: MAX_RULES + 1 }, () => RULE);

    expect(problemsOf({ permission: { rules } })).toEqual([
      "permission/rules: Too big: expected array to have <=1000 items",
    ]);
  });
});
