// The bounds of the platform as a table for people, made from where they stand in the code: nobody keeps two lists.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import * as agUiLimits from "../protocol/limits/ag-ui.ts";
import * as answersLimits from "../protocol/limits/answers.ts";
import * as credentialsLimits from "../protocol/limits/credentials.ts";
import * as auditLimits from "../protocol/limits/audit.ts";
import * as durabilityLimits from "../protocol/limits/durability.ts";
import * as idempotencyLimits from "../protocol/limits/idempotency.ts";
import * as inboundLimits from "../protocol/limits/inbound.ts";
import * as modelsLimits from "../protocol/limits/models.ts";
import * as peopleLimits from "../protocol/limits/people.ts";
import * as queuesLimits from "../protocol/limits/queues.ts";
import * as quotasLimits from "../protocol/limits/quotas.ts";
import * as readsLimits from "../protocol/limits/reads.ts";
import * as recoveryLimits from "../protocol/limits/recovery.ts";
import * as requestsLimits from "../protocol/limits/requests.ts";
import * as sessionsLimits from "../protocol/limits/sessions.ts";
import * as stateLimits from "../protocol/limits/state.ts";
import * as validationLimits from "../protocol/limits/validation.ts";
import * as wakingLimits from "../protocol/limits/waking.ts";
import * as webhooksLimits from "../protocol/limits/webhooks.ts";
import * as limits from "../protocol/limits/general.ts";

/** By the name of its file. */
const LIMITS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "ag-ui.ts": agUiLimits,
  "answers.ts": answersLimits,
  "credentials.ts": credentialsLimits,
  "audit.ts": auditLimits,
  "durability.ts": durabilityLimits,
  "idempotency.ts": idempotencyLimits,
  "inbound.ts": inboundLimits,
  "models.ts": modelsLimits,
  "people.ts": peopleLimits,
  "queues.ts": queuesLimits,
  "quotas.ts": quotasLimits,
  "reads.ts": readsLimits,
  "recovery.ts": recoveryLimits,
  "requests.ts": requestsLimits,
  "sessions.ts": sessionsLimits,
  "state.ts": stateLimits,
  "validation.ts": validationLimits,
  "waking.ts": wakingLimits,
  "webhooks.ts": webhooksLimits,
  "general.ts": limits,
};
const FOLDER = fileURLToPath(new URL("../protocol/limits/", import.meta.url));
const BEGIN = "<!-- bounds: written by `npm run docs:limits` -->";
const END = "<!-- end of the bounds -->";
const BOUND = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport const ([A-Z][A-Z_\d]*)\b/g;

/**
 * A page with its table as the code has it now.
 * @param page Markdown that holds both marks.
 * @throws when a mark is missing, a bound has no comment, or a file of bounds is not among those that are read here.
 */
export function withBounds(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${describeBounds()}\n\n${page.slice(end)}`;
}

function describeBounds(): string {
  const files = readdirSync(FOLDER);
  return files.toSorted().map(describeFile).join("\n\n");
}

function describeFile(name: string): string {
  const source = readFileSync(`${FOLDER}${name}`, "utf8");
  const values = LIMITS[name];
  if (!values) throw new Error(`scripts/limits-table.ts has to import protocol/limits/${name}`);
  const comments = new Map(
    [...source.matchAll(BOUND)].map(([, comment = "", bound = ""]) => [bound, plain(comment)]),
  );
  const rows = Object.entries(values).map(([bound, value]) => {
    const comment = comments.get(bound);
    if (comment === undefined) throw new Error(`${name}: ${bound} has no comment before it`);
    return [bound, `| \`${bound}\` | ${show(value)} | ${comment} |`] as const;
  });
  // Members of a module come by name; the file has them in an order that means something.
  const order = [...comments.keys()];
  const sorted = rows.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const [, about = ""] = /^\/\/ (.*(?:\n\/\/ .*)*)/.exec(source) ?? [];
  return [
    `### \`protocol/limits/${name}\``,
    "",
    about.replaceAll("\n// ", " "),
    "",
    "| Bound | Value | Unit and reason |",
    "|---|---:|---|",
    ...sorted.map(([, row]) => row),
  ].join("\n");
}

/** A comment's text in one line. */
function plain(comment: string): string {
  return comment
    .replaceAll(/^\s*\* ?/gm, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .trim();
}

function show(value: unknown): string {
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: 6 });
  if (Array.isArray(value)) return value.map(show).join(", ");
  return `\`${JSON.stringify(value)}\``;
}
