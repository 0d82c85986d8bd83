// Whatever a log tells of called agents, in whatever order, the protocol's own client takes it, from the start and joined at
// any point.
import fc from "fast-check";
import { describe, it } from "vitest";

import type { AgUiEvent } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import type { AgUiProfile } from "../../../protocol/ag-ui/ag-ui-profile.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";
import { BROAD, runs as runsOf } from "../../support/breadth.ts";
import {
  allows,
  answered,
  asks,
  batch,
  begun,
  called,
  ended,
  question,
  results,
  runs,
  said,
  waits,
} from "../../support/called-log.ts";
import { verifyAgUi } from "../../support/verify-ag-ui.ts";

const PLACES = [
  { session: "ses_desk", call: "c1", root: "c1" },
  { session: "ses_audit", call: "c2", root: "c2" },
  { session: "ses_bank", call: "d1", parent: "ses_desk", root: "c1" },
] as const;

const call = fc.constantFrom("c1", "c2", "d1", "d2");

/** Events of a called session, also such as its log would not have in this order. */
function toldBy(session: string): fc.Arbitrary<readonly object[]> {
  const taken = {
    reply_id: session.replace("ses_", "rep_"),
    discard_block_ids: ["b1"],
    discard_tool_call_ids: ["d1"],
    discard_tool_result_ids: ["d2"],
  };
  return fc.oneof(
    fc.constant([begun(session)]),
    fc.constantFrom("b1", "b2").map((id) => said(id, "Hm. ", "Yes.")),
    fc.constantFrom("b1", "b2").map((id) => said(id, "Open.").slice(0, 2)),
    call.map((id) => called(id)),
    call.map((id) => called(id).slice(0, 2)),
    call.map((id) => [runs(id)]),
    fc
      .tuple(call, fc.constantFrom("success", "error"))
      .map(([id, state]) => results(id, "R", state)),
    call.map((id) => [asks(id)]),
    call.map((id) => [allows(id)]),
    fc.constant([{ type: "CUSTOM", name: "reply_recovered", value: taken }]),
    fc.constant([ended(session)]),
  );
}

const told = fc
  .constantFrom(...PLACES)
  .chain(({ root, ...place }) =>
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(fc.array(toldBy(place.session), { maxLength: 4 }), fc.boolean())
          .map(([events, isCut]) =>
            batch({ ...place, ...(isCut && { omitted: true as const }) }, ...events.flat()),
          ),
      },
      { weight: 3, arbitrary: call.map((id) => question(place.session, root, asks(id))) },
      { weight: 2, arbitrary: call.map((id) => answered(place.session, root, id)) },
      {
        weight: 1,
        arbitrary: fc.boolean().map((isWaiting) => waits(root, place.session, isWaiting)),
      },
    ),
  )
  .map((event) => [event]);

const own = fc.oneof(
  call.map((id) => called(id, "desk")),
  call.map((id) => [runs(id, "desk")]),
  call.map((id) => results(id, "R")),
  call.map((id) => [asks(id)]),
  call.map((id) => [allows(id)]),
  fc.constant([{ type: "MODEL_CALL_START", model_name: "m" }]),
  fc.constant([{ type: "MODEL_CALL_END", input_tokens: 1, output_tokens: 1 }]),
  fc.constant([{ type: "REPLY_END", session_id: "ses_1" }]),
);

/** Two calls wait for agents; then anything. */
const logs = fc
  .array(fc.oneof({ weight: 5, arbitrary: told }, { weight: 1, arbitrary: own }), {
    maxLength: 30,
    size: "max",
  })
  .map((events) =>
    agUiLog(
      { type: "REPLY_START", session_id: "ses_1", name: "A" },
      ...called("c1", "desk"),
      ...called("c2", "audit"),
      runs("c1", "desk"),
      runs("c2", "audit"),
      ...PLACES.map(({ root: _, ...place }) => batch(place, begun(place.session))),
      ...events.flat(),
    ),
  );

function readFrom(log: readonly LoggedEvent[], cut: number, profile: AgUiProfile): AgUiEvent[] {
  const translator = sessionTranslator(log, { profile });
  for (const event of log.slice(0, cut)) translator.push(event);
  const prelude = translator.join();
  const frames = log.slice(cut).flatMap((event) => translator.push(event));
  return [...prelude, ...[...frames, ...translator.flush()].map(({ event }) => event)];
}

describe("what a log tells of called agents", BROAD, () => {
  it("is a stream that the client takes, in both profiles", async () => {
    await fc.assert(
      fc.asyncProperty(logs, async (log) => {
        for (const profile of ["1.0", "0.0"] as const) {
          await playAgUi(agUiBody(readFrom(log, 0, profile)));
        }
      }),
      { numRuns: runsOf(200) },
    );
  });

  it("is in the protocol's order for a client that joins at any point", async () => {
    await fc.assert(
      fc.asyncProperty(logs, async (log) => {
        for (let cut = 1; cut <= log.length; cut += 3) await verifyAgUi(readFrom(log, cut, "1.0"));
      }),
      { numRuns: runsOf(100) },
    );
  });
});
