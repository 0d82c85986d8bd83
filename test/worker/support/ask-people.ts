// Promises of the document about answers from outside, asked of the platform.
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { SessionRule } from "../../../protocol/permission/contract.ts";
import type { PendingCall } from "../../../protocol/replies/contract.ts";
import { MAX_RULES } from "../../../protocol/permission/limits.ts";
import { ask } from "./api.ts";
import type { DocumentedApi } from "./documented-api.ts";
import { confirmation, externalResults, LABEL, openParked, REFUND } from "./parked-session.ts";

const STREAM = { Accept: "text/event-stream" };
const RULE = { tool_name: "refund_order", rule_content: null, behavior: "allow" };

export async function askPeople(api: DocumentedApi): Promise<void> {
  await askForAnswers(api);
  await askForRefusals(api);
  await askForRules(api);
  await askForMany(api);
}

async function askForAnswers(api: DocumentedApi): Promise<void> {
  const parked = await openParked(`${REFUND}\n/say Now the label.\n${LABEL}`);
  const { reply, call, pending } = parked;
  const place = { session_id: parked.session.id };
  const edited = { ...pending[0]!.tool_call, input: '{"order_id":"A-1001"}' };
  const json = {
    ...confirmation(reply, []),
    confirm_results: [{ confirmed: true, tool_call: edited }],
  };
  await api.ask("postEvent", place, { ...call, json, headers: STREAM });
  await api.ask("postEvent", place, { ...call, json });
  await api.ask("postEvent", place, {
    ...call,
    json: confirmation(reply, pending, { confirmed: false }),
  });
  await api.ask("listDecisions", { ...place, query: "?limit=1" }, call);

  const interrupt = { type: "USER_INTERRUPT", reply_id: reply.id };
  await api.ask("postEvent", place, { ...call, json: interrupt });
  const idle = await ask<{ id: string }>("POST", "/v1/sessions", {
    ...call,
    json: { agent_id: parked.agent.id },
  });
  await api.ask(
    "postEvent",
    { session_id: idle.json.id },
    { ...call, json: interrupt, headers: STREAM },
  );
}

/** Every refusal of an answer, of one call that goes on waiting. */
async function askForRefusals(api: DocumentedApi): Promise<void> {
  const parked = await openParked();
  const { reply, call, pending, path } = parked;
  const place = { session_id: parked.session.id };
  const [{ tool_call, input_hash }] = pending as [PendingCall];
  const answer = (changes: object, rest: object = {}, metadata: object = {}) => ({
    ...confirmation(reply, []),
    metadata,
    confirm_results: [{ confirmed: true, tool_call: { ...tool_call, ...changes }, ...rest }],
  });
  const hash = (value: unknown) => ({ input_hashes: { [tool_call.id]: value } });
  const narrow = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
    ...call,
    json: { scopes: ["confirmations:write"] },
  });
  const app = await ask<ClientToken>("POST", `${path}/tokens`, {
    ...call,
    json: { verbs: ["confirm"] },
  });
  const token = { key: app.json.token };
  const page = await ask<ClientToken>("POST", `${path}/tokens`, {
    ...call,
    json: { verbs: ["confirm"], allowed_origins: ["https://app.example"] },
  });

  const posts = [
    { ...call, json: externalResults(reply, pending) },
    { ...call, json: answer({ name: "print_label" }) },
    { ...call, json: answer({ input: '{"order_id":7}' }) },
    { ...call, json: answer({}, {}, hash(`sha256:${"0".repeat(64)}`)) },
    { key: narrow.json.api_key, json: answer({}, { rules: [{ ...RULE, rule_content: "A-2" }] }) },
    { ...token, json: answer({}) },
    { ...token, json: answer({}, { rules: [RULE] }, hash(input_hash)) },
    { ...token, json: answer({ input: '{"order_id":"A-2"}' }, {}, hash(input_hash)) },
    { ...token, json: { type: "USER_INTERRUPT", reply_id: reply.id } },
    { key: page.json.token, json: answer({}) },
  ];
  for (const post of posts) await api.ask("postEvent", place, post);
  const rules = [{ ...RULE, behavior: "deny" }];
  await api.ask("createPermissionRules", place, { ...call, json: { rules } });
  await api.ask("postEvent", place, { ...call, json: answer({}) });
}

async function askForRules(api: DocumentedApi): Promise<void> {
  const { call, session } = await openParked();
  const place = { session_id: session.id };
  const rules = Array.from({ length: MAX_RULES }, (_, index) => {
    return { ...RULE, rule_content: String(index) };
  });
  const json = { tool_name: "refund_order", input: { order_id: "A-1001" } };
  const added = await api.ask<{ data: readonly SessionRule[] }>("createPermissionRules", place, {
    ...call,
    json: { rules },
  });
  await api.ask("createPermissionRules", place, { ...call, json: { rules: [RULE] } });
  await api.ask("listPermissionRules", place, call);
  await api.ask("testPermissionRules", place, { ...call, json });
  await api.ask("deletePermissionRule", { ...place, rule_id: added.json.data[0]!.id ?? "" }, call);
}

async function askForMany(api: DocumentedApi): Promise<void> {
  const { call, session, reply, pending } = await openParked();
  await api.ask("listTenantDecisions", { query: "?behavior=ask&limit=1" }, call);
  await api.ask("listConfirmations", { query: "?kind=permission&limit=1" }, call);
  const event = confirmation(reply, pending);
  const json = {
    answers: [
      { session_id: session.id, event },
      { session_id: "ses_1", event },
    ],
  };
  await api.ask("answerConfirmations", {}, { ...call, json });
}
