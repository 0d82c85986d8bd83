// The document against the platform: what it promises is asked for, and what comes back is held against it.
import { beforeAll, describe, expect, test } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { OpenApiDocument } from "../../../openapi/document-types.ts";
import {
  BODY_BYTES,
  PATH_PARAMETERS,
  ROUTES,
  type Route,
  type RouteName,
} from "../../../protocol/routes.ts";
import { listenToLog } from "../../support/hear-log.ts";
import { askForPromises } from "../../tenancy/concepts.ts";
import { ask, makeTenant, OPERATOR, type Call } from "../support/api.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { DocumentedApi } from "../support/documented-api.ts";
import { REFUSING_HOOK } from "../support/refusing-hook.ts";

const MISSING = "0".repeat(26);
const rows = ROUTES as readonly (Route & { name: RouteName })[];
/** Ids that have the right form and do not exist. */
const NOWHERE = Object.fromEntries(
  Object.entries(PATH_PARAMETERS).map(([name, form]) => [
    name,
    form === "number" ? "9" : `${form}_${MISSING}`,
  ]),
);

/**
 * Promises that no test asks for here: two failures of the platform's own, too many requests, repeated requests, a
 * deletion of more than 100 sessions, a race of two changes, a session that waits, 200 open streams, a message of nine megabytes, and a session that cannot
 * be read. Their suites are others.
 */
const UNASKED = [
  ...rows.map(({ name }) => `${name} internal`),
  ...rows
    .filter(({ access, is_signed, is_limited }) => access !== "public" || is_signed || is_limited)
    .flatMap(({ name }) => [`${name} unavailable`, `${name} rate_limited`]),
  // test/tenancy/suspended.test.ts asks each of them.
  ...rows
    .filter(({ access, is_signed }) => access !== "operator" && (access !== "public" || is_signed))
    .map(({ name }) => `${name} tenant_suspended`),
  // Signing in needs an authorization server, and its page is no JSON: test/conformance/mcp/sign-in.test.ts.
  "showSignIn 200",
  "showIssuerSignIn 200",
  "completeConnection 200",
  "completeConnection mcp_failed",
  ...rows
    .filter(({ keeps_keys }) => keeps_keys !== undefined)
    .flatMap(({ name }) => [`${name} idempotency_in_flight`, `${name} idempotency_key_reused`]),
  // test/worker/requests/idempotency-kept.test.ts.
  ...rows
    .filter(({ keeps_keys }) => keeps_keys === "database")
    .map(({ name }) => `${name} answer_not_kept`),
  ...rows
    .filter(({ path, method }) => path.includes("{session_id}") && method !== "DELETE")
    .map(({ name }) => `${name} session_unreadable`),
  // test/conformance/replay/replays-hostile.test.ts; and as for the routes of a session.
  "createReplay replay_running",
  "createReplay session_unreadable",
  "callTool session_unreadable",
  "createReply reply_awaiting",
  "createReply too_many_subscribers",
  "postEvent too_many_subscribers",
  "runAgUi cursor_ahead",
  "runAgUi too_many_subscribers",
  "joinAgUi too_many_subscribers",
  "deleteTenant 202",
  "forkSession message_too_large",
  "restoreSession conflict",
  "runAgUi message_too_large",
  // A call that continues with its task of MCP at this moment.
  "cancelTask conflict",
  "readEvents too_many_subscribers",
  "readRoomEvents too_many_subscribers",
  "runRoomAgUi too_many_subscribers",
  // test/conformance/rooms/speaking-room.test.ts.
  "addRoomParticipant voice_off",
  "createRoom voice_off",
  "openRoomVoice verb_missing",
  // As for the event that is posted to a session; the last two are races of two answers.
  "postRoomEvent tool_name_changed",
  "postRoomEvent edited_input_invalid",
  "postRoomEvent input_hash_missing",
  "postRoomEvent input_hash_mismatch",
  "postRoomEvent denied_by_rule",
  "postRoomEvent rule_not_suggested",
  "postRoomEvent rules_forbidden",
  "runRoomAgUi call_not_pending",
  "runRoomAgUi confirmation_used",
  // test/conformance/agent-mcp/agent-mcp-streams.test.ts.
  "resumeAgentMcp 200",
  "updateAgent conflict",
  // test/worker/sign-in-providers/providers.test.ts: the last owner signs in there.
  "deleteSignInProvider conflict",
  // test/worker/sign-in-providers/operator-sign-in.test.ts: likewise.
  "deleteOperatorSignInProvider conflict",
];

let api: DocumentedApi;
let said: readonly unknown[];

deployHook(REFUSING_HOOK);
beforeAll(async () => {
  const log = listenToLog();
  api = new DocumentedApi((await ask<OpenApiDocument>("GET", "/openapi.json")).json);
  await askForPromises(api);
  for (const route of rows) await askForRefusals(route);
  log.stop();
  said = log.said;
});

describe("/openapi.json", () => {
  test("is true of every answer", () => {
    expect(api.misfits).toEqual([]);
  });

  test("is asked for no failure but of a summary and of tools at addresses of nobody", () => {
    const names = said.map((words) => (typeof words === "string" ? words : Object(words).log));

    expect(new Set(names)).toEqual(new Set(["a summary could not be made", "tool_call_failed"]));
  });

  test("promises nothing that does not come", () => {
    // Quotas: test/tenancy/quotas.test.ts, test/worker/quotas/quotas.test.ts and database-bytes.test.ts.
    const unseen = api
      .promised()
      .filter((promise) => !api.seen.has(promise) && !promise.endsWith(" quota_exceeded"));

    expect(unseen.sort()).toEqual(UNASKED.sort());
  });

  test.each(["/openapi.json", "/llms.txt", "/docs"])(
    "%s can be kept, and shown by any page",
    async (path) => {
      const first = await ask("GET", path);
      const etag = first.headers.get("ETag")!;
      const others = await Promise.all(
        [`W/${etag}`, `"other", ${etag}`, "*", '"other"'].map((tag) =>
          ask("GET", path, { headers: { "If-None-Match": tag } }),
        ),
      );

      expect(others.map(({ status }) => status)).toEqual([304, 304, 304, 200]);
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      expect([
        first.headers.get("Cache-Control"),
        first.headers.get("Access-Control-Allow-Origin"),
      ]).toEqual(["public, max-age=300", "*"]);
    },
  );
});

/** Refusals that the table, the query and the body imply: asked of every route alike. */
async function askForRefusals(route: (typeof rows)[number]): Promise<void> {
  const { name, access, body, path, keeps_keys } = route;
  if (access === "public") return;
  const { call: tenantCall } = await makeTenant();
  const call = access === "operator" ? OPERATOR : tenantCall;
  const scopes = [access === "webhooks:read" ? "webhooks:write" : "webhooks:read"];
  const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
    ...tenantCall,
    json: { scopes },
  });
  const json = body === "none" ? undefined : api.exampleOf(name);

  await api.ask(name, NOWHERE, { json });
  await api.ask(name, NOWHERE, { key: narrow.json.api_key, json });
  if (path.includes("{") || name === "createSession")
    await api.ask(name, NOWHERE, { ...call, json });
  if (keeps_keys) {
    await api.ask(name, NOWHERE, { ...call, json, headers: { "Idempotency-Key": "a b" } });
  }
  if (body === "none") {
    await api.ask(name, { ...NOWHERE, query: "?no_such_parameter=1" }, call);
    return;
  }
  const headers = { "Content-Type": "application/json" };
  const limitBytes = BODY_BYTES[body];
  const bodies: Call[] = [
    { headers, body: "{" },
    { headers, body: '{"no_such_field": 1}' },
    { headers, body: `{"a":${"[".repeat(64)}${"]".repeat(64)}}` },
    { headers, body: `{"a":"${"x".repeat(limitBytes)}"}` },
    { headers: { "Content-Type": "text/plain" }, body: "{}" },
  ];
  for (const refused of bodies) await api.ask(name, NOWHERE, { ...call, ...refused });
}
