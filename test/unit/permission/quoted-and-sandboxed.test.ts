// Readings of a command that a mutant could change unseen: a backslash in quotes, and options of a sandbox.
import { expect, it } from "vitest";

import { findPrograms } from "../../../agent/permission/commands/find-programs.ts";
import { readCommand } from "../../../agent/permission/commands/read-command.ts";

it.each([
  [String.raw`"a\$b"`, "a$b"],
  [String.raw`"a\"b"`, 'a"b'],
  [String.raw`"a\\b"`, String.raw`a\b`],
  [String.raw`"a\xb"`, String.raw`a\xb`],
  ['"a\\\nb"', "ab"],
])("in quotes %s is the text %s", (quoted, text) => {
  const [part] = readCommand(`echo ${quoted}`).parts;

  expect(part?.words.map((word) => word.text)).toEqual(["echo", text]);
});

it.each([
  ["bwrap --ro-bind / / rm $X", ["bwrap", "rm"], true],
  ["bwrap --chdir /x rm *", ["bwrap", "rm"], true],
  ["bwrap --ro-bind / $X rm", ["bwrap"], false],
  ["bwrap --ro-bind / * rm", ["bwrap"], false],
])("in %s the programs are %j, and no others: %s", (text, names, isComplete) => {
  const [part] = readCommand(text).parts;
  const found = part && findPrograms(part);

  expect([found?.programs.map(({ name }) => name), found?.isComplete]).toEqual([names, isComplete]);
});
