// The playground's requests as code: what is in them is data in each language.
import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { codeOf } from "../../../console/pages/playground/panel/request-code.ts";

const PLACE = { agentId: "agt_1", sessionId: "ses_1" };
const HOSTILE = 'it\'s `$(rm -rf /)` \\ "${x}" */ </script>\nJSON\n';

const REPLY = {
  path: "/v1/sessions/ses_1/replies",
  body: {
    input: { id: "msg_1", content: [{ type: "text", text: HOSTILE }] },
    on_busy: "queue",
    background: true,
    structured_schema: { type: "object" },
  },
};
const ANSWER = {
  path: "/v1/sessions/ses_1/events",
  body: {
    type: "USER_CONFIRM_RESULT",
    reply_id: "rep_1",
    metadata: { reasons: { "call:1": HOSTILE } },
    confirm_results: [
      { confirmed: false, tool_call: { id: "call:1" } },
      { confirmed: true, tool_call: { id: "call_2", input: '{"amount":1}' }, rules: [{ a: 1 }] },
    ],
  },
};

test("curl gets the body as it was sent, whatever is in it", () => {
  const [, command] = /(-d [^]*?)\n\n# Its answer/.exec(codeOf("curl", REPLY, PLACE)) ?? [];
  const said = execFileSync("sh", ["-c", `printf %s ${command?.slice(3)}`], { encoding: "utf8" });

  expect(JSON.parse(said)).toEqual(REPLY.body);
});

test("TypeScript sends the same message and the same answers", () => {
  const reply = codeOf("typescript", REPLY, PLACE);
  const answer = codeOf("typescript", ANSWER, PLACE);

  expect(reply).toContain('const session = reprise.session("ses_1");');
  expect(reply).toContain(JSON.stringify(HOSTILE));
  expect(reply).toContain('"onBusy": "queue"');
  expect(reply).toContain("structuredSchema");
  expect(answer).toContain(
    `await session.confirm("call:1", {\n  "confirmed": false,\n  "reason": ${JSON.stringify(HOSTILE)}\n});`,
  );
  expect(answer).toContain(
    `await session.confirm("call_2", {\n  "confirmed": true,\n  "input": {\n    "amount": 1\n  },`,
  );
});

test("AG-UI adds the message under its id, and answers interrupts by theirs", () => {
  const reply = codeOf("ag-ui", REPLY, PLACE);
  const answer = codeOf("ag-ui", ANSWER, PLACE);

  expect(reply).toContain("/v1/agents/agt_1/ag-ui`");
  expect(reply).toContain(JSON.stringify({ id: "msg_1", role: "user", content: HOSTILE }, null, 2));
  const resume = [
    { interruptId: "rep_1:call:1", status: "resolved", payload: { approved: false } },
    {
      interruptId: "rep_1:call_2",
      status: "resolved",
      payload: { approved: true, editedArgs: { amount: 1 }, rules: [{ a: 1 }] },
    },
  ];
  expect(answer).toContain(`runAgent({ resume: ${JSON.stringify(resume, null, 2)} })`);
});

test("a stop keeps or drops what is queued, and a session is opened as it was", () => {
  const stop = { path: "/v1/sessions/ses_1/interrupt?queued=drop", body: null };
  const open = { path: "/v1/sessions", body: { agent_id: "agt_1" } };

  expect(codeOf("curl", stop, PLACE)).toBe(
    `curl -X POST "$BASE_URL/v1/sessions/ses_1/interrupt?queued=drop" \\\n  -H "Authorization: Bearer $API_KEY"`,
  );
  expect(codeOf("typescript", stop, PLACE)).toContain('session.interrupt({ queued: "drop" });');
  expect(codeOf("ag-ui", stop, PLACE)).toContain('agent.interrupt({ queued: "drop" });');
  expect(codeOf("typescript", open, PLACE)).toContain(
    'reprise.sessions.create({\n  "agent_id": "agt_1"\n});',
  );
});
