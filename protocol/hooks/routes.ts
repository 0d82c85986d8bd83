// Routes on the hooks of a session.
import {
  HookRemovalQuerySchema,
  SessionHooksSchema,
  SessionHooksWriteSchema,
  WrittenSessionHooksSchema,
} from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { WriteQuerySchema } from "../schemas/write-query.ts";
import { HOOK_WORDS } from "./words.ts";

const guard = {
  type: "http",
  name: "guard",
  point: "pre_acting",
  url: "https://shop.example/hooks/guard",
  timeout_ms: 2_000,
  on_failure: "closed",
};

const HOOK_ROUTES = [
  {
    name: "readHooks",
    method: "GET",
    path: "/v1/sessions/{session_id}/hooks",
    access: "sessions:read",
    body: "none",
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

  {
    name: "writeHooks",
    method: "PUT",
    path: "/v1/sessions/{session_id}/hooks",
    access: "agents:write",
    body: "json",
    tag: "Sessions",
    summary: "Replace the hooks",
    description: [
      "Sets the session's own hooks: what is left out is removed, and an empty list clears them. They hold from the next",
      "reply on; an open one keeps those that it began with. With `If-Match` they are set only at that version, and with",
      "`validate_only=true` not at all. A hook that asks what another one asks too is set and named in `warnings`.",
    ].join(" "),
    query: WriteQuerySchema,
    headers: ["If-Match"],
    request: { json: SessionHooksWriteSchema, examples: ["guardHook"] },
    answers: {
      200: {
        description: "The hooks as they are now, or with `validate_only` as they would be.",
        json: WrittenSessionHooksSchema,
        headers: ["ETag"],
      },
    },
    errors: ["version_mismatch"],
  },

  {
    name: "removeHook",
    method: "DELETE",
    path: "/v1/sessions/{session_id}/hooks/{hook_name}",
    access: "agents:write",
    body: "none",
    tag: "Sessions",
    summary: "Remove a hook",
    description: [
      "One of the session's own, by its name; with `point` where it has that name at several points. The others stay in",
      "their order. An open reply keeps the hooks that it began with. With `If-Match` only at that version.",
    ].join(" "),
    query: HookRemovalQuerySchema,
    headers: ["If-Match"],
    answers: {
      200: {
        description: "The hooks as they are now.",
        json: SessionHooksSchema,
        headers: ["ETag"],
      },
    },
    errors: ["version_mismatch"],
  },
] as const satisfies readonly DocumentedRoute[];

export const HOOK_CONTRACT = {
  routes: HOOK_ROUTES,
  pathParameters: {
    hook_name: { form: "chosen", description: "The name of a hook of the session's own." },
  },
  queryParameters: {
    point: "The point of the hook; needed where the name is at several points.",
  },
  fields: HOOK_WORDS,
  examples: {
    guardHook: { summary: "A guard that is asked before each call", value: { hooks: [guard] } },
    sessionHooks: {
      summary: "A guard of the session",
      value: { hooks: [guard], agent_hooks: [], version: 1 },
    },
  },
} as const satisfies Contract;
