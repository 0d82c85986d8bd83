// Command lines that only read: they run without a question, so nothing that hides what runs may be one of them.
import { describe, expect, it } from "vitest";

import { isReadOnlyCommand } from "../../../agent/permission/commands/read-only-command.ts";
import { readNestedCommands } from "../../../agent/permission/commands/read-nested-commands.ts";

const isReadOnly = (text: string): boolean => isReadOnlyCommand(readNestedCommands(text));

describe("a command line that only reads", () => {
  it.each([
    "ls -l",
    "ls | cat",
    "git log",
    // Options that write are told by how an argument begins, and not by letters inside of it.
    "git show feature-old",
    "git log --no-ext-diff",
  ])("%s", (text) => {
    expect(isReadOnly(text)).toBe(true);
  });
});

describe("none, although all programs in it read:", () => {
  it.each([
    ["a quote that does not end", "ls 'a"],
    ["an escaped quote that does not end", String.raw`ls $'a`],
    ["a subshell", "(ls)"],
    ["an expansion", "ls $X"],
    ["text for a shell", "sh -c 'ls'"],
    ["nothing", ""],
  ])("%s", (_what, text) => {
    expect(isReadOnly(text)).toBe(false);
  });
});

describe("an escaped quote", () => {
  it.each([
    ["$'a'", "a", true],
    [String.raw`$'a\'b'`, String.raw`a\'b`, true],
    ["$'a", "a", false],
    [String.raw`$'a\'`, String.raw`a\'`, false],
  ])("%s is read to its end", (text, word, isReadable) => {
    const { parts, isReadable: isRead } = readNestedCommands(`ls ${text}`);
    expect([parts[0]?.words[1]?.text, isRead]).toEqual([word, isReadable]);
  });

  it("is followed by the next word", () => {
    const { parts } = readNestedCommands("ls $'a' b");
    expect(parts[0]?.words.map(({ text }) => text)).toEqual(["ls", "a", "b"]);
  });
});

describe("text for a shell", () => {
  const nested = (levels: number): string => `${"eval ".repeat(levels)}ls`;

  it("is read two levels deep", () => {
    const { parts, isReadable } = readNestedCommands(nested(2));
    expect([parts.map(({ source }) => source), isReadable]).toEqual([
      ["eval eval ls", "eval ls", "ls"],
      true,
    ]);
  });

  it("is not read any deeper, and counts as unknown", () => {
    const { parts, isReadable } = readNestedCommands(nested(3));
    expect([parts.length, isReadable]).toEqual([3, false]);
  });
});
