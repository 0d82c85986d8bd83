// Generates the table of limits in docs/security/bounds.md from protocol/limits/, so that they are written down once.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import * as agUiLimits from "../protocol/limits/ag-ui.ts";
import * as agentsInCodeLimits from "../protocol/limits/abilities/agents-in-code.ts";
import * as agentMcpLimits from "../protocol/limits/agent-mcp/agent-mcp.ts";
import * as answersLimits from "../protocol/limits/answers.ts";
import * as auditLimits from "../protocol/limits/audit.ts";
import * as authenticationLimits from "../protocol/limits/authentication.ts";
import * as contextLimits from "../protocol/limits/context.ts";
import * as credentialsLimits from "../protocol/limits/credentials.ts";
import * as diagnosticsLimits from "../protocol/limits/diagnostics.ts";
import * as eventLogLimits from "../protocol/limits/event-log.ts";
import * as filesLimits from "../protocol/limits/files.ts";
import * as hooksLimits from "../protocol/limits/abilities/hooks.ts";
import * as idempotencyLimits from "../protocol/limits/idempotency.ts";
import * as inboundLimits from "../protocol/limits/inbound.ts";
import * as mcpAppsLimits from "../protocol/limits/abilities/mcp-apps.ts";
import * as mcpInputLimits from "../protocol/limits/abilities/mcp-inputs.ts";
import * as mcpLimits from "../protocol/limits/abilities/mcp.ts";
import * as mcpSignInLimits from "../protocol/limits/abilities/mcp-sign-in.ts";
import * as mcpTaskLimits from "../protocol/limits/abilities/mcp-tasks.ts";
import * as modelsLimits from "../protocol/limits/models.ts";
import * as permissionRulesLimits from "../protocol/limits/permission-rules.ts";
import * as plansLimits from "../protocol/limits/abilities/plans.ts";
import * as skillsLimits from "../protocol/limits/abilities/skills.ts";
import * as toolGroupsLimits from "../protocol/limits/abilities/tool-groups.ts";
import * as queuesLimits from "../protocol/limits/queues.ts";
import * as quotasLimits from "../protocol/limits/quotas.ts";
import * as readsLimits from "../protocol/limits/reads.ts";
import * as recoveryLimits from "../protocol/limits/recovery.ts";
import * as repliesLimits from "../protocol/limits/replies.ts";
import * as requestsLimits from "../protocol/limits/requests.ts";
import * as sessionsLimits from "../protocol/limits/sessions.ts";
import * as sharedStateLimits from "../protocol/limits/shared-state.ts";
import * as streamsLimits from "../protocol/limits/streams.ts";
import * as tokenIssuersLimits from "../protocol/limits/agent-mcp/token-issuers.ts";
import * as toolsLimits from "../protocol/limits/tools.ts";
import * as validationLimits from "../protocol/limits/validation.ts";
import * as webhooksLimits from "../protocol/limits/webhooks.ts";

/** By file name. */
const LIMITS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "ag-ui.ts": agUiLimits,
  "abilities/agents-in-code.ts": agentsInCodeLimits,
  "agent-mcp/agent-mcp.ts": agentMcpLimits,
  "agent-mcp/token-issuers.ts": tokenIssuersLimits,
  "answers.ts": answersLimits,
  "audit.ts": auditLimits,
  "authentication.ts": authenticationLimits,
  "context.ts": contextLimits,
  "credentials.ts": credentialsLimits,
  "diagnostics.ts": diagnosticsLimits,
  "event-log.ts": eventLogLimits,
  "files.ts": filesLimits,
  "abilities/hooks.ts": hooksLimits,
  "idempotency.ts": idempotencyLimits,
  "inbound.ts": inboundLimits,
  "abilities/mcp.ts": mcpLimits,
  "abilities/mcp-apps.ts": mcpAppsLimits,
  "abilities/mcp-inputs.ts": mcpInputLimits,
  "abilities/mcp-sign-in.ts": mcpSignInLimits,
  "abilities/mcp-tasks.ts": mcpTaskLimits,
  "models.ts": modelsLimits,
  "permission-rules.ts": permissionRulesLimits,
  "abilities/plans.ts": plansLimits,
  "abilities/skills.ts": skillsLimits,
  "abilities/tool-groups.ts": toolGroupsLimits,
  "queues.ts": queuesLimits,
  "quotas.ts": quotasLimits,
  "reads.ts": readsLimits,
  "recovery.ts": recoveryLimits,
  "replies.ts": repliesLimits,
  "requests.ts": requestsLimits,
  "sessions.ts": sessionsLimits,
  "shared-state.ts": sharedStateLimits,
  "streams.ts": streamsLimits,
  "tools.ts": toolsLimits,
  "validation.ts": validationLimits,
  "webhooks.ts": webhooksLimits,
};
const FOLDER = fileURLToPath(new URL("../protocol/limits/", import.meta.url));
const BEGIN = "<!-- bounds: written by `npm run docs:limits` -->";
const END = "<!-- end of the bounds -->";
const BOUND = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport const ([A-Z][A-Z_\d]*)\b/g;

/**
 * The page with an up-to-date table.
 * @param page Markdown with both marks.
 * @throws when a mark is missing, a limit has no comment, or a file of limits is not imported here.
 */
export function withBounds(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${describeBounds()}\n\n${page.slice(end)}`;
}

function describeBounds(): string {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
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
  // A module's members are sorted by name; the table uses the order of the file.
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

/** The text of a comment on one line. */
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
