// Every code of protocol/errors.ts stands on docs/api/errors.md, with its status and its title.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { ERRORS } from "../../../protocol/errors.ts";

const PAGE = readFileSync(new URL("../../../docs/api/errors.md", import.meta.url), "utf8");

test("docs/api/errors.md has every error code, and says what to do", () => {
  const rows = PAGE.split("\n").filter((line) => /^\| `\w+` \| \d/.test(line));
  const cells = rows.map((row) => row.split(" | "));

  expect(cells.map(([code, status, title]) => [code, status, title])).toEqual(
    Object.entries(ERRORS).map(([code, { status, title }]) => [
      `| \`${code}\``,
      `${status}`,
      title,
    ]),
  );
  expect(cells.filter(([, , , remedy = "|"]) => remedy.length < 10)).toEqual([]);
});
