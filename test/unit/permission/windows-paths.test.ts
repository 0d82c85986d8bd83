// Spellings of one path that Windows and its file systems take.
import { describe, expect, it } from "vitest";

import { check, WRITE } from "./permission-tools.ts";

describe("a rule for a path on Windows", () => {
  const behaviors = (rule: string, paths: readonly string[], directories: string[] = []) =>
    paths.map((path) => check(WRITE, path, { rules: [rule], directories }).behavior);
  const spellings = [
    "/secret/x",
    "C:/secret/x",
    "c:/secret/x",
    "C:\\secret\\x",
    "C:\\secret/x",
    "C:%5Csecret%5Cx",
    "C%3A/secret/x",
    "file:///C:/secret/x",
    "/C:/secret/x",
    "\\\\?\\C:\\secret\\x",
    "//./C:/secret/x",
    "\\\\localhost\\c$\\secret\\x",
    "/secret./x",
    "/secret. . /x",
    "/secret /x",
    "/secret/x.",
    "/secret/x ",
    "/secret/x::$DATA",
    "/secret/x::$data",
    "/secret/x::$DATA. ",
    "/secret/x:stream:$DATA",
    "/secret/x.::$DATA",
    "/secret::$INDEX_ALLOCATION/x",
    "/secret:$I30:$INDEX_ALLOCATION/x",
    "C:\\secret.\\x::$DATA",
    "/open/.. /secret/x",
  ];

  it.each([
    "deny Write /secret/x",
    "deny Write /secret/**",
    "deny Write C:/secret/x",
    "deny Write C:\\secret\\**",
    "deny Write C:\\secret\\x::$DATA",
    "deny Write /secret./x",
  ])("%s holds for every spelling", (rule) => {
    const dodging = spellings.filter((path) => behaviors(rule, [path])[0] !== "deny");

    expect(dodging).toEqual([]);
  });

  it("holds for a path without a root on a drive, which begins at the working directory", () => {
    expect(behaviors("deny Write /work/x", ["C:x", "C:.\\x"], ["/work"])).toEqual(["deny", "deny"]);
  });

  it("allows nothing that one of the readings leads out of", () => {
    const paths = ["/open./x", "/open/.. /x", "C:/open/x", "/open/x/..::$DATA/../y", "D:x"];

    expect(behaviors("allow Write /open/*", paths)).toEqual(["ask", "ask", "ask", "ask", "ask"]);
    expect(behaviors("allow Write /open/x", ["/open/x.", "/open/x::$DATA"])).toEqual([
      "ask",
      "ask",
    ]);
  });

  it("lets names be in which colons and dots mean nothing else", () => {
    const paths = ["/open/12:30.log", "/open/a.b.log", "/open/.hidden.log", "/open/price:$5.log"];

    expect(behaviors("allow Write /open/*.log", paths)).toEqual([
      "allow",
      "allow",
      "allow",
      "allow",
    ]);
    expect(behaviors("deny Write /secret/**", ["/secrets/x", "/ab:/secret", "/.secret/x"])).toEqual(
      ["ask", "ask", "ask"],
    );
  });

  it("leaves a pattern of names that end in a dot what it is", () => {
    expect(behaviors("deny Write /secret/*.", ["/secret/x.", "/secret/x"])).toEqual([
      "deny",
      "ask",
    ]);
  });

  it("is read as quickly when it is made of nothing but dots, spaces and colons", () => {
    const paths = [". ", "..", ":", ":$", "./ /"].map((text) => `/${text.repeat(8_000)}x`);

    expect(behaviors("deny Write /secret/**", paths)).not.toContain("deny");
  });
});
