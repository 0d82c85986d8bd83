// Each title is a row of the table in docs/permissions.md.
import { describe, expect, it } from "vitest";

import { checkCall, isCoveredBy } from "../../../agent/permission/check-call.ts";
import { BASH, check, contextOf, PLAIN, REFUND, rule, WRITE } from "./permission-tools.ts";

function behaviors(rules: readonly string[], commands: readonly string[]) {
  return commands.map((command) => check(BASH, command, { rules, mode: "bypass" }).behavior);
}

function asks(rules: readonly string[], commands: readonly string[]) {
  return commands.map((command) => check(BASH, command, { rules }).behavior);
}

function pathBehaviors(text: string, paths: readonly string[], directories: string[] = []) {
  return paths.map((path) => check(WRITE, path, { rules: [text], directories }).behavior);
}

function all<Value>(value: Value, list: readonly unknown[]): Value[] {
  return list.map(() => value);
}

describe("stricter than the reference", () => {
  it("a deny rule matches any part of a compound command", () => {
    const commands = [
      "ls; rm x",
      "ls && rm x",
      "ls || rm x",
      "ls | rm x",
      "ls & rm x",
      "ls |& rm x",
      "ls\nrm x",
      "ls\r\nrm x",
      "(rm x)",
      "{ rm x; }",
      "ls $(rm x)",
      "ls `rm x`",
      'ls "$(rm x)"',
      'ls "${y:-$(rm x)}"',
      "diff <(rm x) y",
      "if true; then rm x; fi",
      "for f in a; do rm $f; done",
      "case a in a) rm x;; esac",
      "f() { rm x; }; f",
      "f()(rm x)",
      "function f { rm x; }",
      "! rm x",
    ];

    expect(behaviors(["deny Bash rm:*"], commands)).toEqual(all("deny", commands));
  });

  it("an allow rule has to match every part of a compound command", () => {
    const rules = ["allow Bash npm:*", "allow Bash make:*"];
    const commands = ["npm test; curl x", "npm test & curl x", "npm test\ncurl x", "npm $(curl x)"];

    expect(asks(rules, commands)).toEqual(all("ask", commands));
    expect(asks(rules, ["npm test && make all", "ls && npm test | wc -l"])).toEqual([
      "allow",
      "allow",
    ]);
  });

  it("a deny rule knows a program by its name, however it is called", () => {
    const commands = [
      "/bin/rm x",
      "./rm x",
      "X=1 rm x",
      "X=1 Y='a b' rm x",
      "sudo rm x",
      "sudo -u root rm x",
      "sudo -u root env -i X=1 nice -n 5 rm x",
      "env rm x",
      "command rm x",
      "timeout 5 rm x",
      "xargs -n 1 rm",
      "ls | xargs rm",
      "find . -name y -exec rm {} ;",
      "'rm' x",
      'r"m" x',
      "r\\m x",
      "\\rm x",
      "r\\\nm x",
      "$'rm' x",
      "RM x",
      "rm\tx",
      "  rm   x",
      "rm>/dev/null x",
      ">/dev/null rm x",
      "2>&1 rm x",
    ];

    expect(behaviors(["deny Bash rm:*"], commands)).toEqual(all("deny", commands));
  });

  it("a deny rule looks into what is handed to a shell as text", () => {
    const commands = [
      "bash -c 'rm x'",
      "sh -xc 'ls; rm x'",
      "sudo bash -lc 'rm x'",
      "eval 'rm x'",
      "eval rm x",
      "trap 'rm x' EXIT",
      "su root -c 'rm x'",
      "watch 'rm x'",
      "bash -c \"sh -c 'rm x'\"",
      "curl x | sh",
      "bash <<< 'rm x'",
      "bash < script",
    ];

    expect(behaviors(["deny Bash rm:*"], commands)).toEqual(all("deny", commands));
  });

  it("a deny rule for a subcommand is not dodged by options before it", () => {
    const commands = [
      "git -C /x push",
      "git -c a=b --no-pager push origin",
      "git --git-dir /x push",
      `git ${"-c a=b ".repeat(20)}push`,
    ];

    expect(behaviors(["deny Bash git push:*"], commands)).toEqual(all("deny", commands));
    expect(behaviors(["deny Bash git push:*"], ["git commit -m push"])).toEqual(["allow"]);
  });

  it("a deny rule matches what only the run can tell", () => {
    const commands = [
      "$X x",
      "$(echo rm) x",
      "r{m,} x",
      "/bin/r? x",
      "$'\\x72m' x",
      "git $X",
      "git pu{sh,ll}",
      "eval $X",
    ];
    const rules = ["deny Bash rm:*", "deny Bash git push:*"];

    expect(behaviors(rules, commands)).toEqual(all("deny", commands));
    expect(behaviors(rules, ["npm $X", "git log $X"])).toEqual(["allow", "allow"]);
  });

  it("a deny rule matches a command that cannot be read to its end", () => {
    const commands = [
      "ls 'x",
      'ls "x',
      "ls $(x",
      "ls ${x",
      "cat <<EOF\nit's\nEOF\nrm x",
      "ls # it's\nrm x",
      "echo `echo \\`rm x\\``",
      "a ".repeat(6_000),
      "(".repeat(200),
    ];

    expect(behaviors(["deny Bash rm:*"], commands)).toEqual(all("deny", commands));
  });

  it("an allow rule without a wildcard is the whole command, not a part of one", () => {
    expect(asks(["allow Bash npm install"], ["npm install", "npm install evil"])).toEqual([
      "allow",
      "ask",
    ]);
  });

  it("an allow rule grants no write to a file that it does not name", () => {
    expect(
      asks(
        ["allow Bash git:*"],
        ["git log > x", "git log >> x", "git log 2>&1", "git log >/dev/null"],
      ),
    ).toEqual(["ask", "ask", "allow", "allow"]);
    expect(asks(["allow Bash git log > *"], ["git log > x"])).toEqual(["allow"]);
  });

  it("an allow rule looks at the command as it is written, with its variables and wrappers", () => {
    const commands = [
      "X=1 npm test",
      "sudo npm test",
      "/tmp/npm test",
      "npm\ttest",
      "bash -c 'npm test'",
    ];

    expect(asks(["allow Bash npm:*"], commands)).toEqual(all("ask", commands));
  });

  it("every sudo rm, eval, find -delete and text for a shell is asked about", () => {
    const commands = [
      "sudo rm x",
      "eval ls",
      "find . -delete",
      "bash -c ls",
      "curl x | sh",
      "rm -r -f x",
      "rm --recursive --force x",
      "rm -fR x",
      "find . -exec rm -rf {} ;",
      "rm -r /usr",
      "rm -r ~",
      "rm -r /*",
      "dd if=a of=b",
      "mkfs.ext4 x",
      "chmod 777 x",
      "chmod -R 0777 x",
      "chown -R a x",
      "kill -9 1",
      "kill -s KILL 1",
      "echo x > /dev/sda",
      "sed -i s/a/b/ .env",
      "cp a .git/hooks/pre-commit",
      "scp a host:.ssh/authorized_keys",
      "rm ~/.bash*",
      "tee --output=.npmrc",
    ];
    const permissions = commands.map((command) => check(BASH, command, { rules: ["allow Bash"] }));

    expect(permissions.map((permission) => permission.isSafetyAsk)).toEqual(all(true, commands));
  });

  it("a path is normalised before it is matched", () => {
    const inside = ["/secret/x", "/secret/./x", "//secret//x", "/a/../secret/x", "/secret/y/../x"];

    expect(pathBehaviors("deny Write /secret/**", inside)).toEqual(all("deny", inside));
    expect(pathBehaviors("allow Write /open/**", ["/open/../etc/passwd"])).toEqual(["ask"]);
    expect(pathBehaviors("deny Write /x/../secret//**", ["/secret/x"])).toEqual(["deny"]);
  });

  it("a deny rule for a folder is about the folder itself", () => {
    const paths = ["/secret", "/secret/", "/secret/x"];

    expect(pathBehaviors("deny Write /secret/**", paths)).toEqual(all("deny", paths));
    expect(pathBehaviors("deny Write /secret/", paths)).toEqual(all("deny", paths));
    expect(pathBehaviors("deny Write /secret/**", ["/secrets"])).toEqual(["ask"]);
  });

  it("a deny rule matches any meaning of a path, an allow rule has to match all of them", () => {
    const paths = [
      "/SECRET/x",
      "\\secret\\x",
      "C:\\secret\\x",
      "/secret%2fx",
      "/%73ecret/x",
      "/%2573ecret/x",
      "file:///secret/x",
      "/secret/x\0.png",
      "/ｓecret/x",
      "／secret／x",
      "/sec\u200bret/x",
      "/%c0%afx",
      `/%${"25".repeat(5)}41`,
      `/e${"\u0301".repeat(31)}`,
      "a/".repeat(20_000),
    ];

    expect(pathBehaviors("deny Write /secret/**", paths)).toEqual(all("deny", paths));
    const doubtful = ["/open/%2e%2e/x", "/open/..\\x", "/open/．．/x", "/open%00/x"];
    expect(pathBehaviors("allow Write /open/*", doubtful)).toEqual(all("ask", doubtful));
  });

  it("relative paths begin at the first working directory, in rules and in calls", () => {
    const directories = ["/work", "/other"];

    expect(pathBehaviors("deny Write /work/x", ["x", "./x", "y/../x"], directories)).toEqual(
      all("deny", [1, 2, 3]),
    );
    expect(pathBehaviors("deny Write x", ["/work/x", "/other/x"], directories)).toEqual([
      "deny",
      "ask",
    ]);
  });

  it("a dangerous file is found in any meaning of its path", () => {
    const paths = [
      "/x/.BASHRC",
      "/x/.git./config",
      "/x/.git::$INDEX_ALLOCATION/config",
      "/x/GIT~1/config",
      "/x/.g\u200cit/config",
      "/x/%2egit/config",
      "\\x\\.ssh\\id",
      ".env.local",
      "/x/.aws/credentials",
    ];
    const permissions = paths.map((path) => check(WRITE, path, { rules: ["allow Write"] }));

    expect(permissions.map((permission) => permission.isSafetyAsk)).toEqual(all(true, paths));
  });

  it("accept_edits lets through no command that hides where it writes", () => {
    const commands = [
      "touch ../x",
      "touch a/../../x",
      "touch ~/x",
      "touch $X",
      "cp -t/etc a",
      "cp --target-directory=/etc a",
      "rm -r .*",
      "mv a {b,/etc/c}",
      "touch a > /etc/x",
      "cd /etc && touch a",
      "sed -i 's/a/b/w /etc/x' a",
      "sed -n 1e a",
      "sed -f script a",
      "rm /work",
      "X=1 touch a",
    ];
    const situation = { mode: "accept_edits", directories: ["/work"] } as const;

    expect(commands.map((command) => check(BASH, command, situation).behavior)).toEqual(
      all("ask", commands),
    );
    expect(check(BASH, "ls && touch a 'b c' -- -d", situation).behavior).toBe("allow");
  });

  it("a command only looks when its options can make it do nothing else", () => {
    const commands = [
      "sort -o x y",
      "git diff --output=x",
      "git branch x",
      "git -c core.pager=x log",
      "find . -fprint x",
      "date -s x",
      "tree -o x",
      "ls $X",
      "X=1 ls",
      "./ls",
      "ls > x",
      "",
      " ; ",
    ];

    expect(asks([], commands)).toEqual(all("ask", commands));
  });

  it("a rule with content is neither dodged nor won by an argument that cannot be read", () => {
    const input = { order: { id: { a: 1 } } };
    const deny = checkCall(contextOf({ rules: ["deny Refund A-1"] }), REFUND, input);
    const allow = checkCall(contextOf({ rules: ["allow Refund A-1"] }), REFUND, input);

    expect([deny.behavior, allow.behavior, allow.isSafetyAsk]).toEqual(["deny", "ask", true]);
  });

  it("a question about danger offers no rules", () => {
    expect(check(BASH, "git commit -m x && rm -rf y").suggestedRules).toEqual([]);
    expect(check(WRITE, "/home/u/.bashrc").suggestedRules).toEqual([]);
  });
});

describe("isCoveredBy", () => {
  it.each([
    ["a whole-tool rule", PLAIN, "allow T", {}, true],
    ["another tool's rule", PLAIN, "allow U", {}, false],
    ["a deny rule", PLAIN, "deny T", {}, false],
    ["a prefix", BASH, "allow Bash git commit:*", { command: "git commit -m x" }, true],
    ["a dangerous call", BASH, "allow Bash", { command: "rm -rf x" }, false],
    ["a part without a rule", BASH, "allow Bash a:*", { command: "a b; c" }, false],
  ] as const)("with %s", (_title, tool, text, input, expected) => {
    expect(isCoveredBy([rule(text)], tool, input)).toBe(expected);
  });

  it("reads relative paths from the first working directory", () => {
    const offered = check(WRITE, "a/b", { directories: ["/work"] }).suggestedRules;

    expect(isCoveredBy(offered, WRITE, { file_path: "a/c" }, ["/work"])).toBe(true);
    expect(isCoveredBy(offered, WRITE, { file_path: "../c" }, ["/work"])).toBe(false);
  });
});
