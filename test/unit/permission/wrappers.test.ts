// Programs that run what they are given, each in a way of its own.
import { describe, expect, it } from "vitest";

import { BASH, check } from "./permission-tools.ts";

function notDenied(commands: readonly string[]): readonly string[] {
  const situation = { rules: ["deny Bash rm:*"], mode: "bypass" } as const;
  return commands.filter((command) => check(BASH, command, situation).behavior !== "deny");
}

describe("a deny rule for a program", () => {
  it("finds the program in a sandbox, behind an agent for keys and an editor of lines", () => {
    const commands = [
      "bwrap rm x",
      "bwrap --ro-bind /usr /usr rm x",
      "bwrap --unshare-all --bind /a /b --proc /proc --setenv A b -- /bin/rm x",
      "bwrap --overlay /a /b /c rm x",
      "bwrap --bind $A /b rm x",
      "bwrap --not-yet-known x y rm z",
      "bwrap --args 3 ls",
      "sudo bwrap --dev-bind / / rm x",
      "bwrap --tmpfs /tmp bash -c 'rm x'",
      "firejail rm x",
      "firejail --net=none --quiet -- rm x",
      "firejail -c 'rm /tmp/x'",
      "ssh-agent rm x",
      "ssh-agent -t 60 -a /tmp/socket rm x",
      "ssh-agent sh -c 'rm x'",
      "rlwrap rm x",
      "rlwrap -a -C name rm x",
    ];

    expect(notDenied(commands)).toEqual([]);
  });

  it("finds the program in what a terminal multiplexer is to run", () => {
    const commands = [
      "tmux new 'rm x'",
      "tmux new rm x",
      "tmux new-session -d -s work 'rm /tmp/x'",
      "tmux -L socket -f /dev/null new-s -A -s work -c /tmp rm x",
      "tmux neww -n a 'cd /tmp; rm x'",
      "tmux split-window -h 'rm;ls'",
      "tmux respawn-pane -k 'rm x'",
      "tmux run-shell 'rm x'",
      "tmux popup -E 'rm x'",
      "tmux -c 'rm x'",
      "tmux -c'rm x'",
      "tmux -2c'rm x'",
      "tmux send-keys -t work r m Space x Enter",
      "tmux if-shell true 'run-shell \"rm x\"'",
      "tmux attach \\; send-keys 'rm x' Enter",
      "tmux ls -F '#(rm x)'",
      "tmux display-message '#(rm x)'",
      "tmux source-file /tmp/commands",
      "echo 'run-shell \"rm x\"' | tmux -C attach",
      "tmux $X",
      "screen -dm rm x",
      "screen -dmS work sh -c 'rm x'",
      "dtach -n /tmp/socket rm x",
      "abduco -n work rm x",
    ];

    expect(notDenied(commands)).toEqual([]);
  });

  it("sees that another name is given to a program", () => {
    const commands = [
      "hash -p /bin/rm ls; ls x",
      "hash -rp /bin/rm ls",
      "builtin hash -p /bin/rm ls",
      "alias ls=rm; ls x",
      "alias -p ls='rm -i'",
    ];

    expect(notDenied(commands)).toEqual([]);
  });

  it("reads the text that a wrapper hands to a shell whole, wherever it has a slash or an operator", () => {
    const commands = [
      "watch 'rm /tmp/x'",
      "watch 'rm;ls'",
      "ssh host 'rm /tmp/x'",
      "ssh host '/bin/rm /tmp/x && ls /tmp/y'",
      "ssh host 'ls|rm'",
      "parallel 'rm /tmp/{}' ::: a",
    ];

    expect(notDenied(commands)).toEqual([]);
  });

  it("lets an ordinary use of these be", () => {
    const commands = [
      "bwrap --ro-bind / / --dev /dev --unshare-net ls /tmp",
      "firejail --net=none ls",
      "ssh-agent -k",
      "rlwrap sqlite3 /tmp/db",
      "tmux ls",
      "tmux -L socket list-panes -a",
      "tmux attach -t work",
      "tmux kill-session -t work",
      "tmux new -d -s work 'npm start'",
      "tmux",
      "hash -r",
      "alias",
      "ssh host 'ls /tmp/x'",
      "'/opt/My Tools/run' x",
    ];

    expect(notDenied(commands)).toEqual(commands);
  });
});

describe("an allow rule", () => {
  it("grants a wrapper nothing that its text does not say, and is offered for none", () => {
    const rules = ["allow Bash npm:*", "allow Bash ls:*"];
    const commands = ["bwrap --ro-bind / / npm test", "rlwrap npm test", "tmux new npm test"];
    const decided = commands.map((command) => check(BASH, command, { rules }));

    expect(decided.map(({ behavior }) => behavior)).toEqual(["ask", "ask", "ask"]);
    const offered = decided.flatMap(({ suggestedRules }) => suggestedRules);
    expect(offered.map(({ rule_content }) => rule_content)).toEqual(commands);
  });
});
