// A tenant whose quotas are all used up: every route, with a key and with a client token.
import { beforeAll, describe, expect, test } from "vitest";

import { VerbSchema } from "../../protocol/api/client-tokens.ts";
import { COUNTED_QUOTAS } from "../../protocol/api/tenants/quotas.ts";
import { ROUTES } from "../../protocol/api/routes/routes.ts";
import { hearLog } from "../support/hear-log.ts";
import type { Call } from "../worker/support/api.ts";
import { refusalOf } from "../worker/support/api.ts";
import { mintCall } from "../worker/support/client-token.ts";
import { changeTenant, readLimits } from "../worker/support/tenant-use.ts";
import { CASES, findTraces, GUARDED, request } from "./request.ts";
import type { World } from "./world.ts";
import { makeWorld } from "./world.ts";

/** What adds something that is counted, or begins a reply, with the quota that it meets. */
const COUNTED = {
  createApiKey: "api_keys",
  createCredential: "credentials",
  createAgent: "agents",
  updateAgent: "agent_versions",
  createSkill: "skills",
  createSession: "sessions",
  forkSession: "sessions",
  callTool: "running_replies",
  callMcpTool: "running_replies",
  checkAgent: "running_replies",
  compress: "running_replies",
  createReplay: "running_replies",
  createReply: "running_replies",
  runAgUi: "running_replies",
  createWebhookEndpoint: "webhook_endpoints",
  createInboundEndpoint: "inbound_endpoints",
  createMcpServer: "mcp_servers",
} as const;

/** POSTs and PUTs that add nothing that is counted: what is there is changed, answered, tested or given out again. */
const UNCOUNTED: readonly string[] = [
  "answerCallback",
  "answerConfirmations",
  // One for each end user and server, made by their calls.
  "completeConnection",
  "createClientToken",
  // Its rows live for a day at most: those that are over go with new ones.
  "createConsoleLink",
  "createFileLink",
  "createPermissionRules",
  // Its bytes are counted: test/worker/http/skills.test.ts.
  "createSkillVersion",
  "createStreamTicket",
  // Ten at most: test/worker/http/token-issuers.test.ts.
  "createTokenIssuer",
  // The tool that is called decides: test/conformance/agent-mcp.test.ts.
  "callAgentMcp",
  "createTenant",
  "interrupt",
  "observe",
  "postEvent",
  "receiveWebhook",
  "redeliverWebhook",
  "revokeApiKeys",
  "rotateApiKey",
  "rotateInboundSecret",
  "rotateWebhookSecret",
  "simulatePermission",
  "testAgentPermission",
  "testPermissionRules",
  "testWebhookEndpoint",
  // Its bytes are counted: test/worker/files/upload.test.ts.
  "uploadFile",
  "writeHooks",
  "writePlan",
  "writeState",
  "writeToolGroups",
];

const REFUSED = GUARDED.flatMap(([title, tested]) => {
  const quota = (COUNTED as Partial<Record<string, string>>)[tested.route.name];
  return quota === undefined ? [] : [[title, tested, quota] as const];
});
const READS = CASES.filter(
  ([, { route }]) => route.method === "GET" && route.access !== "operator",
);

let world: World;
let token: Call;

beforeAll(async () => {
  world = await makeWorld();
  token = await mintCall(`/v1/sessions/${world.ids.session_id}`, world.call, {
    verbs: VerbSchema.options,
  });
  const none = Object.fromEntries(COUNTED_QUOTAS.map((quota) => [quota, 0]));
  await changeTenant(world.ids.tenant_id, {
    quotas: {
      ...none,
      api_keys: 1,
      stored_bytes: null,
      database_bytes: null,
      running_replies: 0,
      tokens_per_day: 0,
    },
  });
});

describe("a tenant whose quotas are used up", () => {
  test.each(REFUSED)("%s is refused to its key, by name", async (_, tested, quota) => {
    const log = hearLog();

    const answer = await request(tested, world, world.call);

    expect([refusalOf(answer as never), answer.json["quota"]]).toEqual([
      { status: 429, code: "quota_exceeded", pointers: undefined },
      quota,
    ]);
    expect(findTraces(answer, world)).toEqual([]);
    const isSummary = tested.route.name === "compress";
    expect(log).toEqual(isSummary ? ["a summary could not be made"] : []);
  });

  test.each(REFUSED.filter(([, { route }]) => route.verb !== undefined))(
    "%s is refused to its client token",
    async (_, tested, quota) => {
      const answer = await request(tested, world, token);

      expect([answer.status, answer.json["quota"]]).toEqual([429, quota]);
    },
  );

  test("is shown what it has, and nothing was added to it", async () => {
    const before = await readUse();

    const answers = [];
    for (const [title, tested] of READS) {
      answers.push([title, (await request(tested, world, world.call)).status]);
    }

    expect(answers).toEqual(READS.map(([title, { row }]) => [title, row.answers]));
    expect(await readUse()).toEqual(before);
  });

  test("every route that writes is one that is counted or one that adds nothing", () => {
    const writes = ROUTES.filter(({ method }) => method === "POST" || method === "PUT");
    const known = [...Object.keys(COUNTED), ...UNCOUNTED].filter((name) => name !== "updateAgent");

    expect(writes.map(({ name }): string => name).toSorted()).toEqual(known.toSorted());
  });
});

async function readUse() {
  const { used } = await readLimits(world.call);
  return COUNTED_QUOTAS.map((quota) => used[quota]);
}
