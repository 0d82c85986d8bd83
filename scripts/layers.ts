// The directions of imports: which folders a folder may import, and the order of the rooms inside it.
import { CONCEPTS } from "../protocol/concepts.ts";

/** Rooms of concepts in the order of the list, without those that have another place in a folder. */
function conceptsBut(...others: readonly string[]): readonly string[] {
  return CONCEPTS.filter((concept) => !others.includes(concept));
}

/** The folders that each folder of production code may import from, types included. */
export const FOLDER_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  openapi: ["protocol"],
  "sdk/resources": ["*", "mcp"],
  sdk: ["protocol"],
  // The published client alone: the console does what any other app could do.
  console: ["sdk"],
  agent: ["protocol"],
  runtime: ["protocol", "agent"],
  storage: ["protocol"],
  outgoing: ["protocol", "runtime"],
  webhooks: ["protocol", "outgoing"],
  model: ["protocol", "agent", "runtime", "outgoing"],
  demo: ["protocol", "agent", "model"],
  tools: ["protocol", "agent", "runtime", "outgoing", "webhooks"],
  "durable-objects": [
    "protocol",
    "agent",
    "runtime",
    "storage",
    "outgoing",
    "model",
    "demo",
    "tools",
  ],
  worker: [
    "protocol",
    "openapi",
    "agent",
    "runtime",
    "storage",
    "outgoing",
    "webhooks",
    "model",
    "tools",
    "durable-objects",
  ],
};

// The rooms of a folder from the ground up, a line for each layer: a room imports rooms of the layers above its line, and
// none of its own. A file of the folder is named where rooms import it; `*` are all its other files, which may import each
// other, and `*/` all rooms that are not named. `*/limits.ts` are the files of that name in all rooms: numbers and names come before what is made of them.
export const ROOM_LAYERS: Readonly<Record<string, readonly string[]>> = {
  protocol: [
    "messages utf8-bytes.ts ids.ts base64.ts json-object.ts json-shape.ts json-patch.ts field-error.ts warning.ts words",
    "errors.ts data-address.ts file-address.ts refund-desk.ts",
    "events.ts",
    "problem.ts",
    "*/limits.ts",
    "*/events.ts",
    "read-base64.ts",
    "put-right.ts",
    "fold ability-state.ts pattern",
    // The table of dialects has the names of the formats, which contracts take.
    "*/dialects.ts",
    "schemas",
    ...CONCEPTS.slice(0, CONCEPTS.indexOf("webhooks")),
    // Events of all concepts, before the subscriptions to them.
    "*/webhooks.ts",
    ...CONCEPTS.slice(CONCEPTS.indexOf("webhooks")),
    // Routes of a concept may have schemas of concepts after it.
    "*/connection-routes.ts */consolidation-routes.ts */operator-routes.ts */session-routes.ts */task-routes.ts */webhook-routes.ts",
    "*/routes.ts",
    "dialects",
    "*",
  ],
  "protocol/dialects": ["*", "ag-ui", "a2a"],
  "protocol/dialects/ag-ui": ["wire reply-fold.ts", "lanes runs", "called input", "*", "rooms"],
  openapi: ["document-types.ts", "html", "site", "*"],
  agent: [
    "state step-budget.ts exact-number.ts failure-report.ts tool-chunk.ts",
    "json-schema recovery ports.ts tenant-quota.ts media-store.ts skill-library.ts memory-store.ts",
    "json ability.ts sign-in",
    "permission",
    "inputs tool-call advance-fold.ts",
    "model-turn",
    "answers",
    ...conceptsBut("permission", "replay"),
    // The loop gets abilities in a list, and imports none.
    "*/*-ability.ts loop",
    "code",
    "replay warnings",
    "*",
  ],
  "agent/json-schema": ["pattern", "*"],
  "agent/permission": ["patterns", "paths", "commands", "*"],
  model: ["stream presets media-port.ts", "conversation", "openai anthropic scripted", "*"],
  "model/openai": ["openai-client.ts", "cache-key.ts", "responses", "*"],
  tools: [
    "tool-json.ts answer-shape.ts read-answer.ts prepare-request.ts",
    "*/background-calls.ts",
    "run-http-tool.ts probe-http-tool.ts code.ts tool-provider.ts",
    "mcp background",
    "tool-kind.ts",
    "providers hooks agents",
    "*",
  ],
  "tools/mcp": ["oauth", "*"],
  webhooks: ["*", "senders"],
  storage: [
    "secrets",
    "tables */baseline-quotas.ts",
    "*/table.ts */connection-table.ts",
    "statements",
    // Each statement of a request is written with its entry in the audit and its kept answer.
    "audit",
    "requests",
    ...conceptsBut("audit", "requests"),
    "outbox",
    "*",
  ],
  // Handlers of concepts take the whole open session, which is made of lower rooms: a concept is a file of acts/ here.
  "durable-objects": [
    "api bytes",
    "log tenants",
    "tables streams",
    "settings mcp",
    "context",
    "recording",
    "replies",
    "background",
    "sessions",
    "dialects",
    "acts",
    "a2a ag-ui lifecycle replay",
    // The table of acts has those of AG-UI, which use others.
    "*/a2a.ts */ag-ui.ts */session-acts.ts */acts-api.ts */perform-act.ts",
    // Their objects: that of the search asks sessions by their acts.
    "search memory rooms triggers",
    "*",
  ],
  "durable-objects/log": ["delta-form.ts", "pack-frames.ts", "unpack-frames.ts", "condensed", "*"],
  "durable-objects/tables": [
    "a2a-tables.ts outside-tables.ts",
    "session-schema.ts",
    "later mcp",
    "*",
  ],
  worker: [
    "http-error.ts new-id.ts in-background.ts",
    "principal.ts",
    "app-env.ts",
    "objects",
    "configuration",
    "requests",
    "auth",
    ...conceptsBut(
      "requests",
      "console",
      "client-tokens",
      "token-issuers",
      "sign-in-providers",
      "agent-mcp",
      "a2a",
    ),
    "client-tokens token-issuers",
    "sign-in-providers",
    "console",
    "middleware",
    "jobs",
    "handle-error.ts",
    "agent-mcp a2a",
    "*/*routes.ts",
    "documentation",
    "*",
  ],
  // The app knows the list of pages, and no page knows another one or the app.
  console: ["access styles", "components", "pages", "app", "*"],
  "console/components": [
    "format-time.ts copy-button.tsx failure-text.ts read-all.ts",
    "charts diff forms markdown words",
    "inbox quotas tour schema-form",
    "*",
    "list-page many memory message plan plots waiting",
    "called",
  ],
  // No page knows another.
  "console/pages": ["*/", "*"],
  "console/pages/agent": ["a2a mcp replay", "tools", "*"],
  "console/pages/session": ["hooks tools", "*"],
  "console/pages/playground": [
    "sent-request.ts read-json-object.ts long-text.tsx event-log.ts",
    "page-network.ts",
    "playground-context.ts",
    "chat composer panel",
    "*",
  ],
  "sdk/resources": ["*", "mcp"],
  sdk: [
    "transport message",
    "resources webhooks",
    "answers",
    "events",
    "session rooms",
    "store",
    "*",
    "ag-ui react",
  ],
};
