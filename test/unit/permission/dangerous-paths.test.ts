import { describe, expect, it } from "vitest";

import { BASH, check, WRITE } from "./permission-tools.ts";

describe("what runs by itself", () => {
  it.each([
    ["/work/.github/workflows/ci.yml", ".github/workflows"],
    ["/work/.github/x/../workflows/ci.yml", ".github/workflows"],
    ["/work/.GitHub./Workflows::$INDEX_ALLOCATION/ci.yml", ".github/workflows"],
    ["C:\\work\\.github\\workflows\\ci.yml", ".github/workflows"],
    ["/work/.github", ".github/workflows"],
    ["/work/GITHUB~1/WORKFL~1/ci.yml", ".github/workflows"],
    ["/work/.husky/pre-commit", ".husky"],
    ["/work/.claude/settings.json", ".claude"],
    ["/work/claude~1/settings.json", "claude~1"],
    ["/work/.mcp.json", ".mcp.json"],
    ["/work/.mcp.json::$DATA", ".mcp.json"],
  ])("%s is asked about", (path, name) => {
    expect(check(WRITE, path, { rules: ["allow Write"] })).toMatchObject({
      behavior: "ask",
      isSafetyAsk: true,
      reason: `Safety: the path leads to ${name}`,
    });
  });

  it("is asked about in a command", () => {
    const commands = [
      "cp a .github/workflows/ci.yml",
      "cp a .github//x/../workflows/ci.yml",
      "cp a .github/work*/ci.yml",
      "cp a .github/$X/ci.yml",
      "mv a .github",
      "cp -r a .github/",
      "echo x > .husky/pre-commit",
      "sed -i s/a/b/ .claude/settings.json",
      "tee .mcp.json",
    ];
    const decided = commands.map((command) => check(BASH, command, { rules: ["allow Bash"] }));

    expect(decided.filter(({ isSafetyAsk }) => !isSafetyAsk)).toEqual([]);
  });

  it("is not what only has a name like it", () => {
    const paths = [
      "/work/.github/CODEOWNERS",
      "/work/.github/workflows.md",
      "/work/github/workflows/x",
      "/work/workflows/ci.yml",
      "/work/mcp.json",
      "/work/.claude.md",
      "/work/husky/x",
    ];
    const decided = paths.map((path) => check(WRITE, path, { rules: ["allow Write"] }).behavior);

    expect(decided).toEqual(paths.map(() => "allow"));
  });
});
