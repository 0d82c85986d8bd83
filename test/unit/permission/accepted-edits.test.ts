// Calls that the mode `accept_edits` allows: commands and tools that change files inside the working directories, and
// nothing else.
import { describe, expect, it } from "vitest";

import { BASH, check, PLAIN, READ, WRITE } from "./permission-tools.ts";

const SITUATION = { mode: "accept_edits", directories: ["/work"] } as const;
const ACCEPTED = {
  behavior: "allow",
  reason: "Changes only files inside the working directories",
};

describe("accept_edits", () => {
  it.each([
    "mkdir a",
    "mkdir -p a/b",
    "touch a b",
    "rm -f a",
    "rm -- -a",
    "rm --interactive a",
    "mv a /work/b",
    "cp -r a b",
    "mkdir a && touch a/b",
    "ls && touch a",
    "touch *.txt",
    "sed s/a/b/ x",
    "sed -i s/a/b/g x",
    "sed -in 3d x",
    "sed -n -i '1,3d' x",
  ])("lets `%s` through", (command) => {
    expect(check(BASH, command, SITUATION)).toMatchObject(ACCEPTED);
  });

  it.each([
    ["a program that may do more", "node a"],
    ["a path outside", "touch /etc/x"],
    ["a path that leads outside", "touch a/../../x"],
    ["the working directory itself", "rm -r /work"],
    ["one path of several outside", "cp a /tmp/b"],
    ["one command of several outside", "touch a && touch /tmp/b"],
    ["one command of several that may do more", "touch a && npm i"],
    ["no path", "mkdir -p"],
    ["a redirection", "touch a > b"],
    ["a variable", "touch $X"],
    ["a variable among the paths", "cp a $X"],
    ["a substitution", "touch $(ls)"],
    ["a wildcard that may mean the parent", "cp .* b"],
    ["a path in an option", "cp --target-directory=/etc a"],
    ["a path behind a short option", "cp -t/etc a"],
    ["a number behind a short option", "mkdir -m777 a"],
    ["an option in capitals", "cp --Force a b"],
    ["a dash in a long option's place", "cp --=x a b"],
    ["a script of sed that writes files", "sed 's/a/b/w /etc/x' x"],
    ["a script of sed that runs commands", "sed 1e x"],
    ["an option of sed that brings a script", "sed -e s/a/b/ x"],
    ["options of sed of which one brings a script", "sed -ie s/a/b/ x"],
    ["an option of sed that brings a script file", "sed -f x y"],
    ["a long option of sed", "sed --expression s/a/b/ x"],
    ["a script of sed without a file", "sed -i s/a/b/"],
    ["text for another shell", "sh -c 'touch a'"],
    ["a command that cannot be read", "touch 'a"],
  ])("asks about %s", (_what, command) => {
    expect(check(BASH, command, SITUATION)).toMatchObject({ behavior: "ask" });
  });

  it("takes `-a` for a path after `--` alone", () => {
    expect(check(BASH, "rm -- -a1", SITUATION)).toMatchObject(ACCEPTED);
    expect(check(BASH, "rm -a1", SITUATION)).toMatchObject({ behavior: "ask" });
  });

  it("is for tools that are declared to edit files, and for paths", () => {
    const inside = "/work/a";

    expect(check(WRITE, inside, SITUATION)).toMatchObject(ACCEPTED);
    expect(check({ ...WRITE, edits_files: false }, inside, SITUATION)).toMatchObject({
      behavior: "ask",
    });
    expect(check({ ...PLAIN, edits_files: true }, inside, SITUATION)).toMatchObject({
      behavior: "ask",
    });
    expect(check(READ, inside, SITUATION)).toMatchObject({ behavior: "allow" });
  });

  it("has everything inside when the root is a working directory", () => {
    const situation = { ...SITUATION, directories: ["/"] };

    expect(check(WRITE, "/tmp/a", situation)).toMatchObject(ACCEPTED);
    expect(check(BASH, "touch /tmp/a", situation)).toMatchObject(ACCEPTED);
  });

  it("lets nothing through without working directories", () => {
    expect(check(BASH, "touch a", { mode: "accept_edits" })).toMatchObject({ behavior: "ask" });
    expect(check(WRITE, "/a", { mode: "accept_edits" })).toMatchObject({ behavior: "ask" });
  });
});
