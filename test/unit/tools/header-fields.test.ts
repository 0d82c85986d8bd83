import { describe, expect, it } from "vitest";

import { HttpToolSchema } from "../../../protocol/tools/http-tool.ts";

function problemsOf(headers: Record<string, unknown>): string[] {
  const tool = { type: "http", name: "look_up", url: "https://shop.example/tool", headers };
  const { error } = HttpToolSchema.safeParse(tool);
  return (error?.issues ?? []).map((issue) => issue.path.join("/"));
}

describe("the headers of an http tool", () => {
  it.each([
    {},
    { "x-shop": "Cups & more, 38.00 EUR" },
    { "X-Empty": "" },
    { "!#$%&'*+-.^_`|~09aZ": "token" },
    { long: "x".repeat(4_096) },
    Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`x-${index}`, "1"])),
  ])("are taken when HTTP can carry them: %o", (headers) => {
    expect(problemsOf(headers)).toEqual([]);
  });

  it.each([
    ["a name with a space", { "x shop": "1" }, ["headers/x shop"]],
    ["an empty name", { "": "1" }, ["headers/"]],
    ["a name with a colon", { "x:": "1" }, ["headers/x:"]],
    ["a name that is not ASCII", { "x-größe": "1" }, ["headers/x-größe"]],
    ["a line break", { "x-shop": "1\r\nx-admin: true" }, ["headers/x-shop"]],
    ["a NUL", { "x-shop": "1\0" }, ["headers/x-shop"]],
    ["a value that is not ASCII", { "x-shop": "Tassenläden" }, ["headers/x-shop"]],
    ["a space at an end", { "x-shop": "1 " }, ["headers/x-shop"]],
    ["a value too long", { "x-shop": "x".repeat(4_097) }, ["headers/x-shop"]],
    ["a number", { "x-shop": 1 }, ["headers/x-shop"]],
    ["the same name twice", { "x-shop": "1", "X-Shop": "2" }, ["headers"]],
    [
      "too many",
      Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`x-${index}`, "1"])),
      ["headers"],
    ],
  ])("are refused where they stand: %s", (_case, headers, places) => {
    expect(problemsOf(headers)).toEqual(places);
  });
});
