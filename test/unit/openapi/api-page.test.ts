import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { buildOpenApiDocument } from "../../../openapi/build-open-api-document.ts";
import { DOCUMENTED_ROUTES } from "../../../openapi/contracts.ts";
import type { DocumentedRoute } from "../../../protocol/requests/contract.ts";
import type { Route } from "../../../protocol/routes.ts";

const OPERATOR_TAGS = ["Tenants", "Operator's people"];

it.each([
  ["docs/api/routes.md", (tag: string) => tag !== "A2A" && !OPERATOR_TAGS.includes(tag)],
  ["docs/a2a/routes.md", (tag: string) => tag === "A2A"],
  ["docs/operator/routes.md", (tag: string) => OPERATOR_TAGS.includes(tag)],
])("%s has its part of the route table, with each route's credential and summary", (page, has) => {
  const { paths } = buildOpenApiDocument();
  const rows = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => /^\| `[A-Z]+ \//.test(line));

  expect(rows).toEqual(
    (DOCUMENTED_ROUTES as readonly DocumentedRoute[])
      .filter(({ tag }) => has(tag))
      .map((route) => {
        const summary = paths[route.path]?.[route.method.toLowerCase()]?.summary;
        return `| \`${route.method} ${route.path}\` | ${needsOf(route)} | ${summary} |`;
      }),
  );
});

function needsOf({ access, operator_right, may_be_public }: Route): string {
  if (access === "public") return "none";
  if (access === "operator") return `operator: \`${operator_right}\``;
  if (access === "input_event") return "the event's scope";
  if (access === "a2a_call") return "the method's scope";
  if (may_be_public) return `none, or \`${access}\``;
  return operator_right ? `\`${access}\`, operator: \`${operator_right}\`` : `\`${access}\``;
}
