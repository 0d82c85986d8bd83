// Hooks of a session, and of agents.
import { SessionHooksSchema, SessionHooksWriteSchema } from "../../../protocol/hooks/contract.ts";
import type { Resource } from "../../resource.ts";

const guard = {
  type: "http",
  name: "guard",
  point: "pre_acting",
  url: "https://shop.example/hooks/guard",
  timeout_ms: 2_000,
  on_failure: "closed",
};

export const HOOKS = {
  operations: {
    readHooks: {
      tag: "Sessions",
      summary: "List the hooks",
      description:
        "The session's own hooks, in the order in which they run, and those of its agent, which run behind them. The version is also the `ETag`.",
      answers: {
        200: {
          description: "The hooks.",
          json: SessionHooksSchema,
          headers: ["ETag"],
          examples: ["sessionHooks"],
        },
      },
    },
    writeHooks: {
      tag: "Sessions",
      summary: "Replace the hooks",
      description: [
        "Sets the session's own hooks: what is left out is removed, and an empty list clears them. They hold from the next",
        "reply on; an open one keeps those that it began with. With `If-Match` they are set only at that version.",
      ].join(" "),
      headers: ["If-Match"],
      request: { json: SessionHooksWriteSchema, examples: ["guardHook"] },
      answers: {
        200: {
          description: "The hooks as they are now.",
          json: SessionHooksSchema,
          headers: ["ETag"],
        },
      },
      errors: ["version_mismatch"],
    },
  },

  fieldDescriptions: {
    "Agent.hooks":
      "Hooks of all its sessions, behind each session's own. In the order in which they run.",
    "SessionHooksWrite.hooks": "All of them, in the order in which they run.",
    "SessionHooks.hooks": "The session's own, in the order in which they run.",
    "SessionHooks.agent_hooks": "Those of its agent, which run behind them.",
    "SessionHooks.version": "The number of changes of the session's own.",
    "HttpHook.name": "Unique among the hooks of its point.",
    "HttpHook.point": "Where it is asked.",
    "HttpHook.url": "The address that questions are posted to.",
    "HttpHook.timeout_ms": "Milliseconds in which it has to answer. 5,000 when left out.",
    "HttpHook.on_failure":
      "Without a valid answer in time: `open` goes on as if there were no hook, `closed` ends the reply. `closed` when left out.",
    "HttpHook.signing_credential_id":
      "A credential of type `tool` whose secret is `whsec_…`: questions are signed with it as Standard Webhooks are.",
    "CodeHook.name": "The name that it is deployed under.",
    "CodeHook.point":
      "Where it is called: one of the points of HTTP hooks, or a layer around the loop.",
    "CodeHook.timeout_ms": "Milliseconds in which it has to answer. 5,000 when left out.",
    "CodeHook.on_failure":
      "Without a valid answer in time: `open` goes on as if there were no hook, `closed` ends the reply. `closed` when left out.",
  },
  examples: {
    guardHook: { summary: "A guard that is asked before each call", value: { hooks: [guard] } },
    sessionHooks: {
      summary: "A guard of the session",
      value: { hooks: [guard], agent_hooks: [], version: 1 },
    },
  },
} as const satisfies Resource;
