// The names that nobody else may tell events of: all that the platform has, and what may be taken for one.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { isPlatformName } from "../../../protocol/told/platform-names.ts";

const ROOT = new URL("../../../", import.meta.url);

function textOf(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

it("are those of the modules with events of all concepts", () => {
  const modules = readdirSync(new URL("protocol", ROOT), { recursive: true, encoding: "utf8" })
    .filter((path) => /^[a-z-]+\/events\.ts$/.test(path))
    .flatMap((path) => {
      const names = textOf(`protocol/${path}`).matchAll(/^export const [A-Z_]+ =\s+"([^"]+)"/gm);
      return [...names].map(([, name = ""]) => name);
    });

  expect(modules.length).toBeGreaterThan(40);
  expect(modules.filter((name) => !isPlatformName(name))).toEqual([]);
});

it("are those of every CUSTOM event in the pages of the protocol", () => {
  const pages = readdirSync(new URL("docs/protocol", ROOT)).map((page) =>
    textOf(`docs/protocol/${page}`),
  );
  const documented = pages.flatMap((page) =>
    [...page.matchAll(/CUSTOM(?: \{name: "|`? ?)([a-z]+_[a-z_]+)/g)].map(([, name = ""]) => name),
  );

  expect(documented.length).toBeGreaterThan(20);
  expect([...new Set(documented)].filter((name) => !isPlatformName(name))).toEqual([]);
});

it.each([
  "Reply_Recovered",
  "reply recovered",
  "reply-recovered",
  "REPLY.RECOVERED",
  "agentscope.x",
])("also as %s", (name) => {
  expect(isPlatformName(name)).toBe(true);
});

it.each(["search", "parcel_scanned", "order.closed", "my_plan"])("but not %s", (name) => {
  expect(isPlatformName(name)).toBe(false);
});
