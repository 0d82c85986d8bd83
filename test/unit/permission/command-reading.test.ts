// Reading of a command: its parts, and the words that may be the program that runs.
import { describe, expect, it } from "vitest";

import { findPrograms } from "../../../agent/permission/commands/find-programs.ts";
import { readCommand } from "../../../agent/permission/commands/read-command.ts";

function programsOf(text: string): readonly string[] {
  const [part] = readCommand(text).parts;
  if (!part) return [];
  const { programs, isComplete } = findPrograms(part);
  return [...programs.map(({ name }) => name), ...(isComplete ? [] : ["and others"])];
}

describe("the constructs of a command", () => {
  it.each([
    ["ls", []],
    ["echo if", []],
    ["if true; then ls; fi", ["control_flow"]],
    ["for x in a b; do ls; done", ["control_flow"]],
    ["{ ls; }", ["control_flow"]],
    ["! ls", ["control_flow"]],
    ["coproc ls", ["control_flow"]],
    ["function f", ["function_definition"]],
    ["echo function", []],
    ["[ -f x ]", ["test_command"]],
    ["[[ -f x ]]", ["test_command"]],
    ["test -f x", ["test_command"]],
    ["echo test", []],
    ["echo $X", ["simple_expansion"]],
    ["echo $(ls)", ["command_substitution"]],
    ["echo `ls`", ["command_substitution"]],
  ])("%s: %j", (text, constructs) => {
    expect([...readCommand(text).constructs]).toEqual(constructs);
  });
});

describe("the programs of a command", () => {
  it.each([
    ["ls -l", ["ls"]],
    ["X=1 ls", ["ls"]],
    ["X=1", []],
    ["/bin/LS", ["ls"]],
    ["$X a", [""]],
    ["sudo ls", ["sudo", "ls"]],
    ["sudo -u root ls", ["sudo", "root", "ls"]],
    ["sudo -- ls x", ["sudo", "ls"]],
    ["sudo -u -- ls x", ["sudo", "ls"]],
    ["env X=1 ls", ["env", "ls"]],
    ["timeout 5 ls", ["timeout", "5", "ls"]],
    ["timeout -k 1 5 ls x", ["timeout", "1", "5", "ls"]],
    [String.raw`find . -exec ls a \; -ok rm b \;`, ["find", "ls", "rm"]],
    ["find -exec", ["find"]],
    ["bwrap --ro-bind / / ls x", ["bwrap", "ls"]],
    ["tmux new-session ls", ["tmux", "new-session", "ls"]],
    ["tmux ls", ["tmux"]],
    ["nice nice nice nice nice nice nice ls", [...Array<string>(7).fill("nice"), "ls"]],
    [
      "nice nice nice nice nice nice nice nice ls",
      [...Array<string>(8).fill("nice"), "and others"],
    ],
    ["sudo -a a -b b -c c -d d -e e -f f -g g -h h", ["sudo", ..."abcdefg", "and others"]],
  ])("%s: %j", (text, programs) => {
    expect(programsOf(text)).toEqual(programs);
  });
});
