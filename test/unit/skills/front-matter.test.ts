// The front matter of SKILL.md: what is read of YAML, and what is refused.
import { describe, expect, test } from "vitest";

import { readFrontMatter } from "../../../agent/skills/front-matter.ts";
import { readSkillText } from "../../../agent/skills/read-skill-text.ts";
import { MAX_FRONT_MATTER_CHARACTERS } from "../../../protocol/skills/limits.ts";

function read(yaml: string) {
  const found = readFrontMatter(`---\n${yaml}\n---\nBody`);
  return found.ok ? Object.fromEntries(found.texts) : found.problem;
}

describe("a front matter", () => {
  test.each([
    ["plain", "name: pdf-forms", "pdf-forms"],
    ["plain with spaces around", "name:   pdf-forms  ", "pdf-forms"],
    ["plain with a comment", "name: pdf # for forms", "pdf"],
    ["plain with a hash inside", "name: c#-sharp#2", "c#-sharp#2"],
    [
      "plain with a colon inside",
      "name: at 12:30 or https://a.example",
      "at 12:30 or https://a.example",
    ],
    ["plain over lines", "name: one\n  two\n\n  three # no\n", "one two three"],
    ["plain on the next line", "name:\n  below", "below"],
    ["in double quotes", 'name: "a: \\"b\\" \\u00e9 # c" # d', 'a: "b" é # c'],
    ["in single quotes", "name: 'it''s: \"a\"'", `it's: "a"`],
    ["as a literal block", "name: |\n  one\n    two\n\n  three\n", "one\n  two\n\nthree"],
    ["as a folded block", "name: >-\n  one\n  two\n\n  three", "one two\n\nthree"],
    ["empty", "name:", ""],
  ])("has a text %s", (_, yaml, text) => {
    expect(read(yaml)).toEqual({ name: text });
  });

  test.each([
    ["a mapping", "metadata:\n  author: me\n  version: '1'"],
    ["a list", "metadata:\n- a\n- b"],
    ["a list that is indented", "metadata:\n  - a: b"],
    ["a flow", "metadata: {a: [b, &c d]}"],
    ["a flow over lines", "metadata: [a,\n  b,\n  c]"],
  ])("may have %s beside the texts, which is passed over", (_, yaml) => {
    expect(read(`name: a\n${yaml}\nlicense: MIT`)).toEqual({ name: "a", license: "MIT" });
  });

  test.each([
    [
      "an anchor",
      "name: &a pdf",
      "line 2 of the front matter: anchors, aliases and tags are not read",
    ],
    ["an alias", "name: *a", "line 2 of the front matter: anchors, aliases and tags are not read"],
    [
      "a tag",
      "name: !!python/object a",
      "line 2 of the front matter: anchors, aliases and tags are not read",
    ],
    ["a merge", "<<: *a", "line 2 of the front matter is no `key: value`"],
    ["a key again", "name: a\nname: b", "line 3 of the front matter has the key name again"],
    ["a list at its top", "- name", "line 2 of the front matter is no `key: value`"],
    ["a key without a space", "name:pdf", "line 2 of the front matter is no `key: value`"],
    [
      "a mapping in a text",
      "name: Use when: now",
      'line 2 of the front matter: a text with ": " in it has to be quoted',
    ],
    [
      "quotes that do not end",
      'name: "a',
      "line 2 of the front matter: a quoted text begins and ends in one line",
    ],
    [
      "quotes over lines",
      'name: "a\n  b"',
      "line 2 of the front matter: a quoted text begins and ends in one line",
    ],
    [
      "an escape of YAML alone",
      'name: "\\x41"',
      'line 2 of the front matter: only escapes such as \\n, \\" and \\u00e9 are read',
    ],
    [
      "a directive's sign",
      "name: %a",
      "line 2 of the front matter: a text that begins with % has to be quoted",
    ],
    [
      "a block with a width",
      "name: |2\n   a",
      "line 2 of the front matter: a block begins with |, >, |-, >-, |+ or >+ alone",
    ],
    [
      "a block that is indented in two ways",
      "name: |\n    a\n  b",
      "line 2 of the front matter: the lines of a block are indented alike",
    ],
    ["tabs", "name: |\n\ta", "line 2 of the front matter: lines are indented with spaces"],
  ])("with %s is refused", (_, yaml, problem) => {
    expect(read(yaml)).toBe(problem);
  });

  test.each([
    [
      "without its first line",
      "name: a\n---\n",
      "it does not begin with front matter, between two lines ---",
    ],
    ["without its last line", "---\nname: a\n", "its front matter has no line --- at its end"],
    ["of nothing", "", "it does not begin with front matter, between two lines ---"],
  ])("%s is none", (_, text, problem) => {
    expect(readFrontMatter(text)).toEqual({ ok: false, problem });
  });

  test("has lines of Windows and a byte order mark, and ends where the body begins", () => {
    const text = "\uFEFF---\r\nname: a\r\n---\r\nBody";

    const found = readFrontMatter(text);

    expect(found).toEqual({ ok: true, texts: new Map([["name", "a"]]), end: text.indexOf("Body") });
  });

  test.each([
    ["aliases of aliases", `a: &a [x,x]\n${"b: *a\n".repeat(2_000)}`],
    ["brackets", `a: ${"[".repeat(20_000)}`],
    ["spaces", `name: a${" ".repeat(MAX_FRONT_MATTER_CHARACTERS - 40)}b`],
    ["blank lines", "\n".repeat(20_000)],
    ["no end", "a\n".repeat(20_000)],
    ["quotes", `name: "${'\\"'.repeat(8_000)}`],
  ])("of %s is read in steps of its length", (_, yaml) => {
    const before = process.cpuUsage();

    readFrontMatter(`---\n${yaml}\n---\n`);

    // Quadratic work over as many characters takes seconds of the processor, in microseconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe("a SKILL.md", () => {
  const text = (name: string, description: string) =>
    `---\nname: ${name}\ndescription: ${description}\n---\nDo it.`;

  test("says name and description, and where its instructions begin, in bytes", () => {
    const front = "---\nname: pdf-2-forms\ndescription: Füllt aus.\n---\n";

    expect(readSkillText(`${front}Do it.`)).toEqual({
      ok: true,
      name: "pdf-2-forms",
      description: "Füllt aus.",
      body_offset: new TextEncoder().encode(front).length,
    });
  });

  const NAME =
    "its name is lower-case letters, digits and single hyphens between them, such as pdf-forms";
  test.each([
    ["capitals", text("PDF", "d"), NAME],
    ["a hyphen at its end", text("pdf-", "d"), NAME],
    ["two hyphens", text("pdf--forms", "d"), NAME],
    ["a space", text("pdf forms", "d"), NAME],
    ["a path", text("../pdf", "d"), NAME],
    ["letters of others", text("büro", "d"), NAME],
    ["too many characters", text("a".repeat(65), "d"), "its name may have 64 characters at most"],
    ["no name", "---\ndescription: d\n---\n", "its front matter has no name"],
    [
      "no text as its name",
      "---\nname: [a]\ndescription: d\n---\n",
      "its front matter has no name",
    ],
    ["no description", "---\nname: a\n---\n", "its front matter has no description"],
    ["blanks as its description", text("a", '"  "'), "its front matter has no description"],
    [
      "a long description",
      text("a", "d".repeat(1_025)),
      "its description may have 1024 characters at most",
    ],
    ["a control character", text("a", '"a\\u0007"'), "its description holds a control character"],
  ])("with %s is refused", (_, given, problem) => {
    expect(readSkillText(given)).toEqual({ ok: false, problem });
  });

  test("may have as much as the format allows", () => {
    const found = readSkillText(text("a".repeat(64), "d".repeat(1_024)));

    expect(found.ok).toBe(true);
  });
});
