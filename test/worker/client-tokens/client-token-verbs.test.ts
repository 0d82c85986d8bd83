// Routes that each verb of a client token opens.
import { describe, expect, test } from "vitest";

import type { Verb } from "../../../protocol/client-tokens/contract.ts";
import { VerbSchema } from "../../../protocol/client-tokens/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, type Call, openSession } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { ALL_ROUTES, addressOf, BODIES, OF_A_FILE } from "../support/token-routes.ts";

const VERBS = VerbSchema.options;
/** Rooms have tokens of their own, and rights over A2A are by method: test/conformance/rooms/, test/conformance/a2a/. */
const OF_SESSIONS = ALL_ROUTES.filter(
  ({ path }) => !path.startsWith("/v1/rooms/") && !/\/a2a|agent-card\.json/.test(path),
);

describe("a client token's verbs", () => {
  test("open the routes that have them and no others", async () => {
    const opened = await openSession();
    const input = { ...opened.call, json: { input: "Hello" } };
    const { json: reply } = await ask<Reply>("POST", `${opened.path}/replies`, input);
    const seen: Record<string, string[]> = {};
    const askAs = async (app: Call, route: (typeof ALL_ROUTES)[number]) => {
      const json = route.body === "none" ? undefined : (BODIES[route.name]?.(reply) ?? {});
      const answer = await ask(route.method, addressOf(route, opened, reply), { ...app, json });
      return answer.json.code ?? String(answer.status);
    };
    // A route that refuses a token without any verb of its own refuses each: access is decided before the verb.
    const [first] = VERBS;
    const app = await mintCall(opened.path, opened.call, { verbs: [first] });
    const forTokens: (typeof ALL_ROUTES)[number][] = [];
    for (const route of OF_SESSIONS) {
      const outcome = await askAs(app, route);
      if (outcome === "insufficient_scope") continue;
      seen[route.name] = [`${first}: ${outcome}`];
      forTokens.push(route);
    }
    for (const verb of VERBS.slice(1)) {
      const other = await mintCall(opened.path, opened.call, { verbs: [verb] });
      for (const route of forTokens) {
        seen[route.name]?.push(`${verb}: ${await askAs(other, route)}`);
      }
    }

    const lacks = (...verbs: Verb[]) =>
      VERBS.map((verb) => `${verb}: ${verbs.includes(verb) ? "200" : "verb_missing"}`);
    const only = (wanted: Verb, outcome: string) =>
      VERBS.map((verb) => `${verb}: ${verb === wanted ? outcome : "verb_missing"}`);
    expect(seen).toEqual({
      readSession: lacks("read"),
      listReplies: lacks("read"),
      readReply: lacks("read"),
      readEvents: lacks("read"),
      listMessages: lacks("read"),
      readMessage: lacks("read"),
      readSharedState: lacks("read"),
      readPlan: lacks("read"),
      readToolGroups: lacks("read"),
      readSessionMcpResource: only("read", "validation_failed"),
      // These four need `reply` and `read`.
      writePlan: lacks(),
      writeToolGroups: lacks(),
      patchSharedState: lacks(),
      runAgUi: lacks(),
      joinAgUi: lacks("read"),
      readAgUiCapabilities: lacks("read"),
      listFiles: lacks("read"),
      ...Object.fromEntries(OF_A_FILE.map((name) => [name, only("read", "not_found")])),
      uploadFile: only("upload", "201"),
      listSessionMemories: only("memory", "conflict"),
      updateSessionMemory: only("memory", "conflict"),
      deleteSessionMemory: only("memory", "conflict"),
      createReply: lacks("reply"),
      interrupt: lacks("interrupt"),
      openVoice: only("speak", "upgrade_required"),
      listTasks: lacks("read"),
      cancelTask: only("interrupt", "not_found"),
      completeConnection: only("tool_result", "not_found"),
      createStreamTicket: only("read", "201"),
      postEvent: only("interrupt", "202"),
    });
  });
});
