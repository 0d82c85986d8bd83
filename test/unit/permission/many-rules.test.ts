// As many rules as a tool may have, over arguments as long as they may be.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  MAX_ARGUMENT_CHARACTERS,
  readSubject,
  type CallSubject,
} from "../../../agent/permission/call-subject.ts";
import { compileGlob, matchGlob, toCodePoints } from "../../../agent/permission/patterns/glob.ts";
import { findGrant, findRestriction } from "../../../agent/permission/match-rule.ts";
import { TextIndex } from "../../../agent/permission/patterns/text-index.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import { MAX_RULES, MAX_RULE_STEPS } from "../../../protocol/permission/limits.ts";
import type { PermissionRule, RuleSyntax } from "../../../protocol/messages/permission.ts";
import { runs } from "../../support/breadth.ts";

const character = fc.constantFrom(..."abAB/. *?[]-é", "😀", "[a-c]", "[!a]", "**/", "git ", " -x ");
const content = fc.array(character, { minLength: 1, maxLength: 6 }).map((all) => all.join(""));
const argument = fc
  .array(fc.tuple(content, fc.constantFrom("ab/", "x y ", "é"), fc.nat(900)), { maxLength: 3 })
  .map((parts) => parts.map(([text, filler, times]) => text + filler.repeat(times)));

function tool(rule_syntax: RuleSyntax): ToolDeclaration {
  return {
    name: "t",
    description: "",
    input_schema: {},
    read_only: false,
    concurrency_safe: false,
    idempotent: false,
    rule_argument: "/argument",
    rule_syntax,
  };
}

function rules(behavior: PermissionRule["behavior"], contents: readonly string[]) {
  return contents.map((rule_content): PermissionRule => ({
    tool_name: "t",
    rule_content,
    behavior,
    source: "s",
  }));
}

function manyRules(behavior: PermissionRule["behavior"], rule: (number: number) => string) {
  return rules(
    behavior,
    Array.from({ length: MAX_RULES }, (_, number) => rule(number)),
  );
}

function subjectOf(syntax: RuleSyntax, value: unknown): CallSubject {
  return readSubject(tool(syntax), { argument: value }, ["/work"]);
}

function stepsOf(subject: CallSubject): number {
  if (subject.type === "command") return subject.budget.spent;
  return "search" in subject ? subject.search.budget.spent : 0;
}

describe("the verdict of many rules", () => {
  it("is that of the first that restricts by itself, and of those that grant by themselves", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<RuleSyntax>("glob", "path", "command"),
        fc.array(content, { minLength: 5, maxLength: 12 }),
        argument,
        (syntax, contents, texts) => {
          const value = syntax === "command" ? texts.join(" ; ") : texts;
          const subject = () => subjectOf(syntax, value);
          const deny = rules("deny", contents);
          const allow = rules("allow", contents);

          const alone = deny.find((rule) => findRestriction([rule], "t", "deny", subject()));
          expect(findRestriction(deny, "t", "deny", subject())).toEqual(alone ?? null);
          if (syntax !== "command" && texts.length === 1) {
            const granting = allow.find((rule) => findGrant([rule], "t", subject()));
            expect(findGrant(allow, "t", subject())).toEqual(granting ?? null);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it.each<[string, RuleSyntax, (number: number) => string, unknown]>([
    [
      "words in a long text",
      "glob",
      (number) => `*customer-${number}*`,
      "customer-".repeat(MAX_ARGUMENT_CHARACTERS / 9),
    ],
    [
      "words in many texts",
      "glob",
      (number) => `*customer-${number}*`,
      Array.from({ length: 200 }, (_, number) => `order ${number} `.repeat(60)),
    ],
    [
      "files in long paths",
      "path",
      (number) => `**/project-${number}/**`,
      Array.from({ length: 4 }, (_, number) => `${"/srv/project-".repeat(2_500)}x${number}`),
    ],
    [
      "words in a long command",
      "command",
      (number) => `secret-${number}`,
      `echo '${"secret- ".repeat(16_000)}'`,
    ],
    [
      "programs of a command of many parts",
      "command",
      (number) => `tool${number} run:*`,
      Array.from({ length: 1_500 }, (_, number) => `other${number} run`).join("; "),
    ],
  ])("for %s takes a quarter of its steps at most", (_what, syntax, rule, value) => {
    const subject = subjectOf(syntax, value);

    expect(findRestriction(manyRules("deny", rule), "t", "deny", subject)).toBeNull();
    expect(stepsOf(subject)).toBeGreaterThan(0);
    expect(stepsOf(subject)).toBeLessThan(MAX_RULE_STEPS / 4);
  });

  it.each<[string, RuleSyntax, (number: number) => string, unknown]>([
    [
      "words in another order",
      "glob",
      () => "*b*a*c*",
      `${"a".repeat(65_000)}${"b".repeat(65_000)}c`,
    ],
    [
      "words that are nearly there",
      "glob",
      (number) => `*${"a".repeat(number + 5)}b*c*`,
      `${"a".repeat(130_000)}c`,
    ],
  ])("for %s is the strictest once the steps are spent", (_what, syntax, rule, value) => {
    const denied = subjectOf(syntax, value);
    const allowed = subjectOf(syntax, value);

    expect(findRestriction(manyRules("deny", rule), "t", "deny", denied)).not.toBeNull();
    expect(findGrant(manyRules("allow", rule), "t", allowed)).toBeNull();
    expect([stepsOf(denied), stepsOf(allowed)]).toEqual([MAX_RULE_STEPS, MAX_RULE_STEPS]);
  });
});

it("an index of texts never rules out what stands in one", () => {
  const text = fc.array(fc.constantFrom(..."ab", "😀", "é"), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 4 }),
      fc.nat(),
      fc.nat(30),
      fc.nat(30),
      (texts, which, start, length) => {
        const all = texts.map((each) => toCodePoints(each.join("")));
        const index = new TextIndex(all);
        const run = (all[which % Math.max(all.length, 1)] ?? Int32Array.of()).slice(
          start,
          start + length,
        );

        expect(index.mayHave(run)).toBe(true);
        expect(index.mayHave(Int32Array.of(0x63, ...run, 0x63))).toBe(false);
      },
    ),
  );
});

it("a glob that fits a text by itself fits it among many", () => {
  const text = "git push origin main ".repeat(200);
  const matching = ["git*main *", "*push origin*", "*o?igin*[a-n]ain *"];
  expect(matching.map((each) => matchGlob(compileGlob(each), toCodePoints(text)))).toEqual([
    "yes",
    "yes",
    "yes",
  ]);
  const others = Array.from({ length: 900 }, (_, number) => `*nothing-${number}*`);
  for (const each of matching) {
    const found = findRestriction(
      rules("deny", [...others, each]),
      "t",
      "deny",
      subjectOf("glob", text),
    );
    expect(found?.rule_content).toBe(each);
  }
});
