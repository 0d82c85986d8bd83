// The line that the local console shows for a failure.
import { expect, test } from "vitest";

import { failureLine } from "../../../scripts/failure-line.ts";

const failure = {
  log: "reply_failed",
  at: "2026-11-23T05:06:07.890Z",
  tenant_id: "ten_1",
  session_id: "ses_1",
  reply_id: "rep_1",
  what: "The model endpoint models.example answered 401",
  http_status: 401,
  hint: "Check the credential crd_1.",
};

test("a failure is one line with time, session, reply, what, status and hint", () => {
  expect(failureLine(JSON.stringify(failure))).toBe(
    "05:06:07 reply failed · ses_1 · rep_1 · The model endpoint models.example answered 401 → Check the credential crd_1.",
  );
});

test("a status that the sentence does not tell is added", () => {
  const what = "The model endpoint models.example closed the connection";

  expect(failureLine(JSON.stringify({ ...failure, what, http_status: 200 }))).toContain(
    "closed the connection, HTTP 200 → ",
  );
});

test("what a server or a definition has smuggled into it cannot add a line or colour one", () => {
  const what = "a\nb\r\n05:00:00 reply failed \u001b[31m\u009b2J\u202e\u2028end";

  const shown = failureLine(JSON.stringify({ ...failure, what }));

  // oxlint-disable-next-line no-control-regex
  expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
});

test.each([
  "webhooks: delivery attempt failed on our side; will retry",
  '{"log":"other"}',
  '{"log":"reply_failed"}',
  '{"log":"reply_failed","at":1}',
  '{"log":"toString"}',
  '{"log":"',
  "",
])("%j is shown as it is", (message) => {
  expect(failureLine(message)).toBe(message);
});
