import { describe, expect, it } from "vitest";

import type { ToolDeclaration } from "../../../agent/ports.ts";
import { readSubject } from "../../../agent/permission/call-subject.ts";
import { findGrant, findRestriction } from "../../../agent/permission/match-rule.ts";
import { BASH, MAIL, REFUND, rule, WRITE } from "./permission-tools.ts";

function matches(tool: ToolDeclaration, content: string, input: unknown) {
  const subject = readSubject(tool, input, []);
  const deny = rule(`deny ${tool.name} ${content}`);
  const allow = rule(`allow ${tool.name} ${content}`);
  return {
    deny: findRestriction([deny], tool.name, "deny", subject) !== null,
    allow: findGrant([allow], tool.name, subject) !== null,
  };
}

/** The reference's answer for every behaviour, and ours. */
type Row = readonly [
  content: string,
  argument: string,
  reference: boolean,
  deny: boolean,
  allow: boolean,
];

const commands: readonly Row[] = [
  ["git:*", "git", true, true, true],
  ["git:*", "git status", true, true, true],
  ["git:*", "gitk", false, false, false],
  ["git commit:*", "git commit -m x", true, true, true],
  ["git commit:*", "git commitx", false, false, false],
  ["install", "npm install x", true, true, false],
  ["npm run *", "npm run build", true, true, true],
  ["npm run *", "npm run", true, true, true],
  ["git *", "git", true, true, true],
  ["git *", "git add .", true, true, true],
  ["* --version", "node --version", true, true, true],
  ["* --version", "node -v", false, false, false],
  ["ls -l", "ls -la", true, true, false],
  ["echo \\*", "echo *", true, true, true],
  ["echo \\*", "echo hi", false, false, false],
  ["rm -rf *", "rm -rf /", true, true, true],
  ["git:*", "cd x && git status", false, true, false],
  ["git:*", "git status; rm -rf /", true, true, false],
  ["git *", "git add . && rm -rf /", true, true, false],
  ["*", "anything", true, true, true],
  ["a.b*", "axb", false, false, false],
  ["a.b*", "a.bc", true, true, true],
  ["npm:*", "npm\tinstall", false, true, false],
];

const paths: readonly Row[] = [
  ["*.py", "test.py", true, true, true],
  ["*.py", "/tmp/a/test.py", true, true, true],
  ["/tmp/**", "/tmp/x.txt", true, true, true],
  ["/tmp/**", "/tmp/a/b.txt", true, true, true],
  ["/tmp/**", "/tmp", false, true, false],
  ["**/*.env", "/tmp/secret.env", true, true, true],
  ["**/*.env", "secret.env", false, true, false],
  ["src/**", "/abs/src/x", false, false, false],
  ["*.env", "/tmp/secret.env", true, true, true],
  ["/tmp/?.py", "/tmp/a.py", true, true, true],
  ["/tmp/[ab].py", "/tmp/c.py", false, false, false],
  ["/secret/**", "/secret/../etc/passwd", true, false, false],
];

describe("a rule for commands", () => {
  it.each(commands)("%o × %o: reference %s, deny %s, allow %s", (content, command, ...answers) => {
    const [, deny, allow] = answers;

    expect(matches(BASH, content, { command })).toEqual({ deny, allow });
  });
});

describe("a rule for paths", () => {
  it.each(paths)("%o × %o: reference %s, deny %s, allow %s", (content, file_path, ...answers) => {
    const [, deny, allow] = answers;

    expect(matches(WRITE, content, { file_path })).toEqual({ deny, allow });
  });
});

describe("a rule for texts", () => {
  it.each([
    ["A-1", "A-1", true],
    ["A-1", "A-10", false],
    ["A-*", "A-10", false],
    ["42", 42, true],
    ["true", true, true],
    ["A-1", ["A-1", "A-1"], true],
  ])("exact %o × %o is %s", (content, id, expected) => {
    const answer = matches(REFUND, content, { order: { id } });

    expect(answer).toEqual({ deny: expected, allow: expected });
  });

  it.each([
    ["*@shop.example", "ann@shop.example", true],
    ["*@shop.example", "ann@shop.example.evil.example", false],
    ["ann?@*", "ann1@x", true],
    ["[a-c]*@x", "bob@x", true],
    ["[!a-c]*@x", "bob@x", false],
    ["[]]x", "]x", true],
    ["[x", "[x", true],
    ["[b-a]", "b", false],
    ["?", "😀", true],
    ["a\nb*", "a\nbc", true],
  ])("glob %o × %o is %s", (content, to, expected) => {
    expect(matches(MAIL, content, { to })).toEqual({ deny: expected, allow: expected });
  });

  it("denies a list for one of its texts, and allows it for all of them", () => {
    expect(matches(MAIL, "*@shop", { to: ["a@shop", "b@evil"] })).toEqual({
      deny: true,
      allow: false,
    });
    expect(matches(MAIL, "*@shop", { to: ["a@shop", "b@shop"] })).toEqual({
      deny: true,
      allow: true,
    });
  });

  it("allows a list when several rules together allow all of it", () => {
    const rules = [rule("allow Mail a@*"), rule("allow Mail b@*")];
    const subject = readSubject(MAIL, { to: ["b@shop", "a@shop"] }, []);

    expect(findGrant(rules, "Mail", subject)).toEqual(rules[1]);
  });
});

describe("an argument that rules cannot read", () => {
  it.each([
    ["is missing", {}],
    ["is null", { order: { id: null } }],
    ["is an object", { order: { id: { a: 1 } } }],
    ["is an empty list", { order: { id: [] } }],
    ["is a list with an object in it", { order: { id: ["A-1", {}] } }],
    ["lies in a text", { order: "A-1" }],
    ["is inherited", { order: Object.create({ id: "A-1" }) }],
  ])("is denied and never allowed by a rule with content when it %s", (_title, input) => {
    expect(matches(REFUND, "A-1", input)).toEqual({ deny: true, allow: false });
  });

  it("is a list where a command is expected", () => {
    expect(matches(BASH, "ls:*", { command: ["ls"] })).toEqual({ deny: true, allow: false });
  });
});

describe("a JSON pointer", () => {
  it("finds keys with slashes and tildes, and items of lists", () => {
    const tool = { ...REFUND, rule_argument: "/a~1b/~0c/1" };

    expect(matches(tool, "x", { "a/b": { "~c": ["w", "x"] } })).toEqual({
      deny: true,
      allow: true,
    });
  });
});
