// Every act that gives an agent, a reply or a credential more than it had: who may do it. One row for each; what a new
// feature can loosen is a row here.
import { SCOPES } from "../../../protocol/keys/contract.ts";
import { request } from "../../support/platform-client.ts";
import {
  lookTool,
  make,
  onAgent,
  onCall,
  onPlan,
  onSession,
  onTenant,
  open,
  type Desk,
  type LooseningAct,
} from "./loosening-desk.ts";

/** The credentials that may write a session's plan, of those that may confirm. */
const ACCEPTING = {
  keys: [["replies:write", "sessions:read", "confirmations:write"]],
  token: ["reply", "read", "confirm"],
} as const satisfies Pick<LooseningAct, "keys" | "token">;
const calm = { agent: (desk: Desk) => desk.calmAgentId };
const first = { agent_version: 1 };

export const LOOSENING_ACTS: readonly LooseningAct[] = [
  {
    act: "a session that is opened with a version without a deny rule and a hook",
    prepare: onTenant("POST", "/v1/sessions", (desk: Desk) => ({
      agent_id: desk.agentId,
      ...first,
    })),
    keys: [["sessions:write", "agents:write"]],
  },
  {
    act: "a session that is moved to such a version",
    prepare: onSession("PATCH", "", first),
    keys: [["sessions:write", "agents:write"]],
  },
  {
    act: "a fork with such a version",
    prepare: onSession("POST", "/fork", first),
    keys: [["sessions:write", "agents:write"]],
  },
  {
    act: "a tool of such a version that is called by hand",
    prepare: onTenant("POST", (desk) => `/v1/agents/${desk.agentId}/tools/look_up/call`, {
      version: 1,
      input: {},
    }),
    keys: [["tools:call", "agents:write"]],
  },
  {
    act: "a session that is moved to a version with a looser mode",
    prepare: onSession("PATCH", "", first, calm),
    keys: [["sessions:write", "permission_bypass:write"]],
  },
  {
    act: "a fork with a version of a looser mode",
    prepare: onSession("POST", "/fork", first, calm),
    keys: [["sessions:write", "permission_bypass:write"]],
  },
  {
    act: "a retired version that is brought back",
    async prepare(desk) {
      const sessionId = await open(desk);
      const path = `/v1/agents/${desk.agentId}/versions/1`;
      return { method: "PATCH", path, body: { retired: false }, sessionId };
    },
    keys: [["agents:write"]],
  },
  {
    act: "the mode accept_edits of a session",
    prepare: onSession("PATCH", "", { permission: { mode: "accept_edits" } }),
    keys: [["sessions:write", "permission_rules:write"]],
  },
  {
    act: "the mode bypass of a session",
    prepare: onSession("PATCH", "", { permission: { mode: "bypass" } }),
    keys: [["sessions:write", "permission_rules:write", "permission_bypass:write"]],
  },
  {
    act: "the mode bypass of an agent",
    prepare: onAgent({ permission: { mode: "bypass" } }),
    keys: [["agents:write", "permission_bypass:write"]],
  },
  {
    act: "an agent whose mode bypass holds in spite of untrusted content",
    prepare: onAgent({ permission: { bypass_untrusted: true } }),
    keys: [["agents:write", "permission_bypass:write"]],
  },
  {
    act: "a deny rule that an agent loses",
    prepare: onAgent({ permission: { rules: [] } }),
    keys: [["agents:write"]],
  },
  {
    act: "a hook that an agent loses",
    prepare: onAgent({ hooks: [] }),
    keys: [["agents:write"]],
  },
  {
    act: "the hooks of a session",
    prepare: onSession("PUT", "/hooks", { hooks: [] }),
    keys: [["agents:write"]],
  },
  {
    act: "a hook that a session loses",
    async prepare(desk) {
      const sessionId = await open(desk);
      const path = `/v1/sessions/${sessionId}/hooks`;
      const hook = { type: "http", name: "guard", point: "pre_acting", url: lookTool().url };
      await request("PUT", path, { key: desk.key, body: { hooks: [hook] } });
      return { method: "DELETE", path: `${path}/guard`, sessionId };
    },
    keys: [["agents:write"]],
  },
  {
    act: "tools of a session's own",
    prepare: onSession("PATCH", "", { tools: [lookTool("look_again")] }),
    keys: [["sessions:write", "agents:write"]],
  },
  {
    act: "directories in which a session may change files",
    prepare: onSession("PATCH", "", { working_directories: ["/work"] }),
    keys: [["sessions:write", "permission_rules:write"]],
  },
  {
    act: "a rule of a session that allows",
    prepare: onSession("POST", "/permission-rules", {
      rules: [{ tool_name: "look_up", rule_content: "b", behavior: "allow" }],
    }),
    keys: [["permission_rules:write"]],
  },
  {
    act: "a deny rule that a session loses",
    async prepare(desk) {
      const sessionId = await open(desk);
      const path = `/v1/sessions/${sessionId}/permission-rules`;
      const denied = { tool_name: "look_up", rule_content: "", behavior: "deny" };
      const { data } = await make<{ data: { id: string }[] }>(desk.key, path, { rules: [denied] });
      return { method: "DELETE", path: `${path}/${data[0]?.id}`, sessionId };
    },
    keys: [["permission_rules:write"]],
  },
  {
    act: "a state that is brought in with tool results that somebody vouches for",
    prepare: onSession("PUT", "/state", {
      middle_context: { untrusted_content: { results: [] } },
    }),
    keys: [["sessions:write"]],
  },
  {
    act: "a state that is brought in with rules that allow",
    prepare: onSession("PUT", "/state", {
      permission_context: {
        allow_rules: { look_up: [{ tool_name: "look_up", rule_content: "b", behavior: "allow" }] },
      },
    }),
    keys: [["sessions:write", "permission_rules:write"]],
  },
  {
    act: "a state that is brought in with the mode bypass",
    prepare: onSession("PUT", "/state", { permission_context: { mode: "bypass" } }),
    keys: [["sessions:write", "permission_rules:write", "permission_bypass:write"]],
  },
  {
    act: "a fork",
    prepare: onSession("POST", "/fork", {}),
    keys: [["sessions:write"]],
  },
  {
    act: "a fork that takes the session's own mode along",
    prepare: onSession("POST", "/fork", {}, { settings: { permission: { mode: "accept_edits" } } }),
    keys: [["sessions:write", "permission_rules:write"]],
  },
  {
    act: "a person's step that is finished",
    prepare: onPlan((plan) => ({
      ...plan,
      subtasks: plan.subtasks.map((step) => ({ ...step, state: "done" })),
    })),
    ...ACCEPTING,
  },
  {
    act: "a person's step that is reworded",
    prepare: onPlan((plan) => ({
      ...plan,
      subtasks: plan.subtasks.map((step) => ({ ...step, name: "x" })),
    })),
    ...ACCEPTING,
  },
  {
    act: "a person's step that is deleted",
    prepare: onPlan((plan) => ({ ...plan, subtasks: [] })),
    ...ACCEPTING,
  },
  {
    act: "a plan with a person's step that is taken away",
    prepare: onPlan(() => null),
    ...ACCEPTING,
  },
  {
    act: "another plan in the place of one with a person's step",
    prepare: onPlan(() => ({ name: "Other", subtasks: [] })),
    ...ACCEPTING,
  },
  {
    act: "an earlier plan that is recovered with a person's step done",
    prepare: onPlan(
      (plan) => ({ ...plan, subtasks: plan.subtasks.map((step) => ({ ...step, state: "done" })) }),
      true,
    ),
    ...ACCEPTING,
  },
  {
    act: "a tool group that the agent would have to ask about",
    prepare: onSession("PUT", "/tool-groups", {
      groups: [{ name: "orders", switched: "on" }],
      tools: [],
    }),
    keys: [
      ["replies:write", "sessions:read", "confirmations:write"],
      ["replies:write", "sessions:read", "sessions:write"],
    ],
    token: ["reply", "read", "confirm"],
  },
  {
    act: "a single tool that is switched on",
    prepare: onSession("PUT", "/tool-groups", {
      groups: [],
      tools: [{ name: "look_up", switched: "on" }],
    }),
    keys: [["replies:write", "sessions:read", "sessions:write"]],
  },
  {
    act: "a call that is allowed",
    prepare: onCall({}),
    keys: [["confirmations:write"]],
    token: ["confirm"],
  },
  {
    act: "a call that is allowed with another input",
    prepare: onCall({}, '{"order_id":"A-2"}'),
    keys: [["confirmations:write"]],
    token: ["confirm", "edit"],
  },
  {
    act: "a call that is allowed with a rule of one's own",
    prepare: onCall({
      rules: [{ tool_name: "refund", rule_content: "order_id:A-9", behavior: "allow" }],
    }),
    keys: [["confirmations:write", "permission_rules:write"]],
  },
  {
    act: "a public link to a file",
    async prepare(desk) {
      const sessionId = await open(desk);
      const path = `/v1/files?session_id=${sessionId}&filename=note`;
      const { id } = await make(desk.key, path, { note: "shoes" });
      return { method: "POST", path: `/v1/files/${id}/links`, body: {}, sessionId };
    },
    keys: [["files:read"]],
    token: ["read"],
  },
  {
    act: "a client token that confirms",
    prepare: onSession("POST", "/tokens", { verbs: ["confirm", "edit"] }),
    keys: [["sessions:write", "confirmations:write"]],
  },
  {
    act: "an issuer whose end users confirm",
    prepare: onTenant("POST", "/v1/token-issuers", {
      name: "Sign-in",
      issuer: "https://login.example",
      jwks_url: "https://login.example/keys",
      verbs: ["confirm"],
    }),
    keys: [["keys:write", "sessions:read", "confirmations:write"]],
  },
  {
    act: "a key with the right to bypass",
    prepare: onTenant("POST", "/v1/api-keys", (desk: Desk) => ({
      scopes: ["permission_bypass:write"],
      tenant_id: desk.id,
    })),
    keys: [["keys:write", "permission_bypass:write"]],
    operator: true,
  },
  {
    // With the scopes of its maker; more are refused: test/worker/console/.
    act: "a link to the console",
    prepare: onTenant("POST", "/v1/console-links", {}),
    keys: [["keys:write"]],
    operator: true,
  },
  {
    act: "a new secret of a key with every scope",
    prepare: onTenant(
      "POST",
      async ({ key, id: tenant_id }) => {
        const made = await make(key, "/v1/api-keys", { tenant_id });
        return `/v1/api-keys/${made.id}/rotate`;
      },
      (desk: Desk) => ({ tenant_id: desk.id }),
    ),
    keys: [SCOPES],
    operator: true,
  },
  {
    act: "another host for a credential",
    prepare: onTenant(
      "PATCH",
      async ({ key }) => {
        const hosts = { allowed_hosts: ["tool.example"] };
        const made = await make(key, "/v1/credentials", {
          name: "Shop",
          type: "tool",
          secret: "s-123456",
          ...hosts,
        });
        return `/v1/credentials/${made.id}`;
      },
      { allowed_hosts: ["tool.example", "other.example"] },
    ),
    keys: [["credentials:write"]],
  },
  {
    act: "an endpoint whose callbacks may edit",
    prepare: onTenant("POST", "/v1/webhook-endpoints", {
      url: "https://shop.example/",
      events: ["*"],
      callback_verbs: ["confirm", "edit", "tool_result"],
    }),
    keys: [["webhooks:write"]],
  },
  {
    act: "an endpoint by which another system answers calls",
    prepare: onTenant("POST", "/v1/inbound-endpoints", { name: "Warehouse" }),
    keys: [["webhooks:write"]],
  },
  {
    act: "more of a quota",
    prepare: onTenant("PATCH", ({ id }) => `/v1/tenants/${id}`, { quotas: { sessions: 200_000 } }),
    keys: [],
    operator: true,
  },
];
