import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { buildOpenApiDocument } from "../../../openapi/build-open-api-document.ts";
import { DOCUMENTED_ROUTES } from "../../../openapi/contracts.ts";
import type { Route } from "../../../protocol/routes.ts";

const PAGE = new URL("../../../docs/api/routes.md", import.meta.url);

it("docs/api/routes.md has the route table, with each route's credential and summary", () => {
  const { paths } = buildOpenApiDocument();
  const rows = readFileSync(PAGE, "utf8")
    .split("\n")
    .filter((line) => /^\| `[A-Z]+ \//.test(line));

  expect(rows).toEqual(
    (DOCUMENTED_ROUTES as readonly Route[]).map((route) => {
      const summary = paths[route.path]?.[route.method.toLowerCase()]?.summary;
      return `| \`${route.method} ${route.path}\` | ${needsOf(route)} | ${summary} |`;
    }),
  );
});

function needsOf({ access, operator_right }: Route): string {
  if (access === "public") return "none";
  if (access === "operator") return `operator: \`${operator_right}\``;
  if (access === "input_event") return "the event's scope";
  return operator_right ? `\`${access}\`, operator: \`${operator_right}\`` : `\`${access}\``;
}
