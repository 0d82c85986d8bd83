// The frames of a stream that is cut in what a joining reader is sent first, and opened again.
import { expect, it } from "vitest";

import { FrameOrder } from "../../../sdk/ag-ui/frame-order.ts";

function frame(id: string, event: string, members: object = {}) {
  return { id, event, data: JSON.stringify({ type: event, ...members }) };
}

const lane = (subagentRunId: string) => frame("7.0", "SUBAGENT_STARTED", { subagentRunId });

it("lanes of called agents that a cut left open are opened once, and end when they are not there again", () => {
  const order = new FrameOrder(null);
  const text = frame("7.0", "TEXT_MESSAGE_START", { messageId: "ses_1:b1" });
  order.connect();
  for (const each of [frame("7.0", "RUN_STARTED"), lane("ses_1"), lane("ses_2"), text]) {
    expect(order.take(each)).toEqual([]);
  }

  order.connect();
  const again = ["RUN_STARTED", "MESSAGES_SNAPSHOT"].map((type) => order.take(frame("9.0", type)));
  const known = order.take({ ...lane("ses_1"), id: "9.0" });
  const next = order.take(frame("10.1", "CUSTOM"));

  expect(again).toEqual([[{ type: "TEXT_MESSAGE_END", messageId: "ses_1:b1" }], []]);
  expect(known).toBeNull();
  expect(next).toEqual([{ type: "SUBAGENT_FINISHED", subagentRunId: "ses_2" }]);
  expect(order.cursor).toBe("10.1");
});
