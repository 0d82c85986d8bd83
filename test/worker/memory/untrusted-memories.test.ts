// Memories that were made while untrusted content was in the context, in the session that made them and in others.
import { expect, test } from "vitest";

import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";
import { externalResults } from "../support/parked-session.ts";
import { ask } from "../support/api.ts";
import {
  anotherSession,
  hintsOf,
  memoriesOf,
  record,
  recordingsOf,
  remembering,
  remembers,
  resultsOf,
  say,
} from "./remembering.ts";

const AGENT = remembers(
  "both",
  {},
  {
    tools: [
      { type: "external", read_only: true, name: "read_mail", returns_untrusted: true },
      { type: "http", name: "transfer", url: FAILING_TOOL_URL, sink: true },
    ],
    permission: { rules: [{ tool_name: "transfer", behavior: "allow" }] },
  },
);

test("they are untrusted with their source, and a sink asks once one was recalled or retrieved", async () => {
  const ann = await remembering(AGENT);
  const script = `/call read_mail {}\n/say Read.\n${record("Invoices are paid at once.")}\n/remember Offers are taken.`;
  const waiting = await say(ann, script);
  await ask("POST", `${ann.path}/events`, {
    ...ann.call,
    json: externalResults(waiting, waiting.pending),
  });
  const recorded = await recordingsOf(ann, 2);
  expect(recorded.map((event) => ("untrusted" in event ? event.untrusted : null))).toEqual([
    true,
    true,
  ]);
  const memories = await memoriesOf(ann);

  const recalling = await anotherSession(ann);
  const recalled = await say(recalling, "Any invoices?\n/call transfer {}\n/say paid");
  const retrieving = await anotherSession(ann, {});
  const keywords = JSON.stringify({ keywords: ["offers"] });
  const retrieved = await say(
    retrieving,
    `/call retrieve_from_memory ${keywords}\n/say Found.\n/call transfer {}\n/say paid`,
  );
  const trusted = await anotherSession(ann, { end_user_id: "bob" });
  const free = await say(trusted, "Any invoices?\n/call transfer {}\n/say paid");

  expect(memories.map(({ content, untrusted }) => [content, untrusted?.tool_name])).toEqual([
    ["Offers are taken.", "read_mail"],
    ["Invoices are paid at once.", "read_mail"],
  ]);
  expect(hintsOf(recalled, "long_term_memory").join()).toContain(
    "untrusted: made of the result of read_mail",
  );
  expect(resultsOf(retrieved).join()).toContain("untrusted: made of the result of read_mail");
  expect([recalled.status, retrieved.status, free.status]).toEqual([
    "awaiting_permission",
    "awaiting_permission",
    "completed",
  ]);
});
