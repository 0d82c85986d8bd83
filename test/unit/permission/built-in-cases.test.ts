import { describe, expect, it } from "vitest";

import type { ToolDeclaration } from "../../../agent/ports.ts";
import type { PermissionMode } from "../../../protocol/messages/permission.ts";
import { BASH, check, EDIT, READ, WRITE } from "./permission-tools.ts";

type Row = readonly [
  id: string,
  mode: PermissionMode,
  tool: ToolDeclaration,
  argument: string,
  rules: readonly string[],
  expected: "allow" | "ask" | "deny",
];

const PROJECT = "/tmp/project";
const BYPASS = "bypass";

const rows: readonly Row[] = [
  ["Q1", "default", READ, "/etc/hosts", [], "allow"],
  ["Q2", "default", WRITE, "/tmp/file.txt", [], "ask"],
  ["Q3", "default", WRITE, "/tmp/secret.env", ["deny Write *.env"], "deny"],
  ["Q4", "default", WRITE, "test.py", ["allow Write *.py"], "allow"],
  ["Q4", "default", WRITE, "test.txt", ["allow Write *.py"], "ask"],
  ["Q5", "default", WRITE, "/home/user/.bashrc", ["allow Write **"], "ask"],
  ["Q6", "default", EDIT, "~/.gitconfig", [], "ask"],
  ["Q6", "default", WRITE, "~/.ssh/config", [], "ask"],
  ["Q7", "default", BASH, "ls -a", [], "allow"],
  ["Q7", "default", BASH, "pwd", [], "allow"],
  ["Q7", "default", BASH, "git status", [], "allow"],
  ["Q7", "default", BASH, "cat README.md", [], "allow"],
  ["Q7", "default", BASH, "ls -la && cat f", [], "allow"],
  ["Q8", "default", BASH, "npm install", [], "ask"],
  ["Q8", "default", BASH, "git commit -m 'test'", [], "ask"],
  ["Q8", "default", BASH, "ls -la && git commit -m x", [], "ask"],
  ["Q8", "default", BASH, "cat f > /tmp/o", [], "ask"],
  ["Q9", "default", BASH, "rm ~/.bashrc", [], "ask"],
  ["Q9", "default", BASH, "ls -la && rm ~/.bashrc", [], "ask"],
  ["Q9", "default", BASH, "cat f > ~/.bashrc", [], "ask"],
  ["Q10", "default", BASH, "ls $(rm -rf /)", ["allow Bash ls:*"], "ask"],
  ["Q11", "default", BASH, "rm -rf /", ["allow Bash rm:*"], "ask"],
  ["Q12", "default", BASH, "rm -rf /tmp", ["deny Bash rm:*", "allow Bash git:*"], "deny"],
  ["Q12", "default", BASH, "git status", ["deny Bash rm:*", "allow Bash git:*"], "allow"],
  ["Q12", "default", BASH, "npm install", ["deny Bash rm:*", "allow Bash git:*"], "ask"],
  ["Q13", "explore", WRITE, "/tmp/f", ["allow Write **"], "deny"],
  ["Q13", "explore", BASH, "cp a b", [], "deny"],
  ["Q13", "explore", BASH, "touch x", [], "deny"],
  ["Q13", "explore", BASH, "rm -rf /", [], "deny"],
  ["Q14", "explore", READ, "/tmp/secret.env", ["ask Read **/*.env"], "ask"],
  ["Q15", "accept_edits", WRITE, `${PROJECT}/f`, [], "allow"],
  ["Q15", "accept_edits", EDIT, `${PROJECT}/f`, [], "allow"],
  ["Q16", "accept_edits", EDIT, "/home/user/f", [], "ask"],
  ["Q17", "accept_edits", WRITE, `${PROJECT}/poetry.lock`, ["deny Write **/*.lock"], "deny"],
  ["Q18", "accept_edits", EDIT, `${PROJECT}/main.py`, ["ask Edit **/*.py"], "ask"],
  ["Q19", "accept_edits", BASH, `touch ${PROJECT}/a`, [], "allow"],
  ["Q19", "accept_edits", BASH, `mkdir -p ${PROJECT}/a/b`, [], "allow"],
  ["Q19", "accept_edits", BASH, `rm ${PROJECT}/a`, [], "allow"],
  ["Q19", "accept_edits", BASH, `rmdir ${PROJECT}/a`, [], "allow"],
  ["Q19", "accept_edits", BASH, `cp ${PROJECT}/a ${PROJECT}/b`, [], "allow"],
  ["Q19", "accept_edits", BASH, `mv ${PROJECT}/a b`, [], "allow"],
  ["Q19", "accept_edits", BASH, `sed -i 's/a/b/' ${PROJECT}/a`, [], "allow"],
  ["Q20", "accept_edits", BASH, `cp ${PROJECT}/a /Users/x/b`, [], "ask"],
  ["Q20", "accept_edits", BASH, `cp /Users/x/a ${PROJECT}/b`, [], "ask"],
  ["Q20", "accept_edits", BASH, "mkdir", [], "ask"],
  ["Q22", BYPASS, BASH, "rm -rf /", [], "allow"],
  ["Q22", BYPASS, WRITE, "~/.bashrc", [], "allow"],
  ["Q22", BYPASS, BASH, "ls $(date +%s)", [], "allow"],
  ["Q23", BYPASS, BASH, "git push origin main", ["ask Bash git push:*"], "ask"],
  ["Q24", "dont_ask", WRITE, `${PROJECT}/f`, [], "allow"],
  ["Q24", "dont_ask", WRITE, "/home/user/f", [], "deny"],
  ["Q24", "dont_ask", BASH, `touch ${PROJECT}/f`, [], "allow"],
  ["Q24", "dont_ask", BASH, "touch /home/user/f", [], "deny"],
  ["Q25", "dont_ask", WRITE, "/tmp/main.py", ["ask Write **/*.py"], "deny"],
  ["Q26", "default", BASH, "ls & rm -rf /tmp/x", [], "ask"],
  ["Q26", "default", BASH, "ls\nrm -rf /tmp/x", [], "ask"],
];

describe("the reference's built-in tools", () => {
  it.each(rows)("%s in %s: %o", (_id, mode, tool, argument, rules, expected) => {
    const { behavior } = check(tool, argument, { mode, rules, directories: [PROJECT] });

    expect(behavior).toBe(expected);
  });

  it.each([
    ["Q2", WRITE, "/tmp/file.txt", "/tmp/**"],
    ["Q8", BASH, "git commit -m 'test'", "git commit:*"],
    ["Q8", BASH, "ls -la && git commit -m x", "git commit:*"],
    ["Q8", BASH, "npm install", "npm install:*"],
  ] as const)("%s: %o suggests a rule for %s", (_id, tool, argument, rule_content) => {
    expect(check(tool, argument).suggestedRules).toEqual([
      { tool_name: tool.name, rule_content, behavior: "allow", source: "suggested" },
    ]);
  });

  it.each([
    ["Q5", WRITE, "/home/user/.bashrc", "Safety: the path leads to .bashrc"],
    ["Q6", EDIT, "~/.gitconfig", "Safety: the path leads to .gitconfig"],
    ["Q6", WRITE, "~/.ssh/config", "Safety: the path leads to .ssh"],
    ["Q9", BASH, "cat f > ~/.bashrc", "Safety: the command touches .bashrc"],
    ["Q10", BASH, "ls $(rm -rf /)", "Safety: the command uses command_substitution"],
    ["Q11", BASH, "rm -rf /", "Safety: rm -rf"],
  ] as const)("%s: %o of %s asks for safety", (_id, tool, argument, reason) => {
    const permission = check(tool, argument, { rules: [`allow ${tool.name}`] });

    expect(permission).toEqual({
      behavior: "ask",
      reason,
      rule: null,
      suggestedRules: [],
      isSafetyAsk: true,
    });
  });

  it("Q25: a call that nobody can be asked about carries what would have been offered", () => {
    const situation = { mode: "dont_ask", rules: ["ask Write **/*.py"] } as const;

    expect(check(WRITE, "/tmp/main.py", situation)).toEqual({
      behavior: "deny",
      reason: "DONT_ASK mode converted ASK to DENY. Original reason: Rule: **/*.py",
      rule: { tool_name: "Write", rule_content: "**/*.py", behavior: "ask", source: "test" },
      suggestedRules: [
        { tool_name: "Write", rule_content: "/tmp/**", behavior: "allow", source: "suggested" },
      ],
      isSafetyAsk: false,
    });
  });
});
