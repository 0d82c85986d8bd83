// The scenarios of MCP's conformance suite for servers: those that an agent's endpoint passes, and those that it cannot
// be asked for, with the reason.
import type { Excluded, Runs } from "./scenario-lists.ts";

const DIAGNOSTIC = "asks for a tool of the suite's own test server";

/** Scenarios that pass, by name. */
export const SERVER_RUNS: Runs = {
  "server-initialize": {},
  "server-session-lifecycle": {},
  "server-stateless": {
    "sep-2575-server-rejects-undeclared-capability": DIAGNOSTIC,
    "sep-2575-missing-capability-http-400": DIAGNOSTIC,
  },
  ping: {},
  "tools-list": {},
  "tools-call-simple-text": {},
  "tools-call-image": {},
  "tools-call-audio": {},
  "tools-call-embedded-resource": {},
  "tools-call-mixed-content": {},
  "tools-call-error": {},
  "tools-call-with-progress": {},
  "server-sse-multiple-streams": {},
  "dns-rebinding-protection": {},
  "http-header-validation": {},
  caching: {
    "sep-2549-prompts-list-caching-hints": "an agent's endpoint has no prompts",
    "sep-2549-resources-list-caching-hints": "an agent's endpoint has no resources",
    "sep-2549-resources-templates-list-caching-hints": "an agent's endpoint has no resources",
  },
  "input-required-result-result-type": {},
  "input-required-result-missing-input-response": {},
  "input-required-result-unsupported-methods": {},
  "input-required-result-tampered-state": {},
  "input-required-result-validate-input": {},
};

export const SERVER_EXCLUDED: readonly Excluded[] = [
  {
    reason: "An agent's endpoint offers tools alone: it has no prompts",
    scenarios: [
      "prompts-list",
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
      "input-required-result-non-tool-request",
      "completion-complete",
    ],
  },
  {
    reason: "It has no resources",
    scenarios: [
      "resources-list",
      "resources-read-text",
      "resources-read-binary",
      "resources-templates-read",
      "resources-subscribe",
      "resources-unsubscribe",
      "sep-2164-resource-not-found",
    ],
  },
  {
    reason: "It sends no log messages; the platform's own logs are not for clients",
    scenarios: ["logging-set-level", "tools-call-with-logging"],
  },
  {
    reason: "It asks no client for a model or for folders",
    scenarios: [
      "tools-call-sampling",
      "input-required-result-basic-sampling",
      "input-required-result-basic-list-roots",
      "input-required-result-multiple-input-requests",
      "input-required-result-capability-check",
    ],
  },
  {
    reason:
      "In the older era what waits is a result, which `resume_<agent>` answers: no elicitation is sent",
    scenarios: [
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
    ],
  },
  {
    reason:
      "They fill in a form of the suite's own; the platform asks for a decision or for a tool's result, and takes no other answer",
    scenarios: [
      "input-required-result-basic-elicitation",
      "input-required-result-request-state",
      "input-required-result-multi-round",
      "input-required-result-ignore-extra-params",
    ],
  },
  {
    reason: "The schemas of its three tools are fixed, and none has such a member",
    scenarios: ["json-schema-2020-12", "http-custom-header-server-validation"],
  },
  {
    reason:
      "It closes no stream before the result; `agent-mcp-streams.test.ts` cuts streams and takes them up again",
    scenarios: ["server-sse-polling"],
  },
  {
    reason: "It is no server of tasks: a reply is followed by `resume_<agent>`",
    scenarios: [
      "tasks-lifecycle",
      "tasks-capability-negotiation",
      "tasks-wire-fields",
      "tasks-request-state-removal",
      "tasks-mrtr-input",
      "tasks-request-headers",
    ],
  },
  {
    reason: "It is no server of tasks: a reply is followed by `resume_<agent>`",
    scenarios: [
      "tasks-dispatch-and-envelope",
      "tasks-status-notifications",
      "tasks-required-task-error",
      "tasks-mrtr-composition",
    ],
  },
  {
    reason: "It is no server of skills",
    scenarios: [
      "sep-2640-skills-directory",
      "sep-2640-skills-enumeration",
      "sep-2640-skills-manifest",
    ],
  },
  {
    reason: "The platform is no authorization server",
    scenarios: ["authorization-server-metadata-endpoint", "authorization-code-grant"],
  },
];
